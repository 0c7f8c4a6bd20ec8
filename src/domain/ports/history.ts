import type { Change, FieldChange } from '../changes.ts';
import type { Approval } from '../records/approval.ts';
import type { PlacedPosition } from '../records/payload.ts';
import type { Reason } from '../reasons/reason.ts';
import type { Guard } from '../guards.ts';

/** The field that says whether an account can be used. */
export const ACTIVE = 'active';

/** Positions before and after a change, by the source ids of their units. */
export interface Places {
  readonly before: readonly PlacedPosition[];
  readonly after: readonly PlacedPosition[];
}

/** What the history keeps of a change, field by field; secrets are never in it. */
export interface HistoryRecord {
  readonly kind: Change['kind'];
  /** Username, or name of the unit. */
  readonly label: string;
  /** `from` is `null` if nothing was there, `to` if nothing is left. */
  readonly fields: readonly FieldChange[];
  /** The positions that `fields` has in words; absent if they did not change. */
  readonly places?: Places;
  /** Why it was planned. */
  readonly why: Reason;
  readonly guard: Guard | null;
  /** `null`: no guard had held it. */
  readonly approval: Approval | null;
}

/** A change that was applied. */
export interface HistoryEntry extends HistoryRecord {
  /** Its number: never given twice, larger for what was written later. */
  readonly n: number;
  /** When it was done, ms. */
  readonly at: number;
  /** Id of the run that did it. */
  readonly run: string;
  readonly subject: Change['subject'];
  /** Source id. */
  readonly id: string;
}

export type Subject = HistoryEntry['subject'];

/** One record, or all of them. */
export interface HistoryQuery {
  /** Only what was done since then, ms. */
  readonly since: number;
  /** Only these source ids of one kind; `null`: everything. */
  readonly of: { readonly subject: Subject; readonly ids: readonly string[] } | null;
}

/** Where an entry stands in the order of the history. */
export type HistoryPlace = Pick<HistoryEntry, 'at' | 'n'>;

/** A record with a change whose result is unknown. */
export type Unproven = Pick<HistoryEntry, 'subject' | 'id' | 'label'>;

/** All changes that were applied, oldest first. */
export interface History {
  /** Notes a change for which nothing is sent. */
  add(subject: Subject, id: string, record: HistoryRecord): void;
  /** Leaves out what this run did to these people, until the service shows it (`View.accept`). */
  unseen(ids: readonly string[]): void;
  /** Yields entries in the order of their times, or those of a run after an entry in the order of writing, read page by page. */
  entries(query: HistoryQuery | { readonly run: string; readonly after?: number }): Iterable<HistoryEntry>;
  /** Returns the latest entries before a place, latest first; `null`: of all. */
  latest(query: HistoryQuery, before: HistoryPlace | null, atMost: number): readonly HistoryEntry[];
  /** Returns the source ids of records of this kind that the history has under this name, in any case, or id. */
  idsOf(subject: Subject, text: string): readonly string[];
  /** Returns the last runs that have entries, latest first. */
  runs(limit: number): readonly string[];
  /** Returns the other records that a run sent something for, if it is in doubt whether it was done. */
  unproven(run: string): readonly Unproven[];
}
