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
  INSERT INTO history (at, run, subject, id, name, name_key, kind, fields, why, origin, guard, approval, approver, places)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export function addEntry(db: Database, { at, run, subject, id }: Done, record: HistoryRecord): void {
  const { kind, label, fields, why, origin, guard, approval, places } = record;
  const [hash, by] = [approval?.hash ?? null, approval?.by ?? null];
  const values = [kind, JSON.stringify(fields), why, origin, guard, hash, by];
  const placed = places === undefined ? null : JSON.stringify(places);
  db.sql(INSERT).run(at, run, subject, id, label, foldUsername(label), ...values, placed);
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
    fields: json<readonly FieldChange[]>(row, 'fields'),
    ...(places === null ? {} : { places }),
    ...causeOf(row),
  };
}

/** Returns what was done, and why, of a row. */
function causeOf(row: Row): Pick<HistoryRecord, 'kind' | 'why' | 'origin' | 'guard' | 'approval'> {
  const [hash, by] = [textOrNull(row, 'approval'), textOrNull(row, 'approver')];
  return {
    kind: text(row, 'kind') as HistoryEntry['kind'],
    why: text(row, 'why'),
    origin: textOrNull(row, 'origin') as Origin | null,
    guard: textOrNull(row, 'guard') as Guard | null,
    approval: hash === null ? null : { hash, by },
  };
}
