import { accountNamed, FORGOTTEN, isNameOf } from '../../domain/records/account-named.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type {
  EmployeeView,
  PersonRow,
  UsernameClaim,
  UsernameOwner,
} from '../../domain/ports/ledger/person-row.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { PageQuery } from '../../domain/ports/ledger/view.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import { asBoolean, type Database } from '../database/database.ts';
import { hasForgotten, isForgotten } from '../journal/name-hashes.ts';
import { entryOf } from './person-entry.ts';
import type { Shown } from '../../domain/ports/shown.ts';
import { isMarked, marked } from '../database/marks.ts';
import { isHere } from '../staging/staging-schema.ts';

/** Columns of the view's row of an employee. */
export interface EmployeeRow extends Pick<EmployeeView, 'id' | 'username'> {
  readonly locked: number;
  readonly shown: string;
}

export const employeeOf = ({ id, username, locked, shown }: EmployeeRow): EmployeeView => ({
  id,
  username,
  locked: locked === 1,
  shown: JSON.parse(shown) as Shown,
});

const HAS_KEY = 'username_key IN (t.own, t.wanted)';

/** What a page has of a record; the fields of its own from `payload` on are empty if it is not staged. */
interface PageRow {
  readonly id: string;
  /** Username of the account that we know. */
  readonly name: string | null;
  /** Username in the record. */
  readonly username: string | null;
  readonly active: number | null;
  readonly hash: string;
  readonly secretHash: string | null;
  readonly payload: string | null;
  readonly problem: string | null;
  /** As 0 and 1, what the source says of the person. */
  readonly isSeen: number;
  readonly hasLeft: number;
  readonly isLeftOut: number;
  readonly hasSaidLeft: number;
  /** The same: whether something has to be looked up, which most records do not need. */
  readonly isListed: number;
  readonly isOwned: number;
  readonly isSpecial: number;
}

/** `own`: the folded username of the account that we know; `wanted`: that of the record. */
const page = (ids: string): string => `
  WITH page AS (${ids}),
  t AS (
    SELECT page.id, p.rowid AS person, p.username AS name, p.username_key AS own, d.username, d.username_key AS wanted,
      d.active, d.hash, d.secret_hash AS secretHash, d.payload, d.problem
    FROM page LEFT JOIN person p ON p.id = page.id LEFT JOIN staging.person d ON d.id = page.id
  )
  SELECT id, name, username, active, hash, secretHash, payload, problem,
    EXISTS (SELECT 1 FROM staging.seen s WHERE s.person = t.person) AS isSeen,
    ${isMarked('hasLeft', 't.id')} AS hasLeft, ${isMarked('leftOut', 't.id')} AS isLeftOut,
    EXISTS (SELECT 1 FROM memory m WHERE m.is_unit = 0 AND m.id = t.id AND m.said_left = 1) AS hasSaidLeft,
    EXISTS (SELECT 1 FROM employee WHERE ${HAS_KEY}) AS isListed,
    EXISTS (SELECT 1 FROM person o WHERE o.${HAS_KEY} AND o.id <> t.id)
      OR EXISTS (SELECT 1 FROM person o WHERE o.source_key IN (t.own, t.wanted) AND o.id <> t.id) AS isOwned,
    EXISTS (SELECT 1 FROM disabled_user WHERE ${HAS_KEY})
      OR EXISTS (SELECT 1 FROM ${marked('unclear')} u WHERE u.key IN (t.name, t.username)) AS isSpecial
  FROM t ORDER BY t.id`;

const PAGE = page(`SELECT key AS id FROM ${marked('todo')} WHERE key > :after ORDER BY key LIMIT :limit`);
const ONE = page('SELECT :id AS id');

/**
 * Returns the rows of a page of the todo list, or that of one record. Records that share an id are refused, and one of them
 * stands for all.
 */
export function rowsOf(db: Database, query: PageQuery | { readonly id: string }): readonly PersonRow[] {
  const all = db.sql<PageRow>('id' in query ? ONE : PAGE).all({ ...query });
  const isAny = hasForgotten(db);
  return Array.from(new Map(all.map((row) => [row.id, row])).values(), (row) => rowOf(db, row, isAny));
}

