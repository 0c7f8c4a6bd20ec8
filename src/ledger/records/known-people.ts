import {
  next,
  type Known,
  type PersonEvent,
  type ReadRecord,
  type RecordState,
} from '../../domain/records/next.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import {
  flag,
  number,
  numberOrNull,
  textOrNull,
  text,
  type Database,
  type Row,
} from '../database/database.ts';

function knownOf(row: Row): Known {
  return {
    id: text(row, 'id'),
    username: text(row, 'username'),
    sourceName: textOrNull(row, 'source_name'),
    state: text(row, 'state') as RecordState,
    employeeId: textOrNull(row, 'employee_id'),
    created: numberOrNull(row, 'created'),
    sent: text(row, 'sent'),
    nodes: textOrNull(row, 'nodes'),
    accepted: textOrNull(row, 'accepted'),
    hash: textOrNull(row, 'hash'),
    print: textOrNull(row, 'print'),
    secretHash: textOrNull(row, 'secret_hash'),
    broughtBy: textOrNull(row, 'brought_by'),
    open: flag(row, 'open'),
    misses: number(row, 'misses'),
    missedAt: numberOrNull(row, 'missed_at'),
    missedBy: textOrNull(row, 'missed_by'),
    disabledAt: numberOrNull(row, 'disabled_at'),
  };
}

/** Columns, and the fields that they take. */
const COLUMNS = {
  id: ':id',
  username: ':username',
  username_key: ':key',
  source_name: ':sourceName',
  source_key: ':sourceKey',
  state: ':state',
  employee_id: ':employeeId',
  created: ':created',
  sent: ':sent',
  nodes: ':nodes',
  accepted: ':accepted',
  hash: ':hash',
  print: ':print',
  secret_hash: ':secretHash',
  brought_by: ':broughtBy',
  open: ':isOpen',
  misses: ':misses',
  missed_at: ':missedAt',
  missed_by: ':missedBy',
  disabled_at: ':disabledAt',
} as const;

const SAVE = `
  INSERT INTO person (${Object.keys(COLUMNS).join()}) VALUES (${Object.values(COLUMNS).join()})
  ON CONFLICT (id) DO UPDATE SET ${Object.keys(COLUMNS)
    .filter((column) => column !== 'id')
    .map((column) => `${column} = excluded.${column}`)
    .join()}`;

function save(db: Database, { open, ...known }: Known): void {
  const { username, sourceName } = known;
  const sourceKey = sourceName === null ? null : foldUsername(sourceName);
  db.sql(SAVE).run({ ...known, key: foldUsername(username), sourceKey, isOpen: Number(open) });
}

/** Returns what is known of people, by a condition on `person` and its values. */
export const knownWhere = (
  db: Database,
  condition: string,
  values: Readonly<Record<string, string | number | null>> = {},
): readonly Known[] => db.sql(`SELECT * FROM person WHERE ${condition}`).all(values).map(knownOf);

/** Writes down what is known of a person after these events. Returns it; `null`: nothing. */
export function note(
  db: Database,
  id: string,
  before: Known | null,
  ...events: readonly PersonEvent[]
): Known | null {
  let known = before;
  for (const event of events) known = next(id, known, event);
  if (known === before) return known;
  if (known === null) db.sql('DELETE FROM person WHERE id = ?').run(id);
  else save(db, known);
  return known;
}

/** The same of a person by source id. */
export function noteEvent(db: Database, id: string, event: PersonEvent): Known | null {
  const [known = null] = knownWhere(db, 'id = :id', { id });
  return note(db, id, known, event);
}

const RECORD = `SELECT username, active, hash, print, secret_hash, brought_by FROM staging.person WHERE id = ?`;

/** Returns the record that this read has of a person. */
export function recordRead(db: Database, id: string): ReadRecord | null {
  const row = db.sql(RECORD).get(id);
  if (row === undefined) return null;
  const active = numberOrNull(row, 'active');
  return {
    username: text(row, 'username'),
    active: active === null ? null : active === 1,
    hash: text(row, 'hash'),
    print: textOrNull(row, 'print'),
    secretHash: textOrNull(row, 'secret_hash'),
    broughtBy: textOrNull(row, 'brought_by'),
  };
}
