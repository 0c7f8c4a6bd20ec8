import { accountNamed } from '../../domain/records/account-named.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { EmployeeView, PersonRow } from '../../domain/ports/ledger/person-row.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { StagedPerson } from '../../domain/ports/ledger/source-stage.ts';
import { flag, json, text, type Database, type Row } from '../database/database.ts';
import { claimsOf, leftAs, hasSaidLeft, ownersRecordOf } from './person-claims.ts';
import { entryOf, one } from './person-entry.ts';
import { NO_HINTS, stagedOf, type Hinted, type Hints } from './row-hints.ts';
import type { Shown } from '../../domain/ports/shown.ts';
import { marked } from '../database/marks.ts';

export function employeeOf(row: Row): EmployeeView {
  return {
    id: text(row, 'id'),
    username: text(row, 'username'),
    locked: flag(row, 'locked'),
    shown: json<Shown>(row, 'shown'),
  };
}

const EVERYTHING: Hinted = { hints: NO_HINTS, staged: null };

/** Returns one record of the todo list, joined: desired × ledger × service. */
export function rowOf(db: Database, id: string, hinted: Hinted = EVERYTHING): PersonRow {
  const { hints } = hinted;
  const entry = hints.known ? entryOf(db, id) : null;
  const staged = hinted.staged ?? (hints.staged ? recordOf(db, id) : null);
  const desired = desiredOf(db, { id, staged }, hints);
  const ours = entry?.state === 'removed' ? null : entry;
  const { username, employeeId } = ours ?? {
    username: sourceName(db, { id, staged, entry }),
    employeeId: null,
  };
  // An account that is being created, or is in doubt, may have another id than the account before it.
  const found = accountOf(
    db,
    { username, employeeId: ours?.state === 'creating' ? null : employeeId },
    hints,
  );
  const claims = claimsOf(db, { id, username: staged?.username ?? username, staged, ours }, hints);
  return {
    id,
    desired,
    ...scopeOf(db, { id, desired }),
    entry,
    ...found,
    ...unlistedOf(db, { id, entry, username, employee: found.employee }, hints),
    ...claims,
    ...ownership(db, { ours, staged, desired, claims }),
  };
}

/** Returns what the source says of a person. A record that cannot be used can still say "left". */
function desiredOf(
  db: Database,
  { id, staged }: Pick<NamedPerson, 'id' | 'staged'>,
  hints: Hints,
): PersonRow['desired'] {
  const hasLeft = `SELECT 1 FROM ${marked('hasLeft')} WHERE key = ?`;
  if (hints.hasLeft && db.sql(hasLeft).get(id) !== undefined) return 'left';
  return staged ?? unchangedOf(db, id);
}

function scopeOf(
  db: Database,
  { id, desired }: Pick<PersonRow, 'id' | 'desired'>,
): Pick<PersonRow, 'isLeftOut'> {
  if (desired !== null) return {};
  const row = db.sql(`SELECT 1 FROM ${marked('leftOut')} WHERE key = ?`).get(id);
  return row === undefined ? {} : { isLeftOut: true };
}

function recordOf(db: Database, id: string): StagedPerson | null {
  return one(db.sql('SELECT * FROM staging.person WHERE id = ?').get(id), stagedOf);
}

interface Recorded extends Pick<PersonRow, 'desired'> {
  readonly ours: PersonEntry | null;
  readonly staged: StagedPerson | null;
  readonly claims: Pick<PersonRow, 'usernameOwner' | 'ownerMissing'>;
}

/** Returns whose record this is, by what it says. */
function ownership(
  db: Database,
  { ours, staged, desired, claims }: Recorded,
): Pick<PersonRow, 'ownersRecord' | 'hasSaidLeft'> & Partial<Pick<PersonRow, 'usernameOwner'>> {
  if (desired === 'left') {
    const owner = leftAs(db, ours);
    return owner === null ? { ownersRecord: null } : { ownersRecord: 'left', usernameOwner: owner };
  }
  const { usernameOwner: owner, ownerMissing } = claims;
  const ownersRecord = ownersRecordOf(db, { ours, staged, owner, ownerMissing });
  return { ownersRecord, hasSaidLeft: ours !== null && staged !== null && hasSaidLeft(db, ours) };
}

