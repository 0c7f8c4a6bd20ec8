import type { Blocked } from '../../changes.ts';

export interface Failure {
  readonly subject: 'unit' | 'person';
  readonly id: string;
  readonly label: string;
  /** The service's words, or ours. */
  readonly reason: string;
  /** Of the change that failed: another one for this record is tried at once. */
  readonly digest?: string;
}

export interface RecordedFailure extends Failure {
  /** `refused`: the service said no; `doubt`: it said nothing that is clear. */
  readonly kind: 'refused' | 'doubt';
  readonly attempts: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** What does not go as it should: records that failed, that are left as they are, and that others edit again and again. */
export interface Troubles {
  failures(): readonly RecordedFailure[];
  failed(failures: readonly Failure[]): void;
  /**
   * At the end of a complete run, while its staging is there: a refusal of an earlier run is no failure any more where
   * this one neither plans anything for the record nor lists it.
   */
  forgetSettled(): void;
  /** Notes fields that somebody had edited and that were set back, now. */
  repaired(record: Pick<Failure, 'subject' | 'id'>, fields: readonly string[]): void;
  /** Repairs since then, ms: `subject id field` → how many. */
  repairs(since: number): ReadonlyMap<string, number>;
  /** Returns what the last plan left as it is. */
  blocked(): readonly Blocked[];
  setBlocked(blocked: readonly Blocked[]): void;
  /** Forgets repairs before `before`, ms. */
  prune(before: number): void;
}
