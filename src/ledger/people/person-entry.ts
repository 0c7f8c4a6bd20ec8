import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { RecordState } from '../../domain/records/next.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import {
  json,
  jsonOrNull,
  number,
  numberOrNull,
  textOrNull,
  text,
  type Database,
  type Row,
} from '../database/database.ts';
import type { Shown } from '../../domain/ports/shown.ts';

/** What an entry is made of: a person's row has nearly as many columns again. */
export const ENTRY = `id, username, state, employee_id, sent, nodes, secret_hash, accepted, misses, missed_at,
  disabled_at, missed_by, brought_by, source_name`;

export function personEntryOf(row: Row): PersonEntry {
  const [missedBy, broughtBy] = [textOrNull(row, 'missed_by'), textOrNull(row, 'brought_by')];
  const usernameInSource = textOrNull(row, 'source_name');
  const nodes = jsonOrNull<readonly string[]>(row, 'nodes');
  return {
    id: text(row, 'id'),
    username: text(row, 'username'),
    state: text(row, 'state') as RecordState,
    employeeId: textOrNull(row, 'employee_id'),
    sent: json<PersonPayload>(row, 'sent'),
    secretHash: textOrNull(row, 'secret_hash'),
    accepted: jsonOrNull<Shown>(row, 'accepted'),
    misses: number(row, 'misses'),
    missedAt: numberOrNull(row, 'missed_at'),
    disabledAt: numberOrNull(row, 'disabled_at'),
    ...(nodes !== null && { nodes }),
    ...(missedBy !== null && { missedBy }),
    ...(broughtBy !== null && { broughtBy }),
    ...(usernameInSource !== null && { usernameInSource }),
  };
}

export function one<T>(row: Row | undefined, decode: (row: Row) => T): T | null {
  return row === undefined ? null : decode(row);
}

export function entryOf(db: Database, id: string): PersonEntry | null {
  return one(db.sql(`SELECT ${ENTRY} FROM person WHERE id = ?`).get(id), personEntryOf);
}
