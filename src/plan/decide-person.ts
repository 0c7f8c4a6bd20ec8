import { EDITED, type FieldChange, type PersonChange, type PersonChangeKind } from '../domain/changes.ts';
import type { PersonEntry, PersonRow, RenamedAccount, StagedPerson } from '../domain/ledger.ts';
import type { PersonPayload } from '../domain/payload.ts';
import type { Guard, SyncSettings } from '../domain/settings.ts';
import type { Shown } from '../domain/shown.ts';
import { changedFields, changedPositions, changedShown, differsFrom, expectedOf } from './compare.ts';
import { obstacle } from './obstacle.ts';
import { nodeNames } from './node-names.ts';
import { newUsernameOf, replaceAccount } from './replace-account.ts';
import { withPrimary } from './positions.ts';
import { stagedOf } from './staged-of.ts';

/**
 * What becomes of one person. `forget`: was ours, is neither in the source nor in the service.
 * `close`: nothing to do; what is shown now is taken as ours.
 */
export type PersonDecision =
  | { readonly is: 'change'; readonly change: PersonChange }
  | { readonly is: 'blocked'; readonly reason: string }
  | { readonly is: 'drift'; readonly fields: readonly FieldChange[] }
  | { readonly is: 'miss'; readonly misses: number }
  | { readonly is: 'close'; readonly accepted: Shown | null }
  | { readonly is: 'forget' }
  | { readonly is: 'none' };

export interface PersonRules {
  readonly sync: SyncSettings;
  /** ms, our clock. */
  readonly now: number;
  /** Everybody who is missing may be counted: no record of the read hides who it is. */
  readonly countMisses: boolean;
  readonly orgIdOf: (unit: string | null) => string | undefined;
  /** The unit of a node, `null` for the service's root; without it the nodes of the person's own units are known. */
  readonly unitOf?: (orgId: string) => string | null | undefined;
  /** Units that this plan moves, each with the topmost that it follows, or itself. */
  readonly moving: ReadonlyMap<string, string>;
  /** Organization ids of nodes that moved units have left. */
  readonly oldNodes: ReadonlySet<string>;
  readonly isProtected: (username: string) => boolean;
}

const NONE: PersonDecision = { is: 'none' };
const FORGET: PersonDecision = { is: 'forget' };
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface ChangeParts {
  readonly row: PersonRow;
  readonly payload: PersonPayload;
  readonly why: string;
  readonly guard: Guard | null;
  readonly fields?: readonly FieldChange[];
  /** Source id of the moved unit that it follows. */
  readonly cause?: string | null;
}

/** The account's username; who was removed comes back under the one that the source has now. */
function usernameOf({ entry, desired }: PersonRow): string {
  if (entry !== null && entry.state !== 'removed') return entry.username;
  return (desired === 'unchanged' ? null : desired?.username) ?? entry?.username ?? '';
}

/** The account that we know: another one that has its username by now is somebody else's. */
function ownEmployeeId({ entry }: PersonRow): string | null {
  return entry === null || entry.state === 'removed' ? null : entry.employeeId;
}

function change(
  kind: PersonChangeKind,
  { row, payload, why, guard, cause = null, fields = [] }: ChangeParts,
): PersonDecision {
  const username = usernameOf(row);
  const employeeId = ownEmployeeId(row) ?? row.employee?.id ?? null;
  return {
    is: 'change',
    change: { subject: 'person', kind, id: row.id, username, why, fields, guard, cause, payload, employeeId },
  };
}

/** Leaves, unless protected. */
function leave(
  kind: 'disable' | 'remove',
  parts: Omit<ChangeParts, 'guard'>,
  rules: PersonRules,
): PersonDecision {
  const decision = change(kind, { ...parts, guard: 'leavers' });
  if (decision.is === 'change' && rules.isProtected(decision.change.username)) {
    return { is: 'blocked', reason: `protected by sync.protect: would ${kind} (${parts.why})` };
  }
  return decision;
}

/** Not in a complete read: counted, then the leavers' action. */
function missing(row: PersonRow, entry: PersonEntry, rules: PersonRules): PersonDecision {
  if (entry.state === 'removed' || row.claimedBy !== null) return NONE;
  if (row.employee === null) return FORGET;
  if (!rules.countMisses) return NONE;
  if (entry.state === 'disabled') return longDisabled(row, entry, rules);
  return row.employee.locked ? NONE : missedOnceMore(row, entry, rules);
}

