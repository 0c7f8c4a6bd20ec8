import { accountNamed } from '../domain/account-named.ts';
import { foldUsername } from '../domain/fold.ts';
import { underWayId } from '../domain/former-account.ts';
import type { EmployeeView, PersonEntry, PersonRow, RecordState, StagedPerson } from '../domain/ledger.ts';
import type { PersonPayload } from '../domain/payload.ts';
import type { Shown } from '../domain/shown.ts';
import { flag, json, jsonOrNull, number, numberOrNull, text, textOrNull } from './columns.ts';
import type { Database, Row } from './database.ts';

export function personEntryOf(row: Row): PersonEntry {
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
  };
}

export function employeeOf(row: Row): EmployeeView {
  return {
    id: text(row, 'id'),
    username: text(row, 'username'),
    locked: flag(row, 'locked'),
    shown: json<Shown>(row, 'shown'),
  };
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

export function one<T>(row: Row | undefined, decode: (row: Row) => T): T | null {
  return row === undefined ? null : decode(row);
}

/** `:left` 0: and does not say "left". */
const IN_THIS_READ = `
  SELECT 1 WHERE EXISTS (SELECT 1 FROM staging.seen s JOIN person p ON p.rowid = s.person WHERE p.id = :id)
    OR EXISTS (SELECT 1 FROM staging.person d WHERE d.id = :id AND (:left OR d.active IS NOT 0))
    OR EXISTS (SELECT 1 FROM staging.refused r WHERE r.id = :id AND r.subject = 'person'
               AND (:left OR NOT EXISTS (SELECT 1 FROM staging.has_left l WHERE l.id = r.id)))`;

/** One record of the todo list, joined: desired × ledger × service. */
export function rowOf(db: Database, id: string): PersonRow {
  const entry = entryOf(db, id);
  const staged = one(db.sql('SELECT * FROM staging.person WHERE id = ?').get(id), stagedOf);
  const desired = db.sql(HAS_LEFT).get(id) === undefined ? (staged ?? unchangedOf(db, id)) : 'left';
  const ours = entry?.state === 'removed' ? null : entry;
  const { username, employeeId } = ours ?? { ...nobody, username: sourceName(db, { id, staged, entry }) };
  // What is being created, or is in doubt, may have another id than the account of before.
  const found = accountOf(db, username, ours?.state === 'creating' ? null : employeeId);
  const wanted = staged?.username ?? username;
  const claims = claimsOf(db, {
    id,
    username: wanted,
    left: staged?.active === false,
    name: nameOf(ours?.sent),
  });
  return {
    id,
    desired,
    entry,
    ...found,
    ...unlistedOf(db, { id, entry, username, employee: found.employee }),
    newAccount: newAccountOf(db, username, wanted),
    ...claims,
    isOwnersRecord: isOwnersRecord(db, { ours, staged, owner: claims.usernameOwner }),
  };
}

interface Recorded {
  readonly ours: PersonEntry | null;
  readonly staged: StagedPerson | null;
  readonly owner: string | null;
}

function isOwnersRecord(db: Database, { ours, staged, owner }: Recorded): boolean {
  if (ours === null || staged === null || owner === null) return false;
  if (foldUsername(ours.username) === foldUsername(staged.username)) return false;
  const name = nameOf(staged.payload);
  return name !== null && name !== nameOf(ours.sent) && name === nameOf(entryOf(db, owner)?.sent);
}

function nameOf(payload: PersonPayload | undefined): string | null {
  const name = payload?.fields['name'];
  return typeof name === 'string' ? name : null;
}

function entryOf(db: Database, id: string): PersonEntry | null {
  return one(db.sql('SELECT * FROM person WHERE id = ?').get(id), personEntryOf);
}

interface Listed extends Pick<PersonRow, 'id' | 'entry' | 'employee'> {
  readonly username: string;
}

/** What the employees list does not tell. */
function unlistedOf(
  db: Database,
  { id, entry, username, employee }: Listed,
): Pick<PersonRow, 'renamed' | 'isUserDisabled' | 'isDisableUnshown'> {
  return {
    renamed: renamedOf(db, entry),
    isUserDisabled: employee === null && isUserDisabled(db, username),
    isDisableUnshown: entry?.state === 'managed' && db.sql(DISABLE_UNSHOWN).get(id) !== undefined,
  };
}

/** Of a person who is listed as failing: the last call that was taken. */
const DISABLE_UNSHOWN = `
  SELECT 1 FROM failure f WHERE f.subject = 'person' AND f.id = ? AND 'employee.disable unconfirmed' = (
    SELECT c.operation || ' ' || i.outcome FROM call_item i JOIN call c USING (call)
    WHERE i.subject = 'person' AND i.id = f.id AND i.outcome NOT IN ('failed', 'doubt', 'reopened')
    ORDER BY i.call DESC LIMIT 1)`;

interface Named {
  readonly id: string;
  readonly staged: StagedPerson | null;
  readonly entry: PersonEntry | null;
}

/** Of whom nothing is ours. */
function sourceName(db: Database, { id, staged, entry }: Named): string {
  return staged?.username ?? entry?.username ?? refusedName(db, id);
}

/** Of a record that cannot be used. */
function refusedName(db: Database, id: string): string {
  const named = `SELECT label FROM staging.refused WHERE id = ? AND subject = 'person' AND label IS NOT NULL`;
  return one(db.sql(named).get(id), (row) => text(row, 'label')) ?? '';
}

const HAS_LEFT = 'SELECT 1 FROM staging.has_left WHERE id = ?';

function unchangedOf(db: Database, id: string): 'unchanged' | null {
  const seen = db.sql('SELECT 1 FROM staging.seen s JOIN person p ON p.rowid = s.person WHERE p.id = ?');
  return seen.get(id) === undefined ? null : 'unchanged';
}

/** Employees whose usernames are equal to this one without case. */
export function spellingsOf(db: Database, username: string): readonly EmployeeView[] {
  return db.sql('SELECT * FROM employee WHERE username_key = ?').all(foldUsername(username)).map(employeeOf);
}

/** What is known of a username, and of the account of ours that has it. */
function accountOf(
  db: Database,
  username: string,
  employeeId: string | null,
): Pick<PersonRow, 'employee' | 'unclear'> {
  const why = db.sql('SELECT reason FROM staging.unclear WHERE username = ?').get(username);
  if (why !== undefined) return { employee: null, unclear: text(why, 'reason') };
  const { account, unclear } = accountNamed(username, spellingsOf(db, username));
  if (account === null) return { employee: null, unclear };
  if (account.username === username || employeeId === null || employeeId === account.id)
    return { employee: account, unclear: null };
  const other =
    `the account ${username} is gone, and ${account.username}, which differs in case alone, is another one: ` +
    'remove it in the service, or spell the username in the source otherwise';
  return { employee: null, unclear: other };
}

/** Of the username that the source has now, where it is another one. */
function newAccountOf(db: Database, username: string, wanted: string): PersonRow['newAccount'] {
  if (foldUsername(wanted) === foldUsername(username)) return null;
  return { ...accountOf(db, wanted, null), isUserDisabled: isUserDisabled(db, wanted) };
}

function isUserDisabled(db: Database, username: string): boolean {
  const disabled = db.sql('SELECT 1 FROM disabled_user WHERE username_key = ? LIMIT 1');
  return disabled.get(foldUsername(username)) !== undefined;
}

const nobody = { username: '', employeeId: null } as const;

/** Our account under another username, which may be that of somebody else's account by now. */
function renamedOf(db: Database, entry: PersonEntry | null): PersonRow['renamed'] {
  const renamed = db.sql('SELECT username, locked FROM staging.renamed WHERE id = ?').get(entry?.id ?? null);
  return one(renamed, (row) => ({ username: text(row, 'username'), locked: flag(row, 'locked') }));
}

interface Claimed {
  readonly id: string;
  readonly username: string;
  readonly left: boolean;
  /** As it was sent last. */
  readonly name: string | null;
}

/** Who else has this username: in the ledger, and in this read of the source. Not the person's new account in doubt. */
function claimsOf(
  db: Database,
  { id, username, left, name }: Claimed,
): Pick<PersonRow, 'usernameOwner' | 'ownerMissing' | 'owner'> & Claim {
  const key = foldUsername(username);
  const owners = `SELECT id FROM person WHERE username_key = :key AND id <> :id
      AND NOT (state = 'creating' AND id = :underWay)
    UNION ALL SELECT id FROM staging.renamed WHERE username_key = :key AND id <> :id`;
  const underWay = underWayId(id, username);
  const owner = one(db.sql(owners).get({ key, id, underWay }), (row) => text(row, 'id'));
  const ownerMissing =
    owner !== null && db.sql(IN_THIS_READ).get({ id: owner, left: Number(left) }) === undefined;
  const entry = ownerMissing ? entryOf(db, owner) : null;
  return { usernameOwner: owner, ownerMissing, owner: entry, ...claimOf(db, { id, username, name }) };
}

type Claim = Pick<PersonRow, 'claimedBy' | 'claimIsBad' | 'claimHasLeft'>;

/** Records of this read with a username, sound or not. */
const CLAIMS = `
  SELECT c.id, c.active, c.bad, c.name, p.state, json_extract(p.sent, '$.fields.name') AS known FROM (
    SELECT id, active, EXISTS (SELECT 1 FROM staging.refused r WHERE r.id = d.id AND r.subject <> 'unit') AS bad,
      json_extract(payload, '$.fields.name') AS name
      FROM staging.person d WHERE username_key = :key
    UNION ALL SELECT id, active, 1, NULL FROM staging.refused
      WHERE username_key = :key AND subject = 'person' AND id IS NOT NULL
  ) c LEFT JOIN person p ON p.id = c.id WHERE c.id <> :id`;

function claimOf(db: Database, claimed: Omit<Claimed, 'left'>): Claim {
  const { id, username } = claimed;
  const claims = db.sql(CLAIMS).all({ key: foldUsername(username), id });
  const claim = claims.find((row) => mayBeSame(row, claimed));
  return claim === undefined
    ? { claimedBy: null, claimIsBad: false, claimHasLeft: false }
    : {
        claimedBy: text(claim, 'id'),
        claimIsBad: flag(claim, 'bad') || isKnown(claim),
        claimHasLeft: claim['active'] === 0,
      };
}

function isKnown(claim: Row): boolean {
  const state = textOrNull(claim, 'state');
  return state !== null && state !== 'removed';
}

/**
 * Who has an account that we know is somebody else, whatever login HR gave them, but where the record has our name as well
 * and had another one: then the source has given that id again. A person's own new account in doubt is theirs; who is
 * inactive claims none, so that it leaves like everybody who is missing.
 */
function mayBeSame(claim: Row, { id, username, name }: Omit<Claimed, 'left'>): boolean {
  if (underWayId(text(claim, 'id'), username) === id) return claim['active'] !== 0;
  if (!isKnown(claim)) return true;
  return name !== null && claim['name'] === name && claim['known'] !== name;
}
