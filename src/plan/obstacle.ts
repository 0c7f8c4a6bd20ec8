import type { PersonEntry, PersonRow, StagedPerson } from '../domain/ledger.ts';
import type { SyncSettings } from '../domain/settings.ts';
import { stagedOf } from './staged-of.ts';

const LEAVER = 'an account with this username exists in the domain and is disabled, by somebody else';

/** Why an active person of the source cannot be brought into the service now, or `null`. */
export function obstacle(row: PersonRow, sync: SyncSettings): string | null {
  const staged = stagedOf(row);
  if (row.usernameOwner !== null) {
    const username = staged?.username ?? row.entry?.username ?? '';
    return `username ${username} belongs to source id ${row.usernameOwner}, which rollcall manages already`;
  }
  if (isSomebodysLeaver(row)) return `${LEAVER}: enable it in the service, or remove it there`;
  if (staged === null) return null;
  if (staged.active === null)
    return 'the rule for active could not be evaluated: correct the record or the expression';
  return staged.problem ?? newUsername(row.entry, staged, sync);
}

function newUsername(entry: PersonEntry | null, staged: StagedPerson, sync: SyncSettings): string | null {
  if (entry === null || entry.state === 'removed' || entry.username === staged.username) return null;
  if (sync.usernameChange === 'keep') return null;
  return `username changes from ${entry.username} to ${staged.username}: replacing accounts is not supported yet`;
}

/**
 * The employees list may leave out who is locked: an import would go to that account, and might unlock it. One whose
 * employee id we know was asked for by it, and where rollcall removed it, it may be made anew.
 */
function isSomebodysLeaver({ entry, employee, isUserDisabled }: PersonRow): boolean {
  if (employee !== null || !isUserDisabled) return false;
  return entry === null || (entry.state !== 'removed' && entry.employeeId === null);
}