/** Missing after our own disable: removed when its days are over. */
function longDisabled(row: PersonRow, entry: PersonEntry, rules: PersonRules): PersonDecision {
  const days = rules.sync.leavers.removeAfterDays;
  if (days === null || entry.disabledAt === null || rules.now < entry.disabledAt + days * DAY_MS) return NONE;
  const why = `missing in the source and disabled for ${days} days`;
  return leave('remove', { row, payload: entry.sent, why }, rules);
}

/** A miss counts at most once in so many minutes: a daemon that is started often proves nothing more. */
function missedOnceMore(row: PersonRow, entry: PersonEntry, rules: PersonRules): PersonDecision {
  const { leavers } = rules.sync;
  const tooSoon =
    entry.missedAt !== null && rules.now < entry.missedAt + leavers.missEveryMinutes * MINUTE_MS;
  const misses = tooSoon ? entry.misses : entry.misses + 1;
  if (misses < leavers.misses) return tooSoon ? NONE : { is: 'miss', misses };
  const why = `missing in the source (${misses} complete ${misses === 1 ? 'read' : 'reads'})`;
  return leave(leavers.action, { row, payload: entry.sent, why }, rules);
}

/** Inactive in the source: disabled at once, never removed; not created either. */
function inactive(row: PersonRow, payload: PersonPayload, rules: PersonRules): PersonDecision {
  const { entry, employee } = row;
  if (employee === null) return entry === null || entry.state === 'removed' ? NONE : FORGET;
  if (employee.locked) return entry === null ? NONE : { is: 'close', accepted: null };
  if (entry?.state === 'disabled' && rules.sync.drift === 'report') {
    return { is: 'drift', fields: [{ field: 'locked', from: false, to: true }] };
  }
  const why =
    entry?.state === 'disabled' ? 'enabled in the service, inactive in the source' : 'inactive in the source';
  return leave('disable', { row, payload, why }, rules);
}

/** Not ours yet, or no longer: created, or adopted where the employees list has the username. */
function join(row: PersonRow, rules: PersonRules): PersonDecision {
  const staged = stagedOf(row);
  if (staged === null) return NONE;
  const payload = { ...staged.payload, positions: withPrimary(staged.payload.positions, []) };
  if (row.employee === null) {
    const why = row.entry?.state === 'removed' ? 'back in the source' : 'new in the source';
    return change('create', { row, payload, why, guard: 'joiners' });
  }
  if (row.employee.locked && row.entry?.state !== 'creating') {
    return lockedByOthers({ row, payload, rules, why: 'locked when it was found in the service' });
  }
  const expected = expectedOf(payload, rules.orgIdOf);
  const fields = differsFrom(expected, row.employee.shown, payload, nodeNames(rules, [payload]));
  const why =
    row.entry?.state === 'creating' ? 'creation was in doubt' : 'already an employee in the service';
  return change('adopt', { row, payload, why, guard: null, fields });
}

interface LockedCase {
  readonly row: PersonRow;
  readonly payload: PersonPayload;
  readonly rules: PersonRules;
  readonly why: string;
}

function lockedByOthers({ row, payload, rules, why }: LockedCase): PersonDecision {
  if (rules.sync.lockedElsewhere === 'reinstate') return change('enable', { row, payload, why, guard: null });
  const reason =
    'locked in the service by somebody else: unlock it there, or set sync.lockedElsewhere: reinstate';
  return { is: 'blocked', reason };
}

/** Edits of others: shown values that were as accepted and no longer are. */
function driftOf(row: PersonRow, entry: PersonEntry, rules: PersonRules): readonly FieldChange[] {
  if (row.employee === null || entry.accepted === null) return [];
  const payload = payloadOf(row, entry);
  return changedShown(entry.accepted, row.employee.shown, payload, nodeNames(rules, [payload, entry.sent]));
}

