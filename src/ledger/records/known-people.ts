import { next, type Known, type PersonEvent, type ReadRecord } from '../../domain/records/next.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { asBoolean, type Database } from '../database/database.ts';

/** Columns, and the fields that they hold. */
const COLUMNS = {
  id: 'id',
  username: 'username',
  source_name: 'sourceName',
  state: 'state',
  employee_id: 'employeeId',
  created: 'created',
  sent: 'sent',
  nodes: 'nodes',
  accepted: 'accepted',
  hash: 'hash',
  print: 'print',
  secret_hash: 'secretHash',
  brought_by: 'broughtBy',
  open: 'open',
  misses: 'misses',
  missed_at: 'missedAt',
  missed_by: 'missedBy',
  disabled_at: 'disabledAt',
} as const satisfies Readonly<Record<string, keyof Known>>;

/** What is looked for besides. */
const SAVED = { ...COLUMNS, username_key: 'key', source_key: 'sourceKey' };

const listed = (words: (column: string, field: string) => string, columns: object = COLUMNS): string =>
  Object.entries(columns)
    .map(([column, field]) => words(column, String(field)))
    .join();

const SELECT = `SELECT ${listed((column, field) => `${column} AS ${field}`)} FROM person`;

const SAVE = `
  INSERT INTO person (${Object.keys(SAVED).join()}) VALUES (${listed((_, field) => `:${field}`, SAVED)})
  ON CONFLICT (id) DO UPDATE SET ${listed((column) => `${column} = excluded.${column}`, SAVED)}`;

function save(db: Database, { open, ...known }: Known): void {
  const { username, sourceName } = known;
  const sourceKey = sourceName === null ? null : foldUsername(sourceName);
  db.sql(SAVE).run({ ...known, key: foldUsername(username), sourceKey, open: Number(open) });
}

/** Returns what is known of people, by a condition on `person`, or more than that, and its values. */
export const knownWhere = (
  db: Database,
  condition: string,
  values: Readonly<Record<string, string | number | null>> = {},
): readonly Known[] =>
  db
    .sql<Omit<Known, 'open'> & { readonly open: number }>(`${SELECT} WHERE ${condition}`)
    .all(values)
    .map(({ open, ...known }) => ({ open: open === 1, ...known }));

/** Returns what is known of a person by source id. */
export const knownBy = (db: Database, id: string): Known | null =>
  knownWhere(db, 'id = :id', { id })[0] ?? null;

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
export const noteEvent = (db: Database, id: string, event: PersonEvent): Known | null =>
  note(db, id, knownBy(db, id), event);

const RECORD = `SELECT username, active, hash, print, secret_hash AS secretHash, brought_by AS broughtBy
  FROM staging.person WHERE id = ?`;

/** Returns the record that this read has of a person. */
export function recordRead(db: Database, id: string): ReadRecord | null {
  const row = db.sql<Omit<ReadRecord, 'active'> & { readonly active: number | null }>(RECORD).get(id);
  return row === undefined ? null : { ...row, active: asBoolean(row.active) };
}
