import { doubtOfEmptied } from '../doubt/doubt.ts';
import { because, ORIGINS } from '../../domain/changes.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { PersonRow } from '../../domain/ports/ledger/person-row.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import { membersOf, PROTECTED } from '../../domain/records/records.ts';
import { changedPositions } from '../values/compare.ts';
import {
  change,
  FORGET,
  isMadeAnew,
  NONE,
  type ChangeParts,
  type PersonDecision,
  type PersonRules,
} from './person-decision.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Returns the leaver's change, or blocks it if the person is protected. */
function leave(
  kind: 'disable' | 'remove',
  parts: Omit<ChangeParts, 'guard'>,
  rules: PersonRules,
): PersonDecision {
  // An account that we have never managed is found, and disabled at once.
  const guard = parts.row.entry === null || parts.employeeId !== undefined ? 'adopted' : 'leavers';
  const isOurs = kind === 'disable' && guard === 'leavers' && parts.row.entry?.state !== 'removed';
  const decision = change(kind, { ...parts, ...(isOurs && withoutHeadship(parts, rules)), guard });
  if (decision.is === 'change' && rules.isProtected(decision.change.username, decision.change.id)) {
    return { is: 'blocked', reason: `${PROTECTED}: would ${kind} (${parts.why})` };
  }
  return decision;
}

/** Returns what was sent without the headships that are shown, with that as a change: a unit has its next head. */
function withoutHeadship(
  { row, payload, fields = [] }: Pick<ChangeParts, 'row' | 'payload' | 'fields'>,
  { orgIdOf }: PersonRules,
): Pick<ChangeParts, 'payload' | 'fields'> {
  const shown = row.employee?.shown.positions ?? [];
  const heads = new Set(shown.flatMap(({ orgId, fields: { chief } }) => (chief === true ? [orgId] : [])));
  const positions = payload.positions.map((one) => {
    const isHead = one.fields['chief'] === true && heads.has(orgIdOf(one.unit) ?? '');
    return isHead ? { ...one, fields: { ...one.fields, chief: false } } : one;
  });
  return {
    payload: { ...payload, positions },
    fields: [...fields, ...changedPositions(payload.positions, positions)],
  };
}

/** Says why a person counts as missing. */
function absence({ isLeftOut }: PersonRow): string {
  return isLeftOut === true ? 'out of scope by source.people.where' : 'missing in the source';
}

/** Decides about a person who is not in a complete read: the misses are counted, then comes the leavers' action. */
export function missing(row: PersonRow, entry: PersonEntry, rules: PersonRules): PersonDecision {
  if (entry.state === 'removed') return NONE;
  // That record says "left". Whether it means this person or the other one, the account must not stay active.
  if (row.claimIsBad && row.claimHasLeft) return inactive(row, entry.sent, rules);
  if (row.claimedBy !== null) return claimed(row);
  if (row.employee === null) return vanished(row, entry);
  // While others have locked the account, there is nothing to do. If it is unlocked, the person already
  // counts as gone.
  if (entry.state !== 'disabled')
    return row.employee.locked ? countedMiss(entry, missesOf(entry, rules)) : missedAgain(row, entry, rules);
  if (row.employee.locked) return longDisabled(row, entry, rules);
  if (isMadeAnew(row))
    return leave(
      'disable',
      { row, payload: entry.sent, why: absence(row), employeeId: row.employee.id },
      rules,
    );
  return enabledAgain(row, { payload: entry.sent, who: absence(row) }, rules);
}

/** Decides about a leaver without an account: what was only claimed is forgotten, what was there counts as gone. */
function vanished(row: PersonRow, entry: PersonEntry): PersonDecision {
  if (entry.state === 'creating' && entry.employeeId === null) return FORGET;
  return change('forget', { row, payload: entry.sent, why: 'no longer in the service', guard: 'gone' });
}

/**
 * Decides about a person whose records all say "left" and are otherwise unusable. Only the account is needed
 * for that, whether it is managed or not.
 */
export function hasLeft(row: PersonRow, rules: PersonRules): PersonDecision {
  const { entry, employee } = row;
  if (entry !== null && entry.state !== 'removed') return inactive(row, entry.sent, rules);
  if (employee === null || row.usernameOwner !== null) return NONE;
  return inactive(row, { fields: {}, positions: [] }, rules);
}

/**
 * Decides about a missing person that rollcall disabled. They are removed when the days are over and as many
 * reads have missed them as a leaver needs. The days begin anew with each disable.
 */