/** Ours and active: where it is, whether it is locked, then what differs. */
function keepInStep(row: PersonRow, entry: PersonEntry, rules: PersonRules): PersonDecision {
  const payload = payloadOf(row, entry);
  const { employee } = row;
  if (employee === null && entry.accepted !== null) {
    return change('create', { row, payload, why: 'vanished from the service', guard: 'gone' });
  }
  if (employee?.locked === true)
    return lockedByOthers({ row, payload, rules, why: 'locked by somebody else' });
  const fields = wantedChanges(row, entry, payload);
  if (fields.length > 0)
    return change('update', { row, payload, why: 'changed in the source', guard: 'updates', fields });
  return follow(row, payload, rules) ?? repair(row, entry, rules);
}

/** Of whom nothing has changed but where their unit stands: was moved before, or is in this plan. */
function follow(row: PersonRow, payload: PersonPayload, rules: PersonRules): PersonDecision | null {
  const places = row.employee?.shown.positions ?? [];
  if (places.some(({ orgId }) => rules.oldNodes.has(orgId)))
    return change('update', { row, payload, why: "not at its unit's node", guard: null });
  for (const { unit } of payload.positions) {
    const cause = unit === null ? undefined : rules.moving.get(unit);
    if (cause !== undefined)
      return change('update', { row, payload, why: `unit ${unit} moves`, guard: null, cause });
  }
  return null;
}

/** As the source wants it: what is left are edits of others, and writes that were not read back. */
function repair(row: PersonRow, entry: PersonEntry, rules: PersonRules): PersonDecision {
  const payload = payloadOf(row, entry);
  const fields = driftOf(row, entry, rules);
  if (fields.length > 0 && rules.sync.drift === 'report') return { is: 'drift', fields };
  if (fields.length > 0) return change('update', { row, payload, why: EDITED, guard: 'updates', fields });
  if (entry.accepted === null)
    return change('update', { row, payload, why: 'last write in doubt', guard: null });
  return { is: 'close', accepted: row.employee?.shown ?? null };
}

/** What the source wants otherwise than it was sent. */
function wantedChanges(row: PersonRow, entry: PersonEntry, payload: PersonPayload): readonly FieldChange[] {
  return [
    ...changedFields(entry.sent.fields, payload.fields),
    ...changedPositions(entry.sent.positions, payload.positions),
    ...secretChange(entry, stagedOf(row)),
  ];
}

function secretChange(entry: PersonEntry, staged: StagedPerson | null): readonly FieldChange[] {
  const changed = staged !== null && staged.secretHash !== entry.secretHash;
  return changed ? [{ field: 'secrets', from: '[secret]', to: '[secret]' }] : [];
}

function payloadOf(row: PersonRow, entry: PersonEntry): PersonPayload {
  const staged = stagedOf(row);
  if (staged === null) return entry.sent;
  const { fields, positions } = staged.payload;
  return { fields, positions: withPrimary(positions, entry.sent.positions) };
}

/** Back in the source, or active again: enabled and fully imported, whatever its hash says. */
function rehire(row: PersonRow, entry: PersonEntry): PersonDecision {
  const payload = payloadOf(row, entry);
  if (row.employee === null)
    return change('create', { row, payload, why: 'vanished from the service', guard: 'gone' });
  const kind = row.employee.locked ? 'enable' : 'update';
  const why = row.employee.locked
    ? 'active in the source again'
    : 'enabled in the service, active in the source';
  const fields = wantedChanges(row, entry, payload);
  return change(kind, { row, payload, why, guard: kind === 'update' ? 'updates' : null, fields });
}

/** A username that is ours comes with another source id, and its own id is gone: perhaps the same person. */
function isRekey({ usernameOwner, ownerMissing, entry, desired }: PersonRow): boolean {
  const isNew = entry === null || entry.state === 'removed';
  return usernameOwner !== null && ownerMissing && isNew && desired !== null;
}

/** Held until a person says so (promise 4); then the ledger's id changes and nothing else happens. */
function rekey(row: PersonRow): PersonDecision {
  const staged = stagedOf(row);
  if (staged === null) return NONE;
  const fields = [{ field: 'id', from: row.usernameOwner, to: row.id }];
  const why = `the same username as ${row.usernameOwner ?? ''}, who is missing: the same person?`;
  return change('adopt', { row, payload: staged.payload, why, guard: 'usernameReuse', fields });
}

