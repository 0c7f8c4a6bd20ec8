import type { Blocked } from '../../changes.ts';

/** Time, ms, in which repairs of a field are counted (promise 9). */
export const REPAIRS_MS = 7 * 86_400_000;

/** A record that failed, as lists name it; `reason` has words of the service, or ours. */
export interface Failure extends Omit<Blocked, 'goesOn'> {
  /** Digest of the change that failed: a different change for this record is tried at once. */
  readonly digest?: string;
}

export interface RecordedFailure extends Failure {
  /** `refused`: the service said no; `doubt`: it gave no clear answer. */
  readonly kind: 'refused' | 'doubt';
  readonly attempts: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** A sentence of a run about a record that is not simply in step. */
export interface Note extends Blocked {
  /** `held`: a guard holds it; `edited`: it stays as it was edited in the service. */
  readonly kind: 'blocked' | 'held' | 'edited';
  /** Hash that releases what is held. */
  readonly hash?: string | null;
}

/**
 * Records in trouble: those that failed, those that are left as they are, and those that others edit again
 * and again.
 */
export interface Troubles {
  /** Returns failures: all, so many, that of a record, or those of records with this source id or name, both in any case. */
  failures(
    which?: number | Pick<Failure, 'subject' | 'id'> | { readonly name: string },
  ): readonly RecordedFailure[];
  /** Records failures; `refused`: a part of a change was refused, while the rest of it was done. */
  failed(failures: readonly Failure[], kind?: RecordedFailure['kind']): void;
  /** Returns the repairs since this time, ms: `subject id field` → how many. */
  repairs(since: number): ReadonlyMap<string, number>;
  /**
   * Returns the records that the last plan left as they are.
   * @param atMost without it, all are returned
   */
  blocked(atMost?: number): readonly Blocked[];
  /** Returns what the last run wrote down of records with this source id or, in any case, this name. */
  notes(name: string): readonly Note[];
  /**
   * Puts what the plan book has written down in place of what the run before it had, at the end of a complete run, and
   * forgets failures of earlier runs: a refusal, or a doubt about a person, is no failure any more if this run neither
   * plans anything for the record nor lists it as left.
   *
   * @param of of these records alone: all else that was written down stays
   */
  keepNotes(of?: readonly Pick<Blocked, 'subject' | 'id'>[]): void;
}
