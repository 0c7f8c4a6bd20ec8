import { accountNamed, FORGOTTEN, isNameOf } from '../../domain/records/account-named.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { EmployeeView, PersonRow, UsernameClaim } from '../../domain/ports/ledger/person-row.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { StagedPerson } from '../../domain/ports/ledger/source-stage.ts';
import type { PageQuery } from '../../domain/ports/ledger/view.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import { flag, json, numberOrNull, textOrNull, text, type Database, type Row } from '../database/database.ts';
import { hasForgotten, isForgotten } from '../journal/name-hashes.ts';
import { entryOf, one } from './person-entry.ts';
import type { Shown } from '../../domain/ports/shown.ts';
import { isMarked, marked } from '../database/marks.ts';

export function employeeOf(row: Row): EmployeeView {
  return {
    id: text(row, 'id'),
    username: text(row, 'username'),
    locked: flag(row, 'locked'),
    shown: json<Shown>(row, 'shown'),
  };
}

const HAS_KEY = 'username_key IN (t.own, t.wanted)';

/**
 * What has to be looked up for each record of a page: most records need little of it. `own`: the folded username of the
 * account that we know; `wanted`: that of the record.
 */
const page = (ids: string): string => `
  WITH page AS (${ids}),
  t AS (
    SELECT page.id, p.username AS name, p.username_key AS own, d.username AS wanted_name, d.username_key AS wanted,
      p.id IS NOT NULL AS known, d.id IS NOT NULL AS staged, d.active, d.hash, d.secret_hash, d.payload, d.problem
    FROM page LEFT JOIN person p ON p.id = page.id LEFT JOIN staging.person d ON d.id = page.id
  )
  SELECT t.id, known, staged, t.wanted_name AS username, t.name, active, hash, secret_hash, payload, problem,
    ${isMarked('hasLeft', 't.id')} AS has_left,
    EXISTS (SELECT 1 FROM employee WHERE ${HAS_KEY}) AS listed,
    EXISTS (SELECT 1 FROM person o WHERE o.${HAS_KEY} AND o.id <> t.id)
      OR EXISTS (SELECT 1 FROM person o WHERE o.source_key IN (t.own, t.wanted) AND o.id <> t.id) AS owned,
    EXISTS (SELECT 1 FROM disabled_user WHERE ${HAS_KEY})
      OR EXISTS (SELECT 1 FROM ${marked('unclear')} u WHERE u.key IN (t.name, t.wanted_name)) AS special
  FROM t ORDER BY t.id`;

const PAGE = page(`SELECT key AS id FROM ${marked('todo')} WHERE key > :after ORDER BY key LIMIT :limit`);
const ONE = page('SELECT :id AS id');

/** Returns the rows of a page of the todo list. Records that share an id are refused, and one of them stands for all. */
export function rowsOf(db: Database, { after, limit }: PageQuery): readonly PersonRow[] {
  const rows = new Map(
    db
      .sql(PAGE)
      .all({ after, limit })
      .map((row) => [text(row, 'id'), row]),
  );
  const isAny = hasForgotten(db);
  return Array.from(rows.values(), (row) => rowOf(db, row, isAny));
}

/** Returns what the three sides have of one record. */
export function rowOfId(db: Database, id: string): PersonRow {
  return rowOf(db, db.sql(ONE).get({ id }) ?? {}, hasForgotten(db));
}

function rowOf(db: Database, row: Row, isAnyForgotten: boolean): PersonRow {
  const id = text(row, 'id');
  const entry = flag(row, 'known') ? entryOf(db, id) : null;
  const record = recordOf(db, row);
  const inSource = textOrNull(row, 'username') ?? (record === 'left' ? refusedName(db, id) : null);
  return {
    id,
    record,
    ...(record === null && isLeftOut(db, id) && { isLeftOut: true }),
    inSource,
    entry,
    hasSaidLeft: entry !== null && inSource !== null && hasSaidLeft(db, id),
    ...serviceSide(db, row, { entry, inSource }),
    owner: ownerIn(db, row, inSource, isAnyForgotten),
    claims: entry !== null && isElsewhere(entry, record, inSource) ? claimsOf(db, entry) : [],
  };
}