interface ListedPerson extends Pick<PersonRow, 'id' | 'entry' | 'employee'> {
  readonly username: string;
}

/** Returns what the employees list does not tell. */
function unlistedOf(
  db: Database,
  { id, entry, username, employee }: ListedPerson,
  hints: Hints,
): Pick<PersonRow, 'renamed' | 'isUserDisabled' | 'isDisableUnshown'> {
  return {
    renamed: hints.renamed ? renamedOf(db, entry) : null,
    isUserDisabled: hints.userDisabled && employee === null && isUserDisabled(db, username),
    isDisableUnshown:
      hints.failed && entry?.state === 'managed' && db.sql(DISABLE_UNSHOWN).get(id) !== undefined,
  };
}

/** Whether the last call that was taken for a failing person is a disable that was not confirmed. */
const DISABLE_UNSHOWN = `
  SELECT 1 FROM failure f WHERE f.subject = 'person' AND f.id = ? AND 'employee.disable unconfirmed' = (
    SELECT c.operation || ' ' || i.outcome FROM call_item i JOIN call c USING (call)
    WHERE i.subject = 'person' AND i.id = f.id AND i.outcome NOT IN ('failed', 'doubt', 'reopened')
    ORDER BY i.call DESC LIMIT 1)`;

interface NamedPerson {
  readonly id: string;
  readonly staged: StagedPerson | null;
  readonly entry: PersonEntry | null;
}

/**
 * Returns the username of a person without a managed account: that of the record, else that of the removed
 * entry, else that of a record that cannot be used.
 */
function sourceName(db: Database, { id, staged, entry }: NamedPerson): string {
  return staged?.username ?? entry?.username ?? refusedName(db, id);
}

/** Returns the username of a record that cannot be used. */
function refusedName(db: Database, id: string): string {
  const named = `SELECT label FROM staging.refused WHERE id = ? AND subject = 'person' AND label IS NOT NULL`;
  return one(db.sql(named).get(id), (row) => text(row, 'label')) ?? '';
}

function unchangedOf(db: Database, id: string): 'unchanged' | null {
  const seen = db.sql('SELECT 1 FROM staging.seen s JOIN person p ON p.rowid = s.person WHERE p.id = ?');
  return seen.get(id) === undefined ? null : 'unchanged';
}

/** Returns the employees whose usernames differ from this one in case alone, or not at all. */
export function spellingsOf(db: Database, username: string): readonly EmployeeView[] {
  return db.sql('SELECT * FROM employee WHERE username_key = ?').all(foldUsername(username)).map(employeeOf);
}

const UNCLEAR = `SELECT note FROM ${marked('unclear')} WHERE key = ?`;

/** Returns the account with this username, or why it is unclear whose account it is. */
function accountOf(
  db: Database,
  { username, employeeId }: Pick<PersonEntry, 'username' | 'employeeId'>,
  hints: Hints,
): Pick<PersonRow, 'employee' | 'unclear'> {
  const why = hints.unclear ? db.sql(UNCLEAR).get(username) : undefined;
  if (why !== undefined) return { employee: null, unclear: text(why, 'note') };
  const { account, unclear } = accountNamed(username, hints.listed ? spellingsOf(db, username) : []);
  if (account === null) return { employee: null, unclear };
  if (account.username === username || employeeId === null || employeeId === account.id)
    return { employee: account, unclear: null };
  const other =
    `the account ${username} is gone, and ${account.username}, which differs in case alone, is another one: ` +
    'remove it in the service, or spell the username in the source otherwise';
  return { employee: null, unclear: other };
}

function isUserDisabled(db: Database, username: string): boolean {
  const disabled = db.sql('SELECT 1 FROM disabled_user WHERE username_key = ? LIMIT 1');
  return disabled.get(foldUsername(username)) !== undefined;
}

/**
 * Returns the new username of our account if it was renamed in the service. It may now be the username of
 * another person's account.
 */
function renamedOf(db: Database, entry: PersonEntry | null): PersonRow['renamed'] {
  const renamed = db.sql('SELECT username, locked FROM staging.renamed WHERE id = ?').get(entry?.id ?? null);
  return one(renamed, (row) => ({ username: text(row, 'username'), locked: flag(row, 'locked') }));
}
