import type { FieldChange, PersonChange } from '../../domain/changes.ts';
import type { PersonEntry, RecordState } from '../../domain/ports/ledger/entries.ts';
import type { PersonRow } from '../../domain/ports/ledger/person-row.ts';
import { FORGOTTEN, formerId } from '../../domain/records/account-named.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import { foldName, foldUsername } from '../../domain/text/fold.ts';
import { hasAccount, isMadeAnew, stagedOf } from './person-decision.ts';
import { changedFields } from '../values/compare.ts';

const OURS: ReadonlySet<RecordState | undefined> = new Set(['managed', 'disabled']);

/**
 * Returns the username that the source has instead of the account's, `null` where there is none. One that differs only
 * in case and blanks is the same.
 */
export function newUsernameOf(row: PersonRow, { usernameChange }: SyncSettings): string | null {
  const { entry } = row;
  const staged = stagedOf(row);
  if (usernameChange === 'keep' || staged === null || entry === null) return null;
  return foldName(staged.username) === foldName(entry.username) ? null : staged.username;
}

/**
 * Returns why the account under the new username cannot be made, or `null`. An import might unlock an account that
 * others have locked.
 */
function newAccountObstacle(row: PersonRow, sync: SyncSettings): string | null {
  const { entry, newAccount } = row;
  const username = newUsernameOf(row, sync);
  if (username === null || newAccount === null || !OURS.has(entry?.state)) return null;
  if (row.usernameOwner !== null) return null;
  const { employee, isUserDisabled, unclear } = newAccount;
  if (unclear !== null) return unclear;
  if (employee === null ? !isUserDisabled : !employee.locked) return null;
  return (
    `the username changes to ${username}, and an account of that name is there and disabled, ` +
    'by somebody else: enable it in the service, or remove it there'
  );
}

interface NewAccount {
  readonly entry: PersonEntry;
  readonly username: string;
  readonly payload: PersonPayload;
  /** What would become of the old account if the username were the same. */
  readonly kept: PersonChange | null;
}

/**
 * Returns the change that makes a new account. With its import, the old account gets a source id of its own, which is
 * missing in the source, and so leaves like everybody else. Until a person approves that, the old account is kept in
 * step, except that edits of others wait, a vanished account is not made anew, and a leaver's is not opened to another
 * person.
 */
export function replaceAccount(row: PersonRow, { entry, username, payload, kept }: NewAccount): PersonChange {
  const from = entry.username;
  const to = row.newAccount?.employee?.username ?? username;
  const found =
    row.newAccount?.employee === null ? 'a new account' : 'the account of that name, which is here already';
  const goesOn =
    kept !== null && kept.kind !== 'create' && kept.origin !== 'edited' && kept.guard !== 'usernameReuse';
  return {
    subject: 'person',
    kind: 'create',
    id: row.id,
    username: to,
    why: `username changes from ${from} to ${to}: ${found}, the old one leaves`,
    fields: [{ field: 'username', from, to }, ...overwritten(row, payload)],
    guard: 'usernameReuse',
    cause: null,
    payload,
    employeeId: null,
    ...(goesOn ? { meanwhile: { ...kept, partial: true } } : {}),
  };
}

/** Returns what the new account shows otherwise, where it is there already: approving the change writes over that. */
function overwritten({ newAccount }: PersonRow, payload: PersonPayload): readonly FieldChange[] {
  const shown = newAccount?.employee?.shown.fields;
  return shown === undefined ? [] : changedFields(shown, payload.fields);
}

const LEAVER = 'an account with this username exists in the domain and is disabled, by somebody else';
const FORMER =
  "was this person's before and stays that of the old account, which has left or is leaving: " +
  'give the person another one in the source';

const KEPT = 'was that of somebody who was forgotten, and is kept: give the person another one in the source';

/** Returns why an active person of the source cannot be brought into the service now, or `null`. */
export function obstacle(row: PersonRow, sync: SyncSettings): string | null {
  const staged = stagedOf(row);
  if (!hasAccount(row)) {
    const taken = takenUsername(row);
    if (taken !== null) return taken;
  }
  if (isSomebodysLeaver(row)) return `${LEAVER}: enable it in the service, or remove it there`;
  if (staged === null) return null;
  if (staged.active === null && staged.problem === null)
    return 'the rule for active could not be evaluated: what it reads is hidden from the reading account, or the record or the expression has to be corrected';
  return staged.problem ?? newAccountObstacle(row, sync);
}

/**
 * Returns why the username of the source cannot be the account's: it stays that of another source id (promise 4).
 * `null` where nobody else has it.
 */
export function takenUsername(row: PersonRow): string | null {
  const { id, usernameOwner, entry } = row;
  if (usernameOwner === null) return null;
  const username = stagedOf(row)?.username ?? entry?.username ?? '';
  if (isFormer(usernameOwner, id, username)) return `username ${username} ${FORMER}`;
  if (usernameOwner === FORGOTTEN) return `username ${username} ${KEPT}`;
  return `username ${username} belongs to source id ${usernameOwner}, which rollcall manages already: give one of the two another username in the source`;
}

/** Returns whether the username was this person's before. */
function isFormer(owner: string, id: string, username: string): boolean {
  return foldUsername(owner) === foldUsername(formerId(id, username));
}

/**
 * Returns whether the username belongs to somebody whom others have disabled. The employees list may leave out who is
 * locked: an import would go to that account, and might unlock it. An account that is gone under the id that we know
 * may be there under another id, as after a restore. Where rollcall disabled the user or removed the account, it may be
 * made anew.
 */
function isSomebodysLeaver({ entry, employee, isUserDisabled }: PersonRow): boolean {
  if (employee !== null || !isUserDisabled) return false;
  if (entry === null || entry.state === 'managed') return true;
  return entry.state !== 'removed' && entry.employeeId === null;
}

type Named = Pick<PersonPayload, 'fields'>;

/** Returns whether both have the same name, apart from case and blanks. A name that is not known is never the same. */
export function isSameName(a: Named, b: Named): boolean {
  const [one, other] = [a.fields['name'], b.fields['name']];
  return typeof one === 'string' && typeof other === 'string' && foldName(one) === foldName(other);
}

/** Marks a change of an account that others made for somebody of another name (promise 2). */
export function markOthersAccount(change: PersonChange, row: PersonRow): PersonChange {
  const { employee, entry } = row;
  if (employee === null || change.guard === 'usernameReuse') return change;
  const isOthers =
    entry === null || entry.state === 'removed' || (entry.state !== 'creating' && isMadeAnew(row));
  if (!isOthers || isSameName(change.payload, employee.shown)) return change;
  const name = employee.shown.fields['name'];
  const whose = typeof name === 'string' ? `has the name ${name}` : 'shows no name';
  return { ...change, why: `${change.why}; the account was made by others and ${whose}`, isOthers: true };
}
