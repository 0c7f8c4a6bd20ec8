import type { HistoryEntry, HistoryRecord } from '../../domain/ports/history.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { Database } from '../database/database.ts';

/** What the ledger writes down with what a run does. */
export interface HistoryContext {
  readonly now: () => number;
  readonly run: () => string;
}

/** When a change was done, by which run, and to what. */
export type Done = Pick<HistoryEntry, 'at' | 'run' | 'subject' | 'id'>;

const INSERT = `
  INSERT INTO history (at, run, subject, id, name, name_key, kind, fields, why, guard, approval, approver, places)
  VALUES (:at, :run, :subject, :id, :label, :key, :kind, :fields, :why, :guard, :hash, :by, :places)`;

export function addEntry(db: Database, { at, run, subject, id }: Done, record: HistoryRecord): void {
  const { kind, label, guard, approval, places } = record;
  const { hash = null, by = null } = approval ?? {};
  const [fields, why, placed] = [
    JSON.stringify(record.fields),
    JSON.stringify(record.why),
    places === undefined ? null : JSON.stringify(places),
  ];
  const done = { at, run, subject, id, label, key: foldUsername(label), kind, fields, why, guard };
  db.sql(INSERT).run({ ...done, hash, by, places: placed });
}

/** Columns of an entry. */
export const ENTRY = `n, at, run, subject, id, name AS label, kind, fields, why, guard, approval, approver, places`;

export interface HistoryRow extends Omit<HistoryEntry, 'fields' | 'why' | 'approval' | 'places'> {
  readonly why: string;
  readonly fields: string;
  readonly approval: string | null;
  readonly approver: string | null;
  readonly places: string | null;
}

export function entryOf({ approval, approver, places, fields, why, ...entry }: HistoryRow): HistoryEntry {
  return {
    ...entry,
    fields: JSON.parse(fields) as HistoryEntry['fields'],
    why: JSON.parse(why) as HistoryEntry['why'],
    approval: approval === null ? null : { hash: approval, by: approver },
    ...(places !== null && { places: JSON.parse(places) as NonNullable<HistoryEntry['places']> }),
  };
}
