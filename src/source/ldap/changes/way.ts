import { EqualityFilter, type Filter } from 'ldapts';

import type { FullReadNeeded, ReadMark, RecordKey } from '../../../domain/reading/increment.ts';
import type { Batch } from './people-search.ts';

/** What changed since a mark. The parts are read in this order, each to its end. */
export interface Told {
  /** Yields people who are new or changed. */
  changed(): AsyncIterable<Batch>;
  /** Yields the keys of all; `null`: `gone` has those who left. */
  present(): AsyncIterable<Iterable<RecordKey>> | null;
  /** Set where the list is made base by base, so that it is known how many each has. */
  readonly listsBases?: true;
  /** Yields the keys of those who left. Some of them may have come all the same: then they are there. */
  gone(): Iterable<RecordKey>;
}

/** Which entries with others below them were touched since a mark. */
export interface Touched {
  readonly filter: Filter;
  /** Attribute that tells when an entry was touched, where the filter is not exact. */
  readonly attribute?: string;
  readonly isTouched?: (value: string | null) => boolean;
}

/** One way in which a server tells what changed, during one read; `P`: up to where it was seen, as JSON has it. */
export interface Way<P> {
  readonly how: ReadMark['how'];
  /** Attribute that tells when an entry was made. */
  readonly madeAttribute: string;
  /** Holds for entries that have others below them; `null`: this server has no such filter. */
  readonly parents: Filter | null;
  /** Returns up to where the server has been seen now: nobody was read yet. */
  begin(): Promise<P | FullReadNeeded>;
  /** Returns why it cannot be told what changed between; `null`: it can. */
  check(since: P, now: P): Promise<FullReadNeeded | null>;
  /** Returns whether an entry was there before. */
  isOld(made: string | null, since: P): boolean;
  /** Returns which entries above others were touched; asked for after `check`. */
  touched(since: P): readonly Touched[];
  /** Returns what changed. */
  since(since: P, now: P): Promise<Told | FullReadNeeded>;
}

/** Holds for entries that have others below them, as servers compute it (X.501). */
export const HAS_SUBORDINATES: Filter = new EqualityFilter({ attribute: 'hasSubordinates', value: 'TRUE' });

export const RESTORED: FullReadNeeded = {
  why: 'the entry that was changed last is older now, or gone: the directory may be a restored one',
};

export const isNeeded = (one: object | null): one is FullReadNeeded => one !== null && 'why' in one;
