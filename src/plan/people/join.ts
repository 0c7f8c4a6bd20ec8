import type { FieldChange } from '../../domain/changes.ts';
import { ACTIVE } from '../../domain/ports/history.ts';
import type { EmployeeView, UsernameOwner } from '../../domain/ports/ledger/person-row.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import type { Reason } from '../../domain/reasons/reason.ts';
import { differsFrom, expectedOf, unshown } from '../values/compare-shown.ts';
import { changesOf } from './keep.ts';
import { isSameName, nameIn, type Facts, type Match } from './match.ts';
import {
  change,
  NONE,
  nodesOf,
  payloadOf,
  shownPlaces,
  type ChangeParts,
  type PersonDecision,
  type PersonRules,
} from './person-decision.ts';
import { withPrimary } from './positions.ts';

/** Makes an account: of a new person, of one who is back, or in place of one that is gone. */
export function create(facts: Facts): PersonDecision {
  const { entry, is } = facts.known;
  if (is === 'gone' || is === 'locking' || is === 'locked')
    return change('create', facts, {
      payload: payloadOf(facts),
      why: { code: 'vanished' },
      guard: 'gone',
    });
  const code = entry?.state === 'removed' ? 'back' : 'new';
  return change('create', facts, { payload: joining(facts), why: { code }, guard: 'joiners' });
}

/** Takes an account over. The guard counts it if something shown would change, unless rollcall made it. */
export function adopt(facts: Facts, rules: PersonRules): PersonDecision {
  const { employee } = facts.actual;
  if (employee === null) return NONE;
  const payload = joining(facts);
  const isOurs = facts.known.is === 'claimed';
  const { all, differing } = adoptionFields(employee, payload, rules);
  return change('adopt', facts, {
    payload,
    guard: differing.length === 0 || isOurs ? null : 'adopted',
    fields: all,
    before: shownPlaces(employee.shown, rules),
    ...(isOurs
      ? { why: { code: 'doubtfulCreation' } }
      : ofOthers(whyAdopted(facts), { payload, employee, rules })),
  });
}

const whyAdopted = ({ known }: Facts): Reason => ({
  code: known.is === 'gone' ? 'otherAccount' : 'employee',
});

/** Returns what is sent for somebody who joins; of who was there before, the position that was primary stays so. */
function joining(facts: Facts): PersonPayload {
  const { record } = facts.desired;
  return record === null
    ? payloadOf(facts)
    : { ...record.payload, positions: withPrimary(record.payload.positions, []) };
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

interface OthersAccount {
  readonly payload: PersonPayload;
  readonly employee: EmployeeView;
  readonly rules: PersonRules;
}

/** Marks an account that others made under another person's name: after the first load it is always asked for (promise 2). */
export function ofOthers(
  why: Reason,
  { payload, employee: { shown }, rules }: OthersAccount,
): Pick<ChangeParts, 'why' | 'isOthers'> {
  const name = nameIn(shown);
  if (rules.isLoaded === false || isSameName(nameIn(payload), name)) return { why };
  return { why: { ...why, values: { ...why.values, theirs: name ?? '' } }, isOthers: true };
}

type Same = Extract<Match, { readonly is: 'same' }>;

/**
 * Asks whether an unknown id is a known person's new one (promise 4). Approved, the ledger takes the new id, and the record
 * is compared anew: what follows from that is shown, and is part of what is approved.
 */
export function askWhetherSame({ facts, owner, why }: Same, rules: PersonRules): PersonDecision {
  const { entry, id: from } = owner;
  const { record, is } = facts.desired;
  if (record === null) return NONE;
  const asOwner: Facts = { ...facts, known: { is: 'ours', entry } };
  const follows = is === 'active' && entry !== null ? changesOf(asOwner, entry, rules) : [];
  const unknown = entry === null ? ofForgotten(facts, record.payload, rules) : [];
  return change('adopt', facts, {
    payload: entry === null ? record.payload : payloadOf(asOwner),
    why,
    guard: 'usernameReuse',
    fields: [{ field: 'id', from, to: facts.id }, ...switchOf(facts, owner), ...unknown, ...follows],
    before: entry?.sent.positions ?? [],
    claims: from,
  });
}

/** Returns that approving also enables or disables the account; empty: neither. */
function switchOf({ desired }: Facts, { entry, isHere }: UsernameOwner): readonly FieldChange[] {
  // Who has left by a record of their own is disabled meanwhile.
  const isLocked = entry?.state === 'disabled' || isHere === 'left';
  if (desired.is === 'active') return isLocked ? [{ field: ACTIVE, from: false, to: true }] : [];
  return isLocked || entry?.state === 'removed' ? [] : [{ field: ACTIVE, from: true, to: false }];
}

/** Returns what an approval writes of somebody of whom nothing is known: an account is made, or one is taken over. */
function ofForgotten(
  { desired, actual }: Facts,
  payload: PersonPayload,
  rules: PersonRules,
): readonly FieldChange[] {
  if (actual.employee !== null) return adoptionFields(actual.employee, payload, rules).all;
  const name = { field: 'name', from: null, to: payload.fields['name'] ?? null };
  return desired.is === 'active' ? [name, { field: ACTIVE, from: null, to: true }] : [name];
}
