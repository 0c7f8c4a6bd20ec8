import { printable } from '../../domain/text/printable.ts';
import type { FieldChange } from '../../domain/changes.ts';
import { ACTIVE } from '../../domain/ports/history.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { PersonRow, RenamedAccount } from '../../domain/ports/ledger/person-row.ts';
import type { StagedPerson } from '../../domain/ports/ledger/source-stage.ts';
import { hasLeft, inactive, missesOf, missing } from './leavers.ts';
import { FORGOTTEN } from '../../domain/records/account-named.ts';
import {
  change,
  hasAccount,
  NONE,
  stagedOf,
  type PersonDecision,
  type PersonRules,
} from './person-decision.ts';
import { withoutMove } from './protect-places.ts';
import { changesOf, decideKnown, join, payloadOf } from './stayers.ts';

export type { PersonDecision, PersonRules } from './person-decision.ts';

/**
 * Returns one person's change. Pure; every combination has its line:
 *
 * | source    | ledger            | service: as we left it | edited    | locked             | gone          |
 * |-----------|-------------------|------------------------|-----------|--------------------|---------------|
 * | active    | unknown, removed  | adopt                  | adopt     | blocked            | create        |
 * | active    | creating          | adopt                  | adopt     | adopt              | create        |
 * | active    | managed           | update / close         | update / drift | blocked       | create (gone) |
 * | active    | disabled          | update                 | update    | enable             | create (gone) |
 * | inactive  | unknown, removed  | disable                | disable   | none               | none          |
 * | inactive  | managed, creating | disable                | disable   | close              | forget        |
 * | inactive  | disabled          | disable / drift        | disable / drift | close        | forget        |
 * | missing   | managed, creating | miss, then disable or remove (also edited) | miss       | forget        |
 * | missing   | disabled          | disable / drift        | disable / drift | none, or remove when its days are over | forget |
 * | unknown   | any               | blocked                | blocked   | blocked            | blocked       |
 * | it is unclear which account is this person's, or whether it is there: blocked |
 * | active, managed, and our disable was taken by the service and never shown: enable |
 * | the record says "left" and cannot be used otherwise: as inactive |
 * | the record has the username of another person whom we know, and another name than before: blocked, also where it
 *   says "left"; a missing person who is in such a record stays |
 * | inactive, and an unknown or removed source id works under the username now: none until that is settled |
 * | our account has another username in the service: blocked; none where we have locked it and the person is leaving |
 * | no employee is listed, but a disabled user of the domain whom we have not disabled or removed: blocked, except for
 *   the inactive |
 * | the username of another source id: held or blocked, none where inactive, if the ledger has this person as unknown
 *   or removed; a person who has an account goes on under that account's username |
 * | protected, active, and in other units in the source: as in the table, but in the units where they are, and listed;
 *   blocked where others have moved them |
 * | missing, and an unknown or removed source id has the username now: none, or blocked where that record is bad |
 * | ours and disabled, or to be enabled, and the record has another username and another name: held; blocked if the
 *   account is gone |
 *
 * "forget" counts as gone, except for what was in doubt. An account that shows up again is what it was before.
 * "as we left it" means locked for a disabled person, but the first column is about accounts that somebody has enabled.
 */
export function decidePerson(row: PersonRow, rules: PersonRules): PersonDecision {
  const { entry } = row;
  if (row.unclear !== null) return { is: 'blocked', reason: row.unclear };
  if (entry !== null && row.renamed !== null)
    return renamedElsewhere(row, { entry, renamed: row.renamed }, rules);
  if (isGivenAgain(row)) return { is: 'blocked', reason: givenAgain(row) };
  if (row.desired === 'left') return hasLeft(row, rules);
  if (row.desired !== null) return present(row, rules);
  return entry === null ? NONE : missing(row, entry, rules);
}

/** Decides about a person who is in the source. */
function present(row: PersonRow, rules: PersonRules): PersonDecision {
  const { entry } = row;
  const staged = stagedOf(row);
  if (isRekey(row)) return isForgottenLeaver(row) ? NONE : rekey(row, rules);
  if (staged?.active === false)
    return isAnothers(row) ? NONE : inactive(row, entry?.sent ?? staged.payload, rules);
  const reason = obstacle(row);
  if (reason !== null) return { is: 'blocked', reason };
  return withoutMove(row, rules, (placed) =>
    entry === null ? join(placed, rules) : decideKnown(placed, entry, rules),
  );
}

const LEAVER = 'an account with this username exists in the domain and is disabled, by somebody else';
const KEPT = 'was that of somebody before, and is kept: give the person another one in the source';

/** Returns why an active person of the source cannot be brought into the service now, or `null`. */
function obstacle(row: PersonRow): string | null {
  const staged = stagedOf(row);
  if (!hasAccount(row)) {
    const taken = takenUsername(row);
    if (taken !== null) return taken;
  }
  if (isSomebodysLeaver(row)) return `${LEAVER}: enable it in the service, or remove it there`;
  if (staged === null) return null;
  if (staged.active === null && staged.problem === null)
    return 'the rule for active could not be evaluated: let the reading account read its values, or correct the record or the expression';
  return staged.problem;
}

/**
 * Returns why the username in the source cannot become the account's: it stays with another source id
 * (promise 4). `null`: no other source id has it.
 */
function takenUsername(row: PersonRow): string | null {
  const { usernameOwner, entry } = row;
  if (usernameOwner === null) return null;
  const username = stagedOf(row)?.username ?? entry?.username ?? '';
  if (usernameOwner === FORGOTTEN) return `username ${username} ${KEPT}`;
  return `the account ${printable(username)} is that of ${holderText(row)}: give the new person another username in the source`;
}

