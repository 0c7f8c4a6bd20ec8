import { randomBytes } from 'node:crypto';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import { FORGOTTEN } from '../../domain/records/account-named.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { countOf, type Database } from '../database/database.ts';
import { keepHash } from '../journal/name-hashes.ts';
import { PERSONAL_DATA } from './personal-data.ts';

/** Erases one person from every table. Returns how many entries of the history were erased. */
export function erasePerson(db: Database, entry: PersonEntry): number {
  const { id, username, employeeId, sent, usernameInSource = username } = entry;
  const { name } = sent.fields;
  const words: PersonWords = {
    id,
    displayNames: typeof name === 'string' && name !== '' ? [name] : [],
    usernames: [...new Set([username, usernameInSource])],
    serviceIds: employeeId === null ? [] : [employeeId],
  };
  for (const login of words.usernames) keepHash(db, login);
  const entries = countOf(db, `SELECT count(*) AS n FROM history WHERE subject = 'person' AND id = ?`, id);
  const pseudonym = `(forgotten ${randomBytes(6).toString('hex')})`;
  db.sql(`UPDATE call_item SET id = ?, record = NULL WHERE subject = 'person' AND id = ?`).run(pseudonym, id);
  eraseRecords(db);
  db.exec('DELETE FROM held');
  for (const table of Object.keys(PERSONAL_DATA)) eraseIn(db, table, words);
  return entries;
}

/**
 * Forgets the records of the source, whose keys may tell who they are of: the next read is a full one, and finds only
 * those that are still there.
 */
function eraseRecords(db: Database): void {
  db.exec('DELETE FROM source_record');
  db.exec(
    `UPDATE fact SET value = json_set(value, '$.known', NULL, '$.why', NULL) WHERE name = 'increments'`,
  );
}

/** Erases the person's rows of a table, and replaces the person in what it says of others. */
function eraseIn(db: Database, table: string, words: PersonWords): void {
  const { rows = {}, texts = [], values = [], where } = PERSONAL_DATA[table] ?? {};
  const keys = { id: [words.id], username: words.usernames.map(foldUsername), serviceId: words.serviceIds };
  for (const by of ['id', 'username', 'serviceId'] as const)
    if (rows[by] !== undefined)
      db.sql(`DELETE FROM ${table} WHERE ${rows[by]} IN (SELECT value FROM json_each(?))`).run(
        JSON.stringify(keys[by]),
      );
  const clean = withoutWords(words);
  for (const column of texts) rewrite(db, { table, column }, words, clean);
  for (const column of values)
    rewrite(db, { table, column, ...(where !== undefined && { where }) }, words, (value) =>
      JSON.stringify(withoutPerson(JSON.parse(value) as Json, column, words)),
    );
}

interface Column {
  readonly table: string;
  readonly column: string;
  /** Which rows alone; all without. */
  readonly where?: string;
}

/** Rewrites the values that contain a name of the person, in any case. */
function rewrite(
  db: Database,
  { table, column, where = '' }: Column,
  words: PersonWords,
  clean: (value: string) => string,
): void {
  const only = where === '' ? '' : ` AND ${where}`;
  const update = db.sql(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?${only}`);
  const rows = db.sql<{ readonly value: string }>(
    `SELECT DISTINCT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL${only}`,
  );
  for (const { value } of rows.all()) {
    if (!mentions(value, words)) continue;
    const cleaned = clean(value);
    if (cleaned !== value) update.run(cleaned, value);
  }
}

function mentions(value: string, { id, usernames, displayNames, serviceIds }: PersonWords): boolean {
  const folded = value.toLowerCase();
  return [id, ...usernames, ...displayNames, ...serviceIds].some((word) =>
    folded.includes(word.toLowerCase()),
  );
}

/** What names a person in texts and values that are about others. */
interface PersonWords {
  readonly id: string;
  readonly usernames: readonly string[];
  readonly displayNames: readonly string[];
  /** Ids that the service gave. */
  readonly serviceIds: readonly string[];
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const ESCAPED = /[\\^$.*+?()[\]{}|/]/gu;

const escape = (words: string): string => words.replaceAll(ESCAPED, String.raw`\$&`);

/**
 * Returns a function that replaces the person's names in a text. Ids are short: they count only if a text
 * marks them.
 */
function withoutWords({ id, usernames, displayNames, serviceIds }: PersonWords): (text: string) => string {
  const names = [...usernames, ...displayNames, ...serviceIds].map(
    (name) => `(?<![\\p{L}\\p{N}])${escape(name)}(?![\\p{L}\\p{N}])`,
  );
  const marked = [`(?<=\\()${escape(id)}(?=\\))`, `(?<=source id )${escape(id)}(?![\\p{L}\\p{N}])`];
  const pattern = new RegExp([...names, ...marked].join('|'), 'giu');
  return (value) => value.replaceAll(pattern, () => FORGOTTEN);
}

/** Keys of texts in JSON that may name a person; other values are words of rollcall's own. */
const TEXT_KEYS: ReadonlySet<string> = new Set([
  'reason',
  'error',
  'unknown',
  'label',
  'first',
  'words',
  'by',
  'about',
  'cause',
]);

/**
 * Returns the value without records of the person, and without the words in its texts.
 *
 * @param key under which the value stands
 */
function withoutPerson(value: Json, key: string, words: PersonWords): Json {
  if (typeof value === 'string') return TEXT_KEYS.has(key) ? withoutWords(words)(value) : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const others = value.filter((item: Json) => !isTheirs(item, words));
    return others.map((item: Json) => withoutPerson(item, key, words));
  }
  // What a reason says of the person goes with the reference.
  if (
    'code' in value &&
    Array.isArray(value['refs']) &&
    value['refs'].some((ref: Json) => isTheirs(ref, words))
  )
    return { code: value['code'] ?? null };
  const entries = Object.entries(value).map(
    ([name, inner]) => [name, withoutPerson(inner, name, words)] as const,
  );
  return Object.fromEntries(entries);
}

/** Returns whether the item of a list is a record of the person, or the id of the account. */
function isTheirs(item: Json, { id: theirs, serviceIds }: PersonWords): boolean {
  if (typeof item === 'string') return serviceIds.includes(item);
  if (item === null || typeof item !== 'object' || Array.isArray(item)) return false;
  const { id, subject = 'person' } = item as Readonly<Record<string, Json>>;
  return id === theirs && subject === 'person';
}
