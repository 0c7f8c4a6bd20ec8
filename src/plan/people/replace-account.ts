import type { FieldChange, PersonChange } from '../../domain/changes.ts';
import { foldName } from '../../domain/text/fold.ts';
import type { PersonEntry, RecordState } from '../../domain/ports/ledger/entries.ts';
import type { PersonRow } from '../../domain/ports/ledger/person-row.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import { changedFields } from '../values/compare.ts';
import { stagedOf } from './staged-of.ts';

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
export function newAccountObstacle(row: PersonRow, sync: SyncSettings): string | null {
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