/** Returns whether this read has the person under no username that they had before. */
const isElsewhere = (entry: PersonEntry, record: PersonRow['record'], inSource: string | null): boolean =>
  inSource === null ? record === null : !isNameOf(entry, inSource);

/** Returns who else has the username of the record; of most records, nobody has to be looked for. */
function ownerIn(
  db: Database,
  row: Row,
  inSource: string | null,
  isAnyForgotten: boolean,
): PersonRow['owner'] {
  const isOwned = flag(row, 'owned') || isAnyForgotten || flag(row, 'has_left');
  return inSource !== null && isOwned ? ownerOf(db, text(row, 'id'), inSource) : null;
}

/** Returns what the service has under the username: of a person whose account is known, under the one that we know. */
function serviceSide(
  db: Database,
  row: Row,
  { entry, inSource }: Pick<PersonRow, 'entry' | 'inSource'>,
): Pick<PersonRow, 'employee' | 'unclear' | 'isUserDisabled'> {
  const ours = entry?.state === 'removed' ? null : entry;
  const username = ours?.username ?? inSource ?? entry?.username ?? '';
  const isSpecial = flag(row, 'special');
  const isListed = flag(row, 'listed') || flag(row, 'has_left');
  const found = accountOf(db, { username, employeeId: employeeIdIn(ours) }, { isListed, isSpecial });
  return { ...found, isUserDisabled: isSpecial && found.employee === null && isUserDisabled(db, username) };
}

/** An account that is being created, or is in doubt, may have another id than the account before it. */
const employeeIdIn = (ours: PersonEntry | null): string | null =>
  ours === null || ours.state === 'creating' ? null : ours.employeeId;

/** Returns what the source says of a person. A record that cannot be used can still say "left". */
function recordOf(db: Database, row: Row): PersonRow['record'] {
  if (flag(row, 'has_left')) return 'left';
  return flag(row, 'staged') ? stagedOf(row) : unchangedOf(db, text(row, 'id'));
}

function stagedOf(row: Row): StagedPerson {
  const active = numberOrNull(row, 'active');
  return {
    id: text(row, 'id'),
    username: text(row, 'username'),
    active: active === null ? null : active === 1,
    hash: text(row, 'hash'),
    secretHash: textOrNull(row, 'secret_hash'),
    payload: json<PersonPayload>(row, 'payload'),
    problem: textOrNull(row, 'problem'),
  };
}

function unchangedOf(db: Database, id: string): 'unchanged' | null {
  const seen = db.sql('SELECT 1 FROM staging.seen s JOIN person p ON p.rowid = s.person WHERE p.id = ?');
  return seen.get(id) === undefined ? null : 'unchanged';
}

const isLeftOut = (db: Database, id: string): boolean =>
  db.sql(`SELECT 1 FROM ${marked('leftOut')} WHERE key = ?`).get(id) !== undefined;

const hasSaidLeft = (db: Database, id: string): boolean =>
  db.sql('SELECT 1 FROM memory WHERE is_unit = 0 AND id = ? AND said_left = 1').get(id) !== undefined;

/** Returns the username of a record that cannot be used. */
function refusedName(db: Database, id: string): string | null {
  const named = `SELECT label FROM staging.refused WHERE id = ? AND subject = 'person' AND label IS NOT NULL`;
  return one(db.sql(named).get(id), (row) => text(row, 'label'));
}

/** What this read has of another person `o`. A record that cannot be used may still say "left". */
const IS_HERE = `CASE
  WHEN EXISTS (SELECT 1 FROM staging.seen s WHERE s.person = o.rowid)
    OR EXISTS (SELECT 1 FROM staging.person d WHERE d.id = o.id AND d.active IS NOT 0)
    OR EXISTS (SELECT 1 FROM staging.refused r WHERE r.id = o.id AND r.subject = 'person'
               AND NOT ${isMarked('hasLeft', 'r.id')}) THEN 'yes'
  WHEN EXISTS (SELECT 1 FROM staging.person d WHERE d.id = o.id) OR ${isMarked('hasLeft', 'o.id')} THEN 'left'
  ELSE 'no' END`;

