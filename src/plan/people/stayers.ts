import { doubtOfEmptied } from '../doubt/doubt.ts';
import { because, type FieldChange } from '../../domain/changes.ts';
import type { EmployeeView, PersonRow } from '../../domain/ports/ledger/person-row.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { StagedPerson } from '../../domain/ports/ledger/source-stage.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import { membersOf } from '../../domain/records/records.ts';
import { foldName } from '../../domain/text/fold.ts';
import {
  change,
  isMadeAnew,
  isSameName,
  NONE,
  shownPlaces,
  stagedOf,
  type PersonDecision,
  type PersonRules,
} from './person-decision.ts';
import { emptiedUnsent, withShownAt } from '../values/newly-mapped.ts';
import { changedFields, changedPositions, nodeLabels } from '../values/compare.ts';
import { changedShown, differsFrom, expectedOf, unshown, type Nodes } from '../values/compare-shown.ts';
import { withPrimary } from './positions.ts';

/**
 * Decides about an active person who is ours, was ours, or is in doubt. An account in doubt is looked for under the
 * username that it was to have.
 */
export function decideKnown(row: PersonRow, entry: PersonEntry, rules: PersonRules): PersonDecision {
  const isGone = entry.state === 'removed';
  return unlessAnothers(row, entry, isGone ? join(row, rules) : underOwnUsername(row, entry, rules));
}

/** What the source has said counts, whether the account was disabled for it or not. */
const isLeaver = ({ hasSaidLeft = false }: PersonRow, { state, misses }: PersonEntry): boolean =>
  hasSaidLeft || misses > 0 || state === 'disabled' || state === 'removed';

/**
 * Holds what would give a leaver's account to a record with another username and another name: the source may
 * have given the id to another person.
 */
function unlessAnothers(row: PersonRow, entry: PersonEntry, decision: PersonDecision): PersonDecision {
  const staged = stagedOf(row);
  if (decision.is !== 'change' || staged === null) return decision;
  const { change: opens } = decision;
  if (!isLeaver(row, entry) && opens.kind !== 'enable') return decision;
  const { username, payload } = staged;
  if (foldName(username) === foldName(entry.username) || isSameName(payload, entry.sent)) return decision;
  const why = `its id comes back with another username (${username}) and another name: if it is another person, give them an id of their own`;
  // An account that is disabled would be made anew under its own username.
  if (opens.kind === 'create' && entry.state !== 'removed')
    return { is: 'blocked', reason: `the account is gone, and ${why}` };
  return { is: 'change', change: { ...opens, why, guard: 'usernameReuse' } };
}

/** Decides about a known account, which keeps its username even if the source has another one. */
function underOwnUsername(row: PersonRow, entry: PersonEntry, rules: PersonRules): PersonDecision {
  if (entry.state === 'creating') return join(row, rules);
  return entry.state === 'disabled' ? rehire(row, entry, rules) : keepInStep(row, entry, rules);
}

/**
 * Decides about a person who is not ours yet, or no longer: created, or adopted if the employees list has the
 * username.
 */
export function join(row: PersonRow, rules: PersonRules): PersonDecision {
  const staged = stagedOf(row);
  if (staged === null) return NONE;
  const payload = { ...staged.payload, positions: withPrimary(staged.payload.positions, []) };
  if (row.employee === null) {
    const why = row.entry?.state === 'removed' ? 'back in the source' : 'new in the source';
    return change('create', { row, payload, why, guard: 'joiners' });
  }
  if (row.employee.locked && row.entry?.state !== 'creating') return LOCKED_BY_OTHERS;
  return adopt({ ...row, employee: row.employee }, payload, rules);
}

/**
 * Adopts an account. The guard counts it if something shown would change, unless it is an account of our own in
 * doubt.
 */
function adopt(
  row: PersonRow & { readonly employee: EmployeeView },
  payload: PersonPayload,
  rules: PersonRules,
): PersonDecision {
  const { entry, employee } = row;
  const isOurs = entry?.state === 'creating';
  const { all, differing } = adoptionFields(employee, payload, rules);
  const why = isOurs ? 'creation was in doubt' : 'already an employee in the service';
  const guard = differing.length === 0 || isOurs ? null : 'adopted';
  return change('adopt', {
    row,
    payload,
    why,
    guard,
    fields: all,
    before: shownPlaces(employee.shown, rules),
  });
}

