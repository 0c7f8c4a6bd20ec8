import type { Origin } from '../../domain/changes.ts';
import type { HistoryEntry, HistoryRecord, Places, Subject } from '../../domain/ports/history.ts';
import type { Guard } from '../../domain/settings.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { json, jsonOrNull, number, text, textOrNull } from '../database/columns.ts';
import type { Database, Row } from '../database/database.ts';
import { packFields, unpackFields } from './packed-fields.ts';

/** When a change was done, by which run, and to what. */
export interface Done {
  readonly at: number;
  readonly run: string;
  readonly subject: Subject;
  readonly id: string;
}

const INSERT = `
  INSERT INTO history (at, run, subject, id, name, name_key, kind, fields, why, origin, guard, approval, approver, places)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export function addEntry(db: Database, { at, run, subject, id }: Done, record: HistoryRecord): void {
  const { kind, label, fields, why, origin, guard, approval, places } = record;
  const [hash, by] = [approval?.hash ?? null, approval?.by ?? null];
  const values = [kind, packFields(fields), why, origin, guard, hash, by];
  const placed = places === undefined ? null : JSON.stringify(places);
  db.sql(INSERT).run(at, run, subject, id, label, foldUsername(label), ...values, placed);
}

export function entryOf(row: Row): HistoryEntry {
  const [hash, by] = [textOrNull(row, 'approval'), textOrNull(row, 'approver')];
  const places = jsonOrNull<Places>(row, 'places');
  return {
    n: number(row, 'n'),
    at: number(row, 'at'),
    run: text(row, 'run'),
    subject: text(row, 'subject') === 'unit' ? 'unit' : 'person',
    id: text(row, 'id'),
    kind: text(row, 'kind') as HistoryEntry['kind'],
    label: text(row, 'name'),
    fields: unpackFields(json(row, 'fields')),
    ...(places === null ? {} : { places }),
    why: text(row, 'why'),
    origin: textOrNull(row, 'origin') as Origin | null,
    guard: textOrNull(row, 'guard') as Guard | null,
    approval: hash === null ? null : { hash, by },
  };
}