/**
 * One person's change. Pure; every combination has its line:
 *
 * | source    | ledger            | service: as we left it | edited    | locked             | gone          |
 * |-----------|-------------------|------------------------|-----------|--------------------|---------------|
 * | active    | unknown, removed  | adopt                  | adopt     | blocked / enable   | create        |
 * | active    | creating          | adopt                  | adopt     | adopt              | create        |
 * | active    | managed           | update / close         | update / drift | blocked / enable | create (gone) |
 * | active    | disabled          | update                 | update    | enable             | create (gone) |
 * | inactive  | unknown, removed  | disable                | disable   | none               | none          |
 * | inactive  | managed, creating | disable                | disable   | close              | forget        |
 * | inactive  | disabled          | disable / drift        | disable / drift | close        | forget        |
 * | missing   | managed, creating | miss, then disable or remove (also edited) | none       | forget        |
 * | missing   | disabled          | none, remove when its days are over (also edited, locked) | forget        |
 * | unknown   | any               | blocked                | blocked   | blocked            | blocked       |
 * | our account has another username in the service: blocked; none where it is locked by us and not wanted |
 * | no employee is listed, but a disabled user of the domain, and the account is none that we know: blocked; not where inactive or removed |
 * | a username of another source id: blocked, also where inactive and unknown or removed |
 *
 * `sync.usernameChange: replace`, active, another username in the source, where the table does not say blocked:
 * | creating: as in the table, compared anew by the next run |
 * | managed, disabled: replacement (held); meanwhile the table's update or enable, except of edits; not its create |
 * | the new username has an account that is locked, or is a disabled user: blocked; an active one is taken over |
 *
 * "as we left it" of a disabled person is locked, so its first column means that somebody enabled it.
 */
export function decidePerson(row: PersonRow, rules: PersonRules): PersonDecision {
  const { entry } = row;
  if (entry !== null && row.renamed !== null) return renamedElsewhere(row, entry, row.renamed);
  if (row.desired !== null) return present(row, rules);
  return entry === null ? NONE : missing(row, entry, rules);
}

/** In the source. */
function present(row: PersonRow, rules: PersonRules): PersonDecision {
  const { entry } = row;
  const staged = stagedOf(row);
  if (isRekey(row)) return rekey(row);
  if (staged?.active === false && !isAnothers(row))
    return inactive(row, entry?.sent ?? staged.payload, rules);
  const reason = obstacle(row, rules.sync);
  if (reason !== null) return { is: 'blocked', reason };
  return entry === null || entry.state === 'removed' ? join(row, rules) : decideOurs(row, entry, rules);
}

/** Ours, or in doubt. What becomes of an account that is in doubt is found out under the username that it was to have. */
function decideOurs(row: PersonRow, entry: PersonEntry, rules: PersonRules): PersonDecision {
  const decision = underOldUsername(row, entry, rules);
  const username = newUsernameOf(row, rules.sync);
  if (username === null || decision.is === 'blocked') return decision;
  const kept = decision.is === 'change' ? decision.change : null;
  if (entry.state === 'creating')
    return kept === null ? decision : { is: 'change', change: { ...kept, partial: true } };
  const payload = payloadOf(row, entry);
  return { is: 'change', change: replaceAccount(row, { entry, username, payload, kept }) };
}

function underOldUsername(row: PersonRow, entry: PersonEntry, rules: PersonRules): PersonDecision {
  if (entry.state === 'creating') return join(row, rules);
  return entry.state === 'disabled' ? rehire(row, entry) : keepInStep(row, entry, rules);
}

/** Not gone, and not to be made twice; who has left it and is locked has no need of it. */
function renamedElsewhere(row: PersonRow, entry: PersonEntry, renamed: RenamedAccount): PersonDecision {
  const hasLeft = row.desired === null || stagedOf(row)?.active === false;
  if (hasLeft && entry.state === 'disabled' && renamed.locked) return NONE;
  const reason = `the account's username was changed in the service to ${renamed.username}: change it back there`;
  return { is: 'blocked', reason };
}

/** The account that was found under this username is another person's. */
function isAnothers({ entry, usernameOwner }: PersonRow): boolean {
  return usernameOwner !== null && (entry === null || entry.state === 'removed');
}