function rowOf(db: Database, row: PageRow, isAnyForgotten: boolean): PersonRow {
  const { id } = row;
  const entry = row.name === null ? null : entryOf(db, id);
  const record = recordOf(row);
  const inSource = row.username ?? (record === 'left' ? refusedName(db, id) : null);
  return {
    id,
    record,
    ...(record === null && row.isLeftOut === 1 && { isLeftOut: true }),
    inSource,
    entry,
    hasSaidLeft: entry !== null && inSource !== null && row.hasSaidLeft === 1,
    ...serviceSide(db, row, { entry, inSource }),
    owner: inSource !== null && mayBeOwned(row, isAnyForgotten) ? ownerOf(db, id, inSource) : null,
    claims: entry !== null && isElsewhere(entry, record, inSource) ? claimsOf(db, entry) : [],
  };
}

const mayBeOwned = ({ isOwned, hasLeft }: PageRow, isAnyForgotten: boolean): boolean =>
  isOwned === 1 || isAnyForgotten || hasLeft === 1;

/** Returns whether this read has the person under no username that they had before. */
const isElsewhere = (entry: PersonEntry, record: PersonRow['record'], inSource: string | null): boolean =>
  inSource === null ? record === null : !isNameOf(entry, inSource);

/** Returns what the service has under the username: of a person whose account is known, under the one that we know. */
function serviceSide(
  db: Database,
  row: PageRow,
  { entry, inSource }: Pick<PersonRow, 'entry' | 'inSource'>,
): Pick<PersonRow, 'employee' | 'unclear' | 'isUserDisabled'> {
  const ours = entry?.state === 'removed' ? null : entry;
  const username = ours?.username ?? inSource ?? entry?.username ?? '';
  const isSpecial = row.isSpecial === 1;
  const isListed = row.isListed === 1 || row.hasLeft === 1;
  const found = accountOf(db, { username, employeeId: employeeIdIn(ours) }, { isListed, isSpecial });
  return { ...found, isUserDisabled: isSpecial && found.employee === null && isUserDisabled(db, username) };
}

/** An account that is being created, or is in doubt, may have another id than the account before it. */
const employeeIdIn = (ours: PersonEntry | null): string | null =>
  ours === null || ours.state === 'creating' ? null : ours.employeeId;

/** Returns what the source says of a person. A record that cannot be used can still say "left". */
function recordOf(row: PageRow): PersonRow['record'] {
  if (row.hasLeft === 1) return 'left';
  const { id, username, hash, secretHash, payload, problem } = row;
  if (username === null || payload === null) return row.isSeen === 1 ? 'unchanged' : null;
  const active = asBoolean(row.active);
  return { id, username, active, hash, secretHash, problem, payload: JSON.parse(payload) as PersonPayload };
}

/** Returns the username of a record that cannot be used. */
function refusedName(db: Database, id: string): string | null {
  const named = `SELECT label FROM staging.refused WHERE id = ? AND subject = 'person' AND label IS NOT NULL`;
  return db.sql<{ readonly label: string }>(named).get(id)?.label ?? null;
}

/** The username that the source had counts only for who has no record in this read: a record says it itself. */
const OWNER = `
  SELECT id, isHere FROM (
    SELECT o.id, o.username_key, o.state, ${isHere('o')} AS isHere FROM person o
      WHERE o.id <> :id AND (o.username_key = :key OR o.source_key = :key))
  WHERE username_key = :key OR isHere <> 'yes'
  ORDER BY state = 'removed', username_key <> :key LIMIT 1`;

function ownerOf(db: Database, id: string, username: string): PersonRow['owner'] {
  const owner = db.sql<Pick<UsernameOwner, 'id' | 'isHere'>>(OWNER).get({ id, key: foldUsername(username) });
  if (owner !== undefined) return { ...owner, entry: entryOf(db, owner.id) };
  return isForgotten(db, username) ? { id: FORGOTTEN, entry: null, isHere: 'no' } : null;
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
  return db
    .sql<ClaimRow>(CLAIMS)
    .all({ id, ...keys })
    .map(({ usable, ...claim }) => {
      const entry = entryOf(db, claim.id);
      return { ...claim, isUsable: usable === 1, entry: entry?.state === 'removed' ? null : entry };
    });
}

interface ClaimRow extends Pick<UsernameClaim, 'id' | 'username' | 'name'> {
  readonly usable: number;
}

/** Returns the employees whose usernames differ from this one in case alone, or not at all. */
export function spellingsOf(db: Database, username: string): readonly EmployeeView[] {
  const named = db.sql<EmployeeRow>('SELECT * FROM employee WHERE username_key = ?');
  return named.all(foldUsername(username)).map(employeeOf);
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
  const why = isSpecial ? db.sql<{ readonly note: string }>(UNCLEAR).get(username) : undefined;
  if (why !== undefined) return { employee: null, unclear: why.note };
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
