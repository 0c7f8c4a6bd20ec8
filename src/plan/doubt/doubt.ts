import { COMES_OR_GOES, isRepair, type Change, type PersonChange } from '../../domain/changes.ts';
import { isLock } from '../../domain/directories/known-ends.ts';
import type { Explained, Memory } from '../../domain/ports/ledger/source-stage.ts';
import { digest } from '../../lib/digest.ts';
import { hashLine } from '../changes/change-digest.ts';
import { FEWEST_MEMBERS } from '../../domain/reading/source-part.ts';
import {
  isForPlace,
  isMembersOf,
  type Decisive,
  type Doubt,
  type SeenRecord,
} from '../../domain/records/records.ts';

/** What a person's record was and is, which is looked up only if it matters, and what decides about all of them. */
export interface Basis {
  readonly memory: () => Memory;
  /** Whether the read does not show the person, or leaves them out of scope. */
  readonly isGone: boolean;
  /** Whether the account is one that we disabled. */
  readonly isDisabled: boolean;
  /** Digest of the rules that decide now. */
  readonly rules: string;
  /** Returns the names that records had a value of and that none has now, each with how many had it. */
  readonly vanished: () => ReadonlyMap<string, number>;
  /** Returns why nothing explains that a unit is out of the tree; `undefined`: it is in it, or something does. */
  readonly doubtOfUnit: (unit: string) => Doubt | undefined;
  /** Returns whether the record names a unit that the read does not have, beside others. */
  readonly namesLostUnit: () => boolean;
}

const EDITED: Doubt = { is: 'edited' };
const UNIT_LOST: Doubt = { is: 'absent', names: ['units that they name'] };

/**
 * Returns why nothing in the record itself explains that the person comes, goes, comes back or loses a place
 * (promise 14). `null`: something explains it, or the change is none of these. Pure; every case has its line:
 *
 * | the record                                                         | doubt       |
 * |--------------------------------------------------------------------|-------------|
 * | is gone                                                            | –           |
 * | is gone, and the rules changed since it was seen                   | edited      |
 * | is new                                                             | –           |
 * | is new, and a name that records had values of has none any more    | vanished    |
 * | lacks a value of a name that it had a value of                     | absent      |
 * | lacks a lock that others have, and the person comes or comes back  | –           |
 * | is out of a group that still has members                           | –           |
 * | is out of a group that had three or more members and shows none    | emptied     |
 * | the same, and is in a group in which it was not                    | –           |
 * | has another value of a name, or a date in it has come              | –           |
 * | is unchanged, and the rules or their tables changed                | edited      |
 * | has another value of a name, and the rules changed too             | –           |
 * | the same, and the person comes or comes back                       | edited      |
 * | the same, and a change that follows from edited rules waits        | edited      |
 * | is in a unit that is gone, and nothing explains that               | as the unit |
 * | names a unit that is gone as before, and no new one                | absent      |
 *
 * Different names explain these: a place is lost by the values that name it, all else by the other values.
 */
export function doubtOf(change: PersonChange, basis: Basis): Doubt | null {
  if (change.doubt !== undefined) return change.doubt;
  if (isComing(change, basis)) return doubtOfComing(change, basis);
  const places = isRepair(change) ? [] : lostPlaces(change);
  return places.length === 0 ? null : (doubtOfPlaces(places, basis) ?? doubtOfNamed(change, basis));
}

/**
 * Returns whether the record explained this very change before the rules were edited, and still has the values that did,
 * or is gone still: then an edit is no reason to doubt it.
 */
export function staysExplained({ has, as }: Explained, change: Change, now: Decisive | null): boolean {
  const { kind } = change;
  const isKnown = as.includes(kind === 'update' || kind === 'move' ? digest(hashLine(change)) : kind);
  if (has === null || now === null) return isKnown && has === now;
  return isKnown && Object.entries(has).every(([name, value]) => now[name] === value);
}

const isForAccount = (name: string): boolean => !isForPlace(name);

/** Returns why nothing explains that the person comes, goes or comes back. */
function doubtOfComing({ kind }: PersonChange, basis: Basis): Doubt | null {
  const { before, now } = basis.memory();
  // Of an account that we disabled, the days are over: an edit since then has not brought that about.
  if (now === null && (!basis.isGone || basis.isDisabled)) return null;
  if (before === null) return now === null ? null : doubtOfNew(basis.vanished());
  if (now !== null && isEdited(before, basis.rules) && !LEAVES.has(kind)) return EDITED;
  const isUnlock = (name: string): boolean =>
    !LEAVES.has(kind) && isLock(name) && !basis.vanished().has(name);
  return doubtOfSeen(before, now, { ...basis, isMeant: (name) => isForAccount(name) && !isUnlock(name) });
}

