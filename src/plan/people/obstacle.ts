import { foldUsername } from '../../domain/text/fold.ts';
import { formerId } from '../../domain/records/former-account.ts';
import { FORGOTTEN } from '../../domain/records/former-account.ts';
import type { PersonRow } from '../../domain/ports/ledger/person-row.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import { newAccountObstacle } from './replace-account.ts';
import { hasAccount } from './person-decision.ts';
import { stagedOf } from './staged-of.ts';

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
