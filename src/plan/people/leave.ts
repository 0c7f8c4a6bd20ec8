import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import { MISS_EVERY_MS } from '../../domain/settings.ts';
import type { Reason, ReasonCode } from '../../domain/reasons/reason.ts';
import { membersOf } from '../../domain/records/records.ts';
import { doubtOfEmptied } from '../doubt/doubt.ts';
import { changedPositions } from '../values/compare.ts';
import { ofOthers } from './join.ts';
import type { Facts } from './match.ts';
import {
  change,
  NONE,
  waits,
  type ChangeParts,
  type PersonDecision,
  type PersonRules,
} from './person-decision.ts';

const DAY_MS = 86_400_000;

type Leaving = Pick<ChangeParts, 'why' | 'doubt' | 'fields'>;

/** Disables or removes an account. One that rollcall does not manage is always asked for; protected people stay. */
function leave(
  kind: 'disable' | 'remove',
  facts: Facts,
  { why, fields = [], ...how }: Leaving,
  rules: PersonRules,
): PersonDecision {
  const { known, actual, id } = facts;
  const isOurs = known.is !== 'unknown' && known.is !== 'gone';
  const guard = isOurs ? 'leavers' : 'adopted';
  const sent = lastSent(facts);
  const left = kind === 'disable' && isOurs ? withoutHeadship(facts, rules) : sent;
  const places = changedPositions(sent.positions, left.positions);
  const { employee } = actual;
  const words = isOurs || employee === null ? { why } : ofOthers(why, { payload: sent, employee, rules });
  const parts = { payload: left, ...words, ...how, guard, fields: [...fields, ...places] } as const;
  const leaving = change(kind, facts, parts);
  return rules.isProtected(leaving.change.username, id)
    ? waits({ ...why, code: 'protected', values: { ...why.values, kind, because: why.code } })
    : leaving;
}

/** What was last sent; of who was never known, what the record says, as far as it can be used. */
const lastSent = ({ known, desired }: Facts): PersonPayload =>
  known.entry?.sent ?? desired.record?.payload ?? { fields: {}, positions: [] };

/** Returns what was sent without the headships that are shown: a unit has its next head. */
function withoutHeadship(facts: Facts, { orgIdOf }: PersonRules): PersonPayload {
  const payload = lastSent(facts);
  const shown = facts.actual.employee?.shown.positions ?? [];
  const heads = new Set(shown.flatMap(({ orgId, fields: { chief } }) => (chief === true ? [orgId] : [])));
  const positions = payload.positions.map((one) => {
    const isHead = one.fields['chief'] === true && heads.has(orgIdOf(one.unit) ?? '');
    return isHead ? { ...one, fields: { ...one.fields, chief: false } } : one;
  });
  return { ...payload, positions };
}

/** Says how a person has left. */
function leftHow({ desired, isLeftOut }: Facts): ReasonCode {
  if (desired.is === 'inactive') return 'inactive';
  return isLeftOut ? 'outOfScope' : 'missing';
}

/** Returns a reason that says how a person has left. */
const left = (facts: Facts, code: ReasonCode, values: Reason['values'] = {}): Reason => ({
  code,
  values: { ...values, how: leftHow(facts) },
});

/** Disables who is inactive by their own record, at once. */
export function disable(facts: Facts, rules: PersonRules): PersonDecision {
  return leave('disable', facts, { why: { code: leftHow(facts) } }, rules);
}

/** Sets back, or names, that an account which rollcall disabled was enabled in the service. */
export function disableAgain(facts: Facts, rules: PersonRules): PersonDecision {
  const fields = [{ field: 'locked', from: false, to: true }];
  if (rules.sync.drift === 'repair')
    return leave('disable', facts, { why: { code: 'enabledAgain' }, fields }, rules);
  return { is: 'drift', fields, reason: left(facts, 'staysEnabled') };
}

/** A leaver without an account: one that was never seen is forgotten, what was there counts as gone. */
export function forget(facts: Facts): PersonDecision {
  const { entry } = facts.known;
  if (entry === null) return NONE;
  if (entry.employeeId === null) return { is: 'forget' };
  return change('forget', facts, { payload: entry.sent, why: { code: 'notThere' }, guard: 'gone' });
}

/** Counts a complete read without the person; after enough of them comes the leavers' action. */
export function count(facts: Facts, rules: PersonRules): PersonDecision {
  const { entry } = facts.known;
  if (entry === null) return NONE;
  const { leavers } = rules.sync;
  const misses = missesOf(entry, rules);
  // While others have locked the account, there is nothing to do. If it is unlocked, the person already counts as gone.
  if (misses < leavers.misses || facts.actual.is === 'locked') return countedMiss(entry, misses);
  const names = entry.missedBy === undefined ? [] : [membersOf(entry.missedBy)];
  const [group] = names;
  const why =
    group === undefined
      ? left(facts, 'missed', { reads: misses })
      : left(facts, 'missedInGroup', { reads: misses, group });
  const decision = leave(leavers.action, facts, { why, doubt: doubtOfEmptied(names) }, rules);
  return decision.is === 'change' || decision.is === 'blocked' ? { ...decision, misses } : decision;
}

/**
 * Removes a missing person whom rollcall disabled, when the days are over and as many reads have missed them as a leaver
 * needs. The days begin anew with each disable.
 */
export function remove(facts: Facts, rules: PersonRules): PersonDecision {
  const { entry } = facts.known;
  const { removeAfterDays: days, misses: enough } = rules.sync.leavers;
  if (entry === null || days === null || entry.disabledAt === null) return NONE;
  if (rules.surely < entry.disabledAt + days * DAY_MS) return NONE;
  const misses = missesOf(entry, rules);
  if (misses < enough) return countedMiss(entry, misses);
  return leave('remove', facts, { why: left(facts, 'disabledLong', { days }) }, rules);
}

/**
 * Returns the misses with this read. A miss counts at most once in `MISS_EVERY_MS`: a daemon that is started often
 * proves nothing more. A miss that a wrong clock stored in the future counts as long ago.
 */
export function missesOf({ misses, missedAt }: PersonEntry, { now }: Pick<PersonRules, 'now'>): number {
  const since = missedAt === null ? null : now - missedAt;
  const tooSoon = since !== null && since >= 0 && since < MISS_EVERY_MS;
  return tooSoon ? misses : misses + 1;
}

/** Returns the decision that only counts the misses, if there is one more. */
export const countedMiss = (entry: PersonEntry, misses: number): PersonDecision =>
  misses === entry.misses ? NONE : { is: 'miss', misses };
