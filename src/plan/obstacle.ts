import type { PersonEntry, PersonRow, StagedPerson } from '../domain/ledger.ts';
import type { SyncSettings } from '../domain/settings.ts';
import { stagedOf } from './staged-of.ts';

/** Why an active person of the source cannot be brought into the service now, or `null`. */
export function obstacle(row: PersonRow, sync: SyncSettings): string | null {
  const staged = stagedOf(row);
  if (row.usernameOwner !== null) {
    const username = staged?.username ?? row.entry?.username ?? '';
    return `username ${username} belongs to source id ${row.usernameOwner}, which rollcall manages already`;
  }
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
