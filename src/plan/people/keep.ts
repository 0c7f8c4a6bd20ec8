import type { FieldChange } from '../../domain/changes.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import { ofUnit } from '../../domain/reasons/reason.ts';
import { membersOf } from '../../domain/records/records.ts';
import { doubtOfEmptied } from '../doubt/doubt.ts';
import { changedFields, changedPositions, withEdits } from '../values/compare.ts';
import { changedShown, differsFrom, expectedOf } from '../values/compare-shown.ts';
import { emptiedUnsent, withShownAt } from '../values/newly-mapped.ts';
import type { Facts } from './match.ts';
import {
  change,
  NONE,
  nodesOf,
  payloadOf,
  shownPlaces,
  type PersonDecision,
  type PersonRules,
} from './person-decision.ts';

/** Compares a person who is ours and active: what the source changes, where the units are, what others have edited. */
export function compare(facts: Facts, rules: PersonRules): PersonDecision {
  const { entry } = facts.known;
  if (entry === null) return NONE;
  const payload = payloadOf(facts);
  const fields = changesOf(facts, entry, rules);
  if (fields.length === 0) return follow(facts, payload, rules) ?? repair(facts, entry, rules);
  return change('update', facts, {
    payload,
    why: { code: 'changed' },
    guard: 'updates',
    fields,
    doubt: doubtOfEmptied(emptiedFor(entry.sent, payload, rules)),
  });
}

/** Sends again what was not read back. */
export function writeAgain(facts: Facts, rules: PersonRules): PersonDecision {
  const { entry } = facts.known;
  if (entry === null) return NONE;
  const fields = changesOf(facts, entry, rules);
  const parts =
    fields.length === 0
      ? ({ why: { code: 'inDoubt' }, guard: null } as const)
      : ({ why: { code: 'changed' }, guard: 'updates' } as const);
  return change('update', facts, { payload: payloadOf(facts), ...parts, fields });
}

/** Enables an account that rollcall disabled, and imports the person whole. */
export function enable(facts: Facts, rules: PersonRules): PersonDecision {
  return change('enable', facts, {
    payload: payloadOf(facts),
    why: { code: facts.known.is === 'locking' ? 'disableUnshown' : 'activeAgain' },
    guard: 'joiners',
    fields: writtenWhole(facts, rules),
  });
}

/** Takes back an account that rollcall disabled and others have enabled: the person is active in the source. */
export function takeBack(facts: Facts, rules: PersonRules): PersonDecision {
  return change('update', facts, {
    payload: payloadOf(facts),
    why: { code: 'enabledByOthers' },
    guard: 'updates',
    fields: writtenWhole(facts, rules),
  });
}

/** Returns what the source changes, with all that is written then; nothing if the source changes nothing. */
export function changesOf(facts: Facts, entry: PersonEntry, rules: PersonRules): readonly FieldChange[] {
  return wantedChanges(facts, entry, rules).length === 0 ? [] : writtenWhole(facts, rules);
}

/** Returns what a write changes: what the source wants and, since it is written whole, edits of others. */
function writtenWhole(facts: Facts, rules: PersonRules): readonly FieldChange[] {
  const { entry } = facts.known;
  if (entry === null) return [];
  return withEdits(wantedChanges(facts, entry, rules), driftOf(facts, entry, rules));
}

/** Returns what the source wants that differs from what was last sent. */
function wantedChanges(
  facts: Facts,
  { sent, secretHash }: PersonEntry,
  rules: PersonRules,
): readonly FieldChange[] {
  const payload = payloadOf(facts);
  const { record } = facts.desired;
  const shown = facts.actual.employee?.shown ?? null;
  const wanted = changedFields(sent.fields, payload.fields);
  const named = new Set(wanted.map(({ field }) => field));
  const newlyMapped = shown === null ? [] : emptiedUnsent(sent, payload, shown);
  const before = withShownAt(sent.positions, payload.positions, shown?.positions ?? [], rules.orgIdOf);
  const hasOtherSecrets = record !== null && record.secretHash !== secretHash;
  return [
    ...wanted,
    ...newlyMapped.filter(({ field }) => !named.has(field)),
    ...changedPositions(before, payload.positions),
    ...(hasOtherSecrets ? [{ field: 'secrets', from: '[secret]', to: '[secret]' }] : []),
  ];
}

/**
 * Returns the edits that were made in the service: shown values that were as accepted and no longer are. If the service
 * shows what the source has, there is nothing to repair.
 */
function driftOf(facts: Facts, entry: PersonEntry, rules: PersonRules): readonly FieldChange[] {
  const { employee } = facts.actual;
  if (employee === null || entry.accepted === null) return [];
  const { shown } = employee;
  const payload = payloadOf(facts);
  const expected = expectedOf(payload, rules.orgIdOf);
  const nodes = nodesOf(rules, [payload, entry.sent]);
  const edited = changedShown(entry.accepted, shown, expected, nodes);
  if (edited.length === 0) return edited;
  const differing = new Set(differsFrom(expected, shown, nodes).map(({ field }) => field));
  const isShown = (field: string): boolean => field === 'positions' || field in shown.fields;
  const isEmptied = (field: string): boolean => !isShown(field) && (rules.showsField?.(field) ?? true);
  return edited.filter(({ field }) => differing.has(field) || isEmptied(field));
}

/**
 * Decides about a person who is as the source wants: what may be left are edits of others, and writes that were not
 * read back.
 */
function repair(facts: Facts, entry: PersonEntry, rules: PersonRules): PersonDecision {
  const payload = payloadOf(facts);
  const { employee } = facts.actual;
  const fields = driftOf(facts, entry, rules);
  if (fields.length > 0 && rules.sync.drift === 'report') return { is: 'drift', fields };
  const before = shownPlaces(employee?.shown, rules);
  if (fields.length > 0)
    return change('update', facts, { payload, why: { code: 'edited' }, guard: 'updates', fields, before });
  if (entry.accepted === null)
    return change('update', facts, { payload, why: { code: 'inDoubt' }, guard: null });
  return { is: 'close', accepted: employee?.shown ?? null };
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

/** Lets people follow their units: since they were last written, the node of one is another, or is to be. */
function follow(facts: Facts, payload: PersonPayload, rules: PersonRules): PersonDecision | null {
  const units = payload.positions.flatMap(({ unit }) => unit ?? []);
  const moved = units.find((unit) => rules.moving.has(unit));
  if (moved !== undefined)
    return change('update', facts, {
      payload,
      why: ofUnit('unitMoves', moved),
      guard: null,
      cause: rules.moving.get(moved) ?? null,
    });
  const sentTo = facts.known.entry?.nodes;
  const isElsewhere = (unit: string): boolean => {
    const node = rules.orgIdOf(unit);
    return node === undefined ? rules.isBlocked?.(unit) !== true : sentTo?.includes(node) === false;
  };
  if (sentTo === undefined || !units.some(isElsewhere)) return null;
  return change('update', facts, { payload, why: { code: 'notAtNode' }, guard: null });
}