/** Returns why nothing explains that the person is in these units no more. */
function doubtOfPlaces(units: readonly string[], basis: Basis): Doubt | null {
  const [doubt] = units.flatMap((unit) => basis.doubtOfUnit(unit) ?? []);
  if (doubt !== undefined) return doubt;
  const { before, now } = basis.memory();
  return before === null || now === null ? null : doubtOfSeen(before, now, { ...basis, isMeant: isForPlace });
}

/** Returns that the unit of a lost place may be hidden: the record still names it, and it is in no unit in which it was not. */
function doubtOfNamed({ before: places = [], payload }: PersonChange, basis: Basis): Doubt | null {
  const had = new Set(places.map(({ unit }) => unit));
  if (payload.positions.some(({ unit }) => !had.has(unit)) || !basis.namesLostUnit()) return null;
  const { before, now } = basis.memory();
  return hasAnother(placesIn(before?.has), placesIn(now)) ? null : UNIT_LOST;
}

const placesIn = (has: Decisive | null | undefined): Decisive =>
  Object.fromEntries(Object.entries(has ?? {}).filter(([name]) => isForPlace(name)));

function doubtOfSeen(before: SeenRecord, now: Decisive | null, basis: Basis & Rules): Doubt | null {
  const doubt = doubtOfRecord(before, now, basis);
  return doubt ?? (now === null ? null : doubtOfGroups(before.has, now, basis.vanished));
}

/**
 * Returns the doubt about a change that follows from groups without visible members; `undefined`: there are
 * no such groups.
 */
export const doubtOfEmptied = (names: readonly string[]): Doubt | undefined =>
  names.length === 0 ? undefined : { is: 'emptied', names };

interface Rules {
  /** Digest of those that decide now. */
  readonly rules: string;
  /** Returns whether what changes rests on a name; absent: on all of them. */
  readonly isMeant?: (name: string) => boolean;
}

/**
 * Returns why nothing explains that the rules say something else of the record now than they said before.
 *
 * @param now `null`: the read has no such record
 */
export function doubtOfRecord(
  before: SeenRecord,
  now: Decisive | null,
  { rules, isMeant = () => true }: Rules,
): Doubt | null {
  if (now === null) return isEdited(before, rules) ? EDITED : null;
  if (isEdited(before, rules)) return before.rules !== '' && hasAnother(before.has, now) ? null : EDITED;
  const names = lostNames(before.has, now).filter((name) => !isMembersOf(name) && isMeant(name));
  return names.length === 0 ? null : { is: 'absent', names };
}

/** Returns whether the record was last seen under other rules. */
const isEdited = (before: SeenRecord, rules: string): boolean => before.rules !== rules;

function doubtOfGroups(before: Decisive, now: Decisive, vanished: Basis['vanished']): Doubt | null {
  const left = lostNames(before, now).filter((name) => isMembersOf(name));
  if (left.length === 0 || lostNames(now, before).some((name) => isMembersOf(name))) return null;
  const names = left.filter((name) => (vanished().get(name) ?? 0) >= FEWEST_MEMBERS);
  return doubtOfEmptied(names) ?? null;
}

/** Returns the names of one that the other has not. */
const lostNames = (one: Decisive, other: Decisive): readonly string[] =>
  Object.keys(one).filter((name) => !(name in other));

function doubtOfNew(vanished: ReadonlyMap<string, number>): Doubt | null {
  const names = [...vanished.keys()].filter((name) => !isMembersOf(name) && !isForPlace(name));
  return names.length === 0 ? null : { is: 'vanished', names };
}

/** Returns whether a name has another value than before. */
const hasAnother = (before: Decisive, now: Decisive): boolean =>
  Object.entries(before).some(([name, value]) => (now[name] ?? value) !== value);

const LEAVES: ReadonlySet<Change['kind']> = new Set(['disable', 'remove']);

/** Returns whether the person comes, goes or comes back; an account that others have enabled comes back as well. */
const isComing = (change: PersonChange, { isDisabled }: Pick<Basis, 'isDisabled'>): boolean =>
  COMES_OR_GOES.includes(change.kind) || (change.kind === 'update' && isDisabled);

/** Returns the units in which the person would not be any more; the root of the service is in no doubt. */
function lostPlaces({ kind, before = [], payload }: PersonChange): readonly string[] {
  if (kind !== 'update') return [];
  const there = new Set(payload.positions.map(({ unit }) => unit));
  return before.flatMap(({ unit }) => (unit === null || there.has(unit) ? [] : [unit]));
}
