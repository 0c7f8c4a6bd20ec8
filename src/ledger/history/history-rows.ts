import type { FieldChange, Origin } from '../../domain/changes.ts';
import type { HistoryEntry, HistoryRecord, Places } from '../../domain/ports/history.ts';
import type { Guard } from '../../domain/settings.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { json, jsonOrNull, number, textOrNull, text, type Database, type Row } from '../database/database.ts';

/** What the ledger writes down with what a run does. */
export interface HistoryContext {
  readonly now: () => number;
  readonly run: () => string;
}

/** When a change was done, by which run, and to what. */
export type Done = Pick<HistoryEntry, 'at' | 'run' | 'subject' | 'id'>;

const INSERT = `
  INSERT INTO history (n, at, run, subject, id, name, name_key, kind, fields, why, origin, guard, approval, approver, places)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** @param n its number; absent: the next one */
export function addEntry(
  db: Database,
  { at, run, subject, id }: Done,
  record: HistoryRecord,
  n: number | null = null,
): void {
  const { kind, label, fields, why, origin, guard, approval, places } = record;
  const [hash, by] = [approval?.hash ?? null, approval?.by ?? null];
  const values = [kind, JSON.stringify(packFields(fields)), why, origin, guard, hash, by];
  const placed = places === undefined ? null : JSON.stringify(places);
  db.sql(INSERT).run(n, at, run, subject, id, label, foldUsername(label), ...values, placed);
}

export function entryOf(row: Row): HistoryEntry {
  const places = jsonOrNull<Places>(row, 'places');
  return {
    n: number(row, 'n'),
    at: number(row, 'at'),
    run: text(row, 'run'),
    subject: text(row, 'subject') === 'unit' ? 'unit' : 'person',
    id: text(row, 'id'),
    label: text(row, 'name'),
    fields: unpackFields(json(row, 'fields')),
    ...(places === null ? {} : { places }),
    ...causeOf(row),
  };
}

type Cause = Pick<HistoryRecord, 'kind' | 'why' | 'origin' | 'guard' | 'approval'>;

/** Returns what was done, and why, of a row of `history` or `history_page`. */
export function causeOf(row: Row): Cause {
  const [hash, by] = [textOrNull(row, 'approval'), textOrNull(row, 'approver')];
  return {
    kind: text(row, 'kind') as HistoryEntry['kind'],
    why: text(row, 'why'),
    origin: textOrNull(row, 'origin') as Origin | null,
    guard: textOrNull(row, 'guard') as Guard | null,
    approval: hash === null ? null : { hash, by },
  };
}

type ChangedValue = FieldChange['to'];

/** A field as the history keeps it: `[field, to]` if it had no value, `[field, from, to]` otherwise. */
export type Packed =
  readonly [field: string, to: ChangedValue] | readonly [field: string, from: ChangedValue, to: ChangedValue];

/** Returns the changes without the names of their parts: a ledger is mostly history of created accounts. */
export const packFields = (fields: readonly FieldChange[]): readonly Packed[] =>
  fields.map(({ field, from, to }): Packed => (from === null ? [field, to] : [field, from, to]));

export const unpackFields = (kept: readonly Packed[]): readonly FieldChange[] =>
  kept.map((one) =>
    one.length === 2
      ? { field: one[0], from: null, to: one[1] }
      : { field: one[0], from: one[1], to: one[2] },
  );
