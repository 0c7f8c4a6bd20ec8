import type { Source } from '../../src/domain/reading/source.ts';
import type { Person } from '../../src/domain/records/records.ts';

/** What may happen between any source and a read. */
export const FAULTS = ['cut', 'repeated', 'hidden', 'changed'] as const;

/** A fault and where it happens, as a share of the whole. */
export interface Fault {
  readonly is: (typeof FAULTS)[number] | 'unproved' | 'refused' | 'elsewhere' | 'killed' | 'replaced';
  readonly at: number;
}

/** A kind of source with people `1` to `PEOPLE`, whose wire can be disturbed. */
export interface Wire {
  /** Returns the source, and what happens before its read and after that has begun. */
  readonly disturbed: (fault: Fault) => {
    readonly source: Source;
    readonly before?: () => unknown;
    readonly meanwhile?: () => unknown;
  };
  /** Returns whether these are the people before or after a change. */
  readonly isWhole: (people: readonly Person[]) => boolean;
  readonly stop: () => unknown;
}

export const PEOPLE = 40;
export const IDS: readonly string[] = Array.from({ length: PEOPLE }, (_, n) => String(n + 1));

export const same = (ids: readonly string[], all: readonly string[]): boolean =>
  ids.length === all.length && all.every((id) => ids.includes(id));

export const place = (at: number, size: number): number => Math.min(size - 1, Math.floor(at * size));