/** The username that the source had counts only for who has no record in this read: a record says it itself. */
const OWNER = `
  SELECT id, is_here FROM (
    SELECT o.id, o.username_key, o.state, ${IS_HERE} AS is_here FROM person o
      WHERE o.id <> :id AND (o.username_key = :key OR o.source_key = :key))
  WHERE username_key = :key OR is_here <> 'yes'
  ORDER BY state = 'removed', username_key <> :key LIMIT 1`;

function ownerOf(db: Database, id: string, username: string): PersonRow['owner'] {
  const row = db.sql(OWNER).get({ id, key: foldUsername(username) });
  if (row === undefined)
    return isForgotten(db, username) ? { id: FORGOTTEN, entry: null, isHere: 'no' } : null;
  const [owner, isHere] = [text(row, 'id'), text(row, 'is_here') as 'yes' | 'left' | 'no'];
  return { id: owner, entry: entryOf(db, owner), isHere };
}

/** Records of this read with this username, usable or not. */
const CLAIMS = `
  SELECT id, username, json_extract(payload, '$.fields.name') AS name, problem IS NULL AND NOT EXISTS (
      SELECT 1 FROM staging.refused r WHERE r.id = d.id AND r.subject <> 'unit') AS usable
    FROM staging.person d WHERE username_key IN (:key, :inSource) AND id <> :id
  UNION ALL SELECT id, label, NULL, 0 FROM staging.refused
    WHERE username_key IN (:key, :inSource) AND subject = 'person' AND id IS NOT NULL AND id <> :id`;

function claimsOf(
  db: Database,
  { id, username, usernameInSource = username }: PersonEntry,
): readonly UsernameClaim[] {
  const keys = { key: foldUsername(username), inSource: foldUsername(usernameInSource) };
  const rows = db.sql(CLAIMS).all({ id, ...keys });
  return rows.map((row) => {
    const entry = entryOf(db, text(row, 'id'));
    const ours = entry?.state === 'removed' ? null : entry;
    return {
      id: text(row, 'id'),
      username: text(row, 'username'),
      name: textOrNull(row, 'name'),
      isUsable: flag(row, 'usable'),
      entry: ours,
    };
  });
}

/** Returns the employees whose usernames differ from this one in case alone, or not at all. */
export function spellingsOf(db: Database, username: string): readonly EmployeeView[] {
  return db.sql('SELECT * FROM employee WHERE username_key = ?').all(foldUsername(username)).map(employeeOf);
}

const UNCLEAR = `SELECT note FROM ${marked('unclear')} WHERE key = ?`;

interface LookedUp {
  readonly isListed: boolean;
  readonly isSpecial: boolean;
}

/** Returns the account with this username, or why it is unclear whose account it is. */
function accountOf(
  db: Database,
  { username, employeeId }: Pick<PersonEntry, 'username' | 'employeeId'>,
  { isListed, isSpecial }: LookedUp,
): Pick<PersonRow, 'employee' | 'unclear'> {
  const why = isSpecial ? db.sql(UNCLEAR).get(username) : undefined;
  if (why !== undefined) return { employee: null, unclear: text(why, 'note') };
  const { account, unclear } = accountNamed(username, isListed ? spellingsOf(db, username) : []);
  if (account === null) return { employee: null, unclear };
  if (account.id !== employeeId && isOfAnother(db, account)) return { employee: null, unclear: OF_ANOTHER };
  if (account.username === username || employeeId === null || employeeId === account.id)
    return { employee: account, unclear: null };
  const other =
    `the account ${username} is gone, and ${account.username}, which differs in case alone, is another one: ` +
    'remove it in the service, or spell the username in the source otherwise';
  return { employee: null, unclear: other };
}

const OF_ANOTHER =
  'the account with its username is that of another known person, whose username was changed in the service: rename one of the two accounts there';

/** Returns whether the account is known as another person's, under another username. */
function isOfAnother(db: Database, { id, username }: EmployeeView): boolean {
  const known = `SELECT 1 FROM person WHERE employee_id = ? AND username_key <> ? AND state <> 'removed'`;
  return db.sql(known).get(id, foldUsername(username)) !== undefined;
}

function isUserDisabled(db: Database, username: string): boolean {
  const disabled = db.sql('SELECT 1 FROM disabled_user WHERE username_key = ? LIMIT 1');
  return disabled.get(foldUsername(username)) !== undefined;
}