/** Returns the owner of the username, by name; by source id if no name is known. */
function holderText({ usernameOwner, holder }: PersonRow): string {
  const { name = null, inSource = null } = holder ?? {};
  const who = name === null ? `source id ${usernameOwner ?? ''}` : printable(name);
  return inSource === null ? who : `${who} (${printable(inSource)} in the source)`;
}

/**
 * Returns whether the username belongs to a person that others have disabled. The employees list may leave
 * out locked accounts. An import would go to that account, and might unlock it. An account that is gone under
 * its known id may exist under another id, e.g. after a restore. If rollcall disabled the user or removed the
 * account, it may be made anew.
 */
function isSomebodysLeaver({ entry, employee, isUserDisabled }: PersonRow): boolean {
  if (employee !== null || !isUserDisabled) return false;
  if (entry === null || entry.state === 'managed') return true;
  return entry.state !== 'removed' && entry.employeeId === null;
}

const isGivenAgain = ({ ownersRecord = null }: PersonRow): boolean => ownersRecord !== null;

/**
 * Returns why a record with another person's data is blocked: sent to this account, it would turn two people into one.
 */
function givenAgain(row: PersonRow): string {
  const owner = holderText(row);
  if (row.ownersRecord === 'left')
    return `its record cannot be used, says that the person has left, and has the username of ${owner}: correct it; until then no account is disabled`;
  const username = `its record has the username ${stagedOf(row)?.username ?? ''}`;
  const again = 'the source has given ids again: give them back, or map an id that stays';
  if (row.ownersRecord === 'name') return `${username} and the name of ${owner}: ${again}`;
  return `${username} of ${owner}, and another name than before: ${again}; if it is the same person, change one of the two first`;
}

interface Renamed {
  readonly entry: PersonEntry;
  readonly renamed: RenamedAccount;
}

/**
 * Decides about an account that has another username in the service. It is not gone, and must not be made twice.
 * Nothing is done for a leaver whose account we have disabled and that is locked.
 */
function renamedElsewhere(row: PersonRow, { entry, renamed }: Renamed, rules: PersonRules): PersonDecision {
  const isMissing = row.desired === null;
  const isLeaving = isMissing || row.desired === 'left' || stagedOf(row)?.active === false;
  if (isLeaving && entry.state === 'disabled' && renamed.locked) return NONE;
  const reason = `the account's username was changed in the service to ${renamed.username}: change it back there`;
  const counts = isMissing && !renamed.locked;
  return counts ? { is: 'blocked', reason, misses: missesOf(entry, rules) } : { is: 'blocked', reason };
}

/** Returns whether the username belongs to another person, and this one has no account. */
function isAnothers(row: PersonRow): boolean {
  return row.usernameOwner !== null && !hasAccount(row);
}

/**
 * Returns whether a username of ours comes with another source id, while its own id is gone or has left: perhaps the
 * same person.
 */
function isRekey(row: PersonRow): boolean {
  return isAnothers(row) && row.ownerMissing;
}

/** Returns the name as a change from nothing: that of the other one is forgotten. */
function nameOf({ fields: { name = null } }: PersonPayload): readonly FieldChange[] {
  return [{ field: 'name', from: null, to: name }];
}

/**
 * Returns whether the source has a forgotten person as inactive, and the account is not active: there is
 * nothing to decide.
 */
function isForgottenLeaver(row: PersonRow): boolean {
  const isInside = row.employee !== null && !row.employee.locked;
  return row.usernameOwner === FORGOTTEN && stagedOf(row)?.active === false && !isInside;
}

/** Returns that approving the rekey also enables or disables the account; empty: neither. */
function switchOf({ active }: StagedPerson, owner: PersonEntry | null): readonly FieldChange[] {
  if (active === true && owner?.state === 'disabled') return [{ field: ACTIVE, from: false, to: true }];
  return active === false && owner?.state !== 'disabled' ? [{ field: ACTIVE, from: true, to: false }] : [];
}

const sameAs = (row: PersonRow): string =>
  row.usernameOwner === FORGOTTEN
    ? 'somebody who had it before'
    : `${holderText(row)}, who is missing or has left`;

/** Says what approving does to the account: rollcall enables none that it has forgotten. */
function thenText(row: PersonRow, switched: readonly FieldChange[]): string {
  const isLocked = row.employee?.locked === true || row.isUserDisabled;
  if (row.usernameOwner === FORGOTTEN && isLocked)
    return ' The account stays locked: unlock it in the service';
  if (row.employee === null && (row.usernameOwner === FORGOTTEN || row.owner?.state === 'removed'))
    return ' A new account would be made';
  return switched.map(({ to }) => ` The account would be ${to === true ? 'enabled' : 'disabled'}`).join('');
}

/**
 * Holds the record until a person says that it is the same one (promise 4). Then the ledger's id changes, and the
 * record is compared anew. What will follow from that is shown, and is part of what is approved.
 */
function rekey(row: PersonRow, rules: PersonRules): PersonDecision {
  const staged = stagedOf(row);
  if (staged === null) return NONE;
  const { owner = null } = row;
  const payload = owner === null ? staged.payload : payloadOf(row, owner);
  const follows = owner === null || staged.active === false ? [] : changesOf(row, owner, rules);
  const nameless = row.usernameOwner === FORGOTTEN ? nameOf(payload) : [];
  const switched = switchOf(staged, owner);
  const fields = [{ field: 'id', from: row.usernameOwner, to: row.id }, ...switched, ...nameless, ...follows];
  const why = `the same username as ${sameAs(row)}: the same person?${thenText(row, switched)}`;
  const before = owner?.sent.positions ?? [];
  return change('adopt', { row, payload, why, guard: 'usernameReuse', fields, before });
}