/** Returns all that taking over an account sends and it does not show, and of that what it shows otherwise. */
function adoptionFields(
  { shown }: EmployeeView,
  payload: PersonPayload,
  rules: PersonRules,
): Record<'all' | 'differing', readonly FieldChange[]> {
  const expected = expectedOf(payload, rules.orgIdOf);
  const differing = differsFrom(expected, shown, nodesOf(rules, [payload]));
  return { all: [...unshown(expected, shown), ...differing], differing };
}

/** rollcall enables only accounts that it disabled itself (promise 2). */
const LOCKED_BY_OTHERS: PersonDecision = {
  is: 'blocked',
  reason: 'locked in the service by somebody else: unlock it there',
};

/**
 * Returns the edits that were made in the service: shown values that were as accepted and no longer are. If
 * the service shows what the source has, there is nothing to repair. A restored service shows positions as
 * they were before a repair.
 */
function driftOf(row: PersonRow, entry: PersonEntry, rules: PersonRules): readonly FieldChange[] {
  if (row.employee === null || entry.accepted === null) return [];
  const { shown } = row.employee;
  const payload = payloadOf(row, entry);
  const expected = expectedOf(payload, rules.orgIdOf);
  const nodes = nodesOf(rules, [payload, entry.sent]);
  const edited = changedShown(entry.accepted, shown, expected, nodes);
  if (edited.length === 0) return edited;
  const differing = new Set(differsFrom(expected, shown, nodes).map(({ field }) => field));
  const isShown = (field: string): boolean => field === 'positions' || field in shown.fields;
  const isEmptied = (field: string): boolean => !isShown(field) && (rules.showsField?.(field) ?? true);
  return edited.filter(({ field }) => differing.has(field) || isEmptied(field));
}

function nodesOf(rules: PersonRules, payloads: readonly PersonPayload[]): Nodes {
  return { isOurs: rules.isOurs, nameOf: nodeLabels(rules, payloads) };
}

/**
 * Decides about a person who is ours and active: whether the account is there, whether it is locked, then what differs.
 */
function keepInStep(row: PersonRow, entry: PersonEntry, rules: PersonRules): PersonDecision {
  const payload = payloadOf(row, entry);
  const { employee } = row;
  if (employee === null && entry.accepted !== null) {
    return change('create', { row, payload, why: 'vanished from the service', guard: 'gone' });
  }
  if (employee?.locked === true) return LOCKED_BY_OTHERS;
  if (row.isDisableUnshown === true && employee !== null)
    return change('enable', {
      row,
      payload,
      ...because('disableUnshown'),
      guard: 'joiners',
      fields: writtenWhole(row, entry, { wanted: wantedChanges(row, entry, rules), rules }),
    });
  const fields = changesOf(row, entry, rules);
  if (fields.length > 0) {
    const names = emptiedFor(entry.sent, payload, rules);
    const why = 'changed in the source';
    return change('update', {
      row,
      payload,
      why,
      guard: 'updates',
      fields,
      doubt: doubtOfEmptied(names),
    });
  }
  return follow(row, payload, rules) ?? repair(row, entry, rules);
}

interface Wanted {
  readonly wanted: readonly FieldChange[];
  readonly rules: PersonRules;
}

/** Returns what a write of the record changes: what the source wants and, since it is written whole, edits of others. */
function writtenWhole(row: PersonRow, entry: PersonEntry, { wanted, rules }: Wanted): readonly FieldChange[] {
  const names = new Set(wanted.map(({ field }) => field));
  return [...wanted, ...driftOf(row, entry, rules).filter(({ field }) => !names.has(field))];
}

/** Returns what the source changes, with all that is written then; nothing if the source changes nothing. */
export function changesOf(row: PersonRow, entry: PersonEntry, rules: PersonRules): readonly FieldChange[] {
  const wanted = wantedChanges(row, entry, rules);
  return wanted.length === 0 ? wanted : writtenWhole(row, entry, { wanted, rules });
}

/**
 * Returns the units that the person is in no more, and that show no member at all: these may be hidden. Who is in a unit
 * in which they were not has moved.
 */
function emptiedFor(
  { positions: before }: PersonPayload,
  { positions: after }: PersonPayload,
  { emptied }: PersonRules,
): readonly string[] {
  if (emptied === undefined || emptied.size === 0) return [];
  const had = new Set(before.map(({ unit }) => unit));
  if (after.some(({ unit }) => !had.has(unit))) return [];
  const there = new Set(after.map(({ unit }) => unit));
  return before.flatMap(({ unit }) =>
    unit !== null && !there.has(unit) && emptied.has(unit) ? [membersOf(`unit ${unit}`)] : [],
  );
}

/**
 * Lets people follow their unit if nothing but its node has changed: the unit was moved before, or is in this plan.
 */