function longDisabled(row: PersonRow, entry: PersonEntry, rules: PersonRules): PersonDecision {
  const { removeAfterDays: days, misses: enough } = rules.sync.leavers;
  if (days === null || entry.disabledAt === null || rules.surely < entry.disabledAt + days * DAY_MS)
    return NONE;
  const misses = missesOf(entry, rules);
  if (misses < enough) return countedMiss(entry, misses);
  const why = `${absence(row)} and disabled for ${days} days`;
  return leave('remove', { row, payload: entry.sent, why }, rules);
}

/**
 * Decides about a missing person whose username another record has: perhaps the same person under another id.
 * No account is disabled, and no miss is counted: if that record is gone too, the person is missing from then on. If
 * the other record cannot be used, the person is listed as blocked. Else the other record is held and asks the question.
 */
function claimed(row: PersonRow): PersonDecision {
  const { employee, claimedBy, claimIsBad } = row;
  if (employee === null || employee.locked || !claimIsBad) return NONE;
  const reason = `${absence(row)}, and source id ${claimedBy} has its username now in a record that cannot be used: correct that one`;
  return { is: 'blocked', reason };
}

/**
 * Returns the misses with this read. A miss counts at most once in `missEveryMinutes`: a daemon that is started often
 * proves nothing more. A miss that a wrong clock stored in the future counts as long ago.
 */
export function missesOf(
  { misses, missedAt }: PersonEntry,
  { now, sync }: Pick<PersonRules, 'now' | 'sync'>,
): number {
  const since = missedAt === null ? null : now - missedAt;
  const tooSoon = since !== null && since >= 0 && since < sync.leavers.missEveryMinutes * MINUTE_MS;
  return tooSoon ? misses : misses + 1;
}

function missedAgain(row: PersonRow, entry: PersonEntry, rules: PersonRules): PersonDecision {
  const { leavers } = rules.sync;
  const misses = missesOf(entry, rules);
  if (misses < leavers.misses) return countedMiss(entry, misses);
  const reads = `${misses} complete ${misses === 1 ? 'read' : 'reads'}`;
  const { missedBy } = entry;
  const names = missedBy === undefined ? [] : [membersOf(missedBy)];
  const shown = names.map((name) => `; no ${name} are shown any more`).join('');
  const why = `${absence(row)} (${reads}${shown})`;
  const parts = { row, payload: entry.sent, why, doubt: doubtOfEmptied(names) };
  const decision = leave(leavers.action, parts, rules);
  return decision.is === 'change' || decision.is === 'blocked' ? { ...decision, misses } : decision;
}

/** Returns the decision that only counts the misses, if there is one more. */
const countedMiss = (entry: PersonEntry, misses: number): PersonDecision =>
  misses === entry.misses ? NONE : { is: 'miss', misses };

interface Leaver {
  readonly payload: PersonPayload;
  /** How the person has left, in a few words. */
  readonly who: string;
}

/** Decides about an account that rollcall disabled and that was enabled in the service: drift. */
function enabledAgain(row: PersonRow, { payload, who }: Leaver, rules: PersonRules): PersonDecision {
  const fields = [{ field: 'locked', from: false, to: true }];
  if (rules.sync.drift === 'repair')
    return leave('disable', { row, payload, ...because('enabledAgain'), fields }, rules);
  const reason = `${who}, disabled by rollcall and ${ORIGINS.enabledAgain}: disable it there, or set sync.drift: repair`;
  return { is: 'drift', fields, reason };
}

/** Decides about a person who is inactive in the source: disabled at once, never removed, and not created either. */
export function inactive(row: PersonRow, payload: PersonPayload, rules: PersonRules): PersonDecision {
  const { entry, employee } = row;
  if (employee === null) return entry === null || entry.state === 'removed' ? NONE : vanished(row, entry);
  if (employee.locked) return entry === null ? NONE : { is: 'close', accepted: null };
  if (isAskedFor(row)) return NONE;
  const who = 'inactive in the source';
  if (isMadeAnew(row)) return leave('disable', { row, payload, why: who, employeeId: employee.id }, rules);
  if (entry?.state === 'disabled') return enabledAgain(row, { payload, who }, rules);
  return leave('disable', { row, payload, why: who }, rules);
}

/**
 * Returns whether an active person has this username under another id. rollcall asks whether that is the same
 * person before it disables the account.
 */
function isAskedFor({ claimedBy, claimIsBad, claimHasLeft }: PersonRow): boolean {
  return claimedBy !== null && !claimIsBad && !claimHasLeft;
}
