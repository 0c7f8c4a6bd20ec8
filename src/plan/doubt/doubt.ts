import { isRepair, type Change, type PersonChange } from '../../domain/changes.ts';
import type { Memory } from '../../domain/ports/ledger/source-stage.ts';
import { CROWD } from '../../domain/reading/source-part.ts';
import { isMembersOf, type Decisive, type Doubt, type Seen } from '../../domain/records/records.ts';

/** What a person's record was and is, which is looked up where it matters, and what decides about all of them. */
export interface Basis {
  readonly memory: () => Memory;
  /** Digest of the rules that decide now. */
  readonly rules: string;
  /** Returns the names that records had a value of and that none has now, each with how many had it. */
  readonly vanished: () => ReadonlyMap<string, number>;
}

/**
 * Returns why nothing in the record itself explains that the person comes, goes, comes back or loses a place (promise
 * 14); `null`: something does, or the change is none of these. Pure; every case has its line:
 *
 * | the record                                                      | doubt    |
 * |-----------------------------------------------------------------|----------|
 * | is gone                                                         | –        |
 * | is new                                                          | –        |
 * | is new, and a name that somebody had is filled for nobody       | vanished |
 * | has no value now of a name that it had a value of               | absent   |
 * | is out of a group that others are still in                      | –        |
 * | is out of a group of three or more that shows nobody            | emptied  |
 * | the same, and is in a group in which it was not                 | –        |
 * | has another value of a name, or a date in it has come           | –        |
 * | is as it was, and the rules or their tables are not             | edited   |
 * | has another value of a name, and the rules are other ones too   | –        |
 */
export function doubtOf(change: PersonChange, { memory, rules, vanished }: Basis): Doubt | null {
  if (change.doubt !== undefined) return change.doubt;
  if (!isDecided(change)) return null;
  const { before, now } = memory();
  if (now === null) return null;
  if (before === null) return doubtOfNew(vanished());
  return doubtOfRecord(before, now, rules) ?? doubtOfGroups(before.has, now, vanished);
}

/** Returns the doubt about a change that follows from groups which show nobody; `undefined`: there are none. */
export const doubtOfEmptied = (names: readonly string[]): Doubt | undefined =>
  names.length === 0 ? undefined : { is: 'emptied', names };

/** Returns why nothing explains that the rules say something else of the record now than they said before. */
export function doubtOfRecord(before: Seen, now: Decisive, rules: string): Doubt | null {
  if (before.rules !== rules) return hasAnother(before.has, now) ? null : { is: 'edited' };
  const names = lostNames(before.has, now).filter((name) => !isMembersOf(name));
  return names.length === 0 ? null : { is: 'absent', names };
}

function doubtOfGroups(before: Decisive, now: Decisive, vanished: Basis['vanished']): Doubt | null {
  const left = lostNames(before, now).filter((name) => isMembersOf(name));
  if (left.length === 0 || lostNames(now, before).some((name) => isMembersOf(name))) return null;
  const names = left.filter((name) => (vanished().get(name) ?? 0) >= CROWD);
  return doubtOfEmptied(names) ?? null;
}

/** Returns the names of one that the other has not. */
const lostNames = (one: Decisive, other: Decisive): readonly string[] =>
  Object.keys(one).filter((name) => !(name in other));

function doubtOfNew(vanished: ReadonlyMap<string, number>): Doubt | null {
  const names = [...vanished.keys()].filter((name) => !isMembersOf(name));
  return names.length === 0 ? null : { is: 'vanished', names };
}

/** Returns whether a name has another value than before. */
const hasAnother = (before: Decisive, now: Decisive): boolean =>
  Object.entries(before).some(([name, value]) => (now[name] ?? value) !== value);

const COMES_OR_GOES: ReadonlySet<Change['kind']> = new Set(['create', 'enable', 'disable', 'remove']);

/** Returns whether the change is one that only the record's own change may bring about. */
function isDecided(change: PersonChange): boolean {
  if (change.kind === 'update') return !isRepair(change) && losesPlace(change);
  return COMES_OR_GOES.has(change.kind);
}

function losesPlace({ before = [], payload }: PersonChange): boolean {
  const there = new Set(payload.positions.map(({ unit }) => unit));
  return before.some(({ unit }) => !there.has(unit));
}