function follow(row: PersonRow, payload: PersonPayload, rules: PersonRules): PersonDecision | null {
  const places = row.employee?.shown.positions ?? [];
  const isLeft = (orgId: string): boolean =>
    rules.oldNodes.has(orgId) || rules.lostNodes?.has(orgId) === true;
  if (places.some(({ orgId }) => isLeft(orgId)) || hasLostNode(row, payload, rules))
    return change('update', { row, payload, why: "not at its unit's node", guard: null });
  for (const { unit } of payload.positions) {
    const cause = unit === null ? undefined : rules.moving.get(unit);
    if (cause !== undefined)
      return change('update', { row, payload, why: `unit ${unit} moves`, guard: null, cause });
  }
  return null;
}

/**
 * Returns whether a node where the person was last seen is gone, and the person's unit has no node yet, or one where
 * the person never was.
 */
function hasLostNode({ entry, employee }: PersonRow, payload: PersonPayload, rules: PersonRules): boolean {
  const before = (entry?.accepted?.positions ?? []).map(({ orgId }) => orgId);
  const shown = new Set((employee?.shown.positions ?? []).map(({ orgId }) => orgId));
  if (!before.some((orgId) => !shown.has(orgId) && rules.isOurs?.(orgId) === false)) return false;
  const nodes = payload.positions.map(({ unit }) => rules.orgIdOf(unit));
  return nodes.some((orgId) => orgId === undefined || (!shown.has(orgId) && !before.includes(orgId)));
}

/**
 * Decides about a person who is as the source wants: what may be left are edits of others, and writes that were not
 * read back.
 */
function repair(row: PersonRow, entry: PersonEntry, rules: PersonRules): PersonDecision {
  const payload = payloadOf(row, entry);
  const fields = driftOf(row, entry, rules);
  if (fields.length > 0 && rules.sync.drift === 'report') return { is: 'drift', fields };
  const before = shownPlaces(row.employee?.shown, rules);
  if (fields.length > 0)
    return change('update', { row, payload, ...because('edited'), guard: 'updates', fields, before });
  if (entry.accepted === null)
    return change('update', { row, payload, why: 'last write in doubt', guard: null });
  // The account becomes ours by a write that is read back.
  if (isMadeAnew(row))
    return change('update', { row, payload, why: 'another account has the username now', guard: null });
  return { is: 'close', accepted: row.employee?.shown ?? null };
}

/** Returns what the source wants that differs from what was last sent. */
function wantedChanges(row: PersonRow, entry: PersonEntry, rules: PersonRules): readonly FieldChange[] {
  const payload = payloadOf(row, entry);
  const shown = row.employee?.shown ?? null;
  const wanted = changedFields(entry.sent.fields, payload.fields);
  const named = new Set(wanted.map(({ field }) => field));
  const newlyMapped = shown === null ? [] : emptiedUnsent(entry.sent, payload, shown);
  const positions = withShownAt(
    entry.sent.positions,
    payload.positions,
    shown?.positions ?? [],
    rules.orgIdOf,
  );
  return [
    ...wanted,
    ...newlyMapped.filter(({ field }) => !named.has(field)),
    ...changedPositions(positions, payload.positions),
    ...secretChange(entry, stagedOf(row)),
  ];
}

function secretChange(entry: PersonEntry, staged: StagedPerson | null): readonly FieldChange[] {
  const changed = staged !== null && staged.secretHash !== entry.secretHash;
  return changed ? [{ field: 'secrets', from: '[secret]', to: '[secret]' }] : [];
}

export function payloadOf(row: PersonRow, entry: PersonEntry): PersonPayload {
  const staged = stagedOf(row);
  if (staged === null) return entry.sent;
  const { fields, positions } = staged.payload;
  return { fields, positions: withPrimary(positions, entry.sent.positions) };
}

/**
 * Decides about a disabled person who is in the source again, or active again. The account is enabled and
 * fully imported, even if the hash is unchanged.
 */
function rehire(row: PersonRow, entry: PersonEntry, rules: PersonRules): PersonDecision {
  const payload = payloadOf(row, entry);
  if (row.employee === null)
    return change('create', { row, payload, why: 'vanished from the service', guard: 'gone' });
  const kind = row.employee.locked ? 'enable' : 'update';
  const fields = writtenWhole(row, entry, { wanted: wantedChanges(row, entry, rules), rules });
  if (kind === 'update')
    return change(kind, {
      row,
      payload,
      why: 'enabled in the service, active in the source',
      guard: 'updates',
      fields,
    });
  return change(kind, { row, payload, why: 'active in the source again', guard: 'joiners', fields });
}
