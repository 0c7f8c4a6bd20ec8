import { expect, test } from 'vitest';
import type { PersonChange } from '../../src/domain/changes.ts';
import type { Decisive, Doubt } from '../../src/domain/records/records.ts';
import { doubtOf, type Basis } from '../../src/plan/doubt/doubt.ts';
import { personChange } from './build.ts';

const ENABLE = personChange('1', { kind: 'enable' });
const DISABLE = personChange('1', { kind: 'disable', guard: 'leavers' });
const CREATE = personChange('1');
const MOVE = personChange('1', { kind: 'update', guard: 'updates', before: [{ unit: 'tech', fields: {} }] });
const LOSES = personChange('1', {
  kind: 'update',
  guard: 'updates',
  before: [{ unit: 'tech', fields: {} }, ...CREATE.payload.positions],
});
const RENAME = personChange('1', { kind: 'update', guard: 'updates', before: CREATE.payload.positions });
const MADE_ANEW = personChange('1', { guard: 'gone' });
const SET_BACK: PersonChange = { ...MOVE, why: { code: 'edited' } };

const HERE: Decisive = { status: 'h' };
const LEFT: Decisive = { status: 'l' };
const NOTHING: Decisive = {};
const RED: Decisive = { 'members of red': '' };
const BLUE: Decisive = { 'members of blue': '' };
const ABSENT = { is: 'absent', names: ['status'] } as const;
const DEPT: Decisive = { 'dept, for a place': 'd' };
const NO_DEPT = { is: 'absent', names: ['dept, for a place'] } as const;
const EMPTIED = { is: 'emptied', names: ['members of red'] } as const;

/** A record that is read, of an account that works, under rules that nobody edited. */
const basis = (parts: Partial<Basis>): Basis => ({
  memory: () => ({ before: null, now: null }),
  isGone: false,
  isDisabled: false,
  rules: 'r',
  vanished: () => new Map(),
  doubtOfUnit: () => undefined,
  namesLostUnit: () => false,
  ...parts,
});

/** Returns the memory of a record that was seen under some rules. */
const seen = (before: Decisive | null, now: Decisive | null, rules = 'r'): Pick<Basis, 'memory'> => ({
  memory: () => ({ before: before === null ? null : { has: before, rules }, now }),
});

type Case = readonly [
  what: string,
  change: PersonChange,
  before: Decisive | null,
  now: Decisive | null,
  doubt: Doubt | null,
];

test.each<Case>([
  ['is gone', DISABLE, HERE, null, null],
  ['has another value', DISABLE, HERE, LEFT, null],
  ['has another value, and comes back', ENABLE, LEFT, HERE, null],
  ['has no value, and comes back', ENABLE, LEFT, NOTHING, ABSENT],
  ['has no value, and leaves', DISABLE, HERE, NOTHING, ABSENT],
  ['has no value, and moves by another one', MOVE, HERE, NOTHING, null],
  ['has no value that names a place, and moves', MOVE, DEPT, NOTHING, NO_DEPT],
  ['has another value that names a place, and moves', MOVE, DEPT, { 'dept, for a place': 'o' }, null],
  ['has no value that names a place, and leaves by another', DISABLE, { ...HERE, ...DEPT }, LEFT, null],
  ['has no value, and another name', RENAME, HERE, NOTHING, null],
  ['has no value, and is made anew', MADE_ANEW, HERE, NOTHING, ABSENT],
  ['has no value, and is set back', SET_BACK, HERE, NOTHING, null],
  ['is as it was: a date has come', DISABLE, HERE, HERE, null],
  ['is new', CREATE, null, HERE, null],
  ['has a value for the first time', DISABLE, NOTHING, LEFT, null],
  ['is in another group', MOVE, RED, BLUE, null],
  ['is in no group any more', MOVE, RED, NOTHING, null],
])('a record that %s', (...[, change, before, now, doubt]) => {
  expect(doubtOf(change, basis(seen(before, now)))).toEqual(doubt);
});

const LOCKED: Decisive = { NsAccountLock: 't' };
const NO_LOCK = { is: 'absent', names: ['NsAccountLock'] } as const;

test.each<readonly [string, PersonChange, Decisive, readonly string[], Doubt | null]>([
  ['that others have comes back', ENABLE, LOCKED, [], null],
  ['that nobody has now waits', ENABLE, LOCKED, ['NsAccountLock'], NO_LOCK],
  ['and without a status waits', ENABLE, { ...LOCKED, ...LEFT }, [], ABSENT],
  ['and leaves waits', DISABLE, LOCKED, [], NO_LOCK],
  ['of a partner comes back', ENABLE, { 'ad.nsAccountLock': 't' }, [], null],
])('who is without a lock %s', (...[, change, before, gone, doubt]) => {
  const vanished = new Map(gone.map((name) => [name, 3]));
  expect(doubtOf(change, basis({ ...seen(before, NOTHING), vanished: () => vanished }))).toEqual(doubt);
});

const ENABLED_BY_OTHERS = personChange('1', {
  kind: 'update',
  guard: 'updates',
  before: CREATE.payload.positions,
});

test('an account that we disabled and others enabled comes back as any other', () => {
  expect(doubtOf(ENABLED_BY_OTHERS, basis({ ...seen(LEFT, NOTHING), isDisabled: true }))).toEqual(ABSENT);
  expect(doubtOf(ENABLED_BY_OTHERS, basis(seen(LEFT, NOTHING)))).toBeNull();
});

test('a place in a unit that is gone is as much in doubt as the unit', () => {
  const edited = { is: 'edited' } as const;
  expect(
    doubtOf(
      MOVE,
      basis({ ...seen(HERE, HERE), doubtOfUnit: (unit) => (unit === 'tech' ? edited : undefined) }),
    ),
  ).toEqual(edited);
});

test.each<readonly [string, PersonChange, Decisive, Doubt | null]>([
  ['and no place instead', LOSES, DEPT, { is: 'absent', names: ['units that they name'] }],
  ['and another place instead', MOVE, DEPT, null],
  ['by another value than before', LOSES, { 'dept, for a place': 'o' }, null],
])('a record that names a unit that is gone, %s', (...[, change, now, doubt]) => {
  expect(doubtOf(change, basis({ ...seen(DEPT, now), namesLostUnit: () => true }))).toEqual(doubt);
});

test.each<readonly [string, Decisive | null, Decisive, number, Doubt | null]>([
  ['new, and nobody has a value', null, {}, 30, { is: 'vanished', names: ['status'] }],
  ['out of a group that shows nobody', RED, {}, 3, EMPTIED],
  ['out of a group of two', RED, {}, 2, null],
  ['in another group instead', RED, BLUE, 3, null],
])('where names have vanished: a record that is %s', (...[, before, now, had, doubt]) => {
  const vanished = new Map(before === null ? [['status', had]] : [['members of red', had]]);
  const change = before === null ? CREATE : MOVE;
  expect(doubtOf(change, basis({ ...seen(before, now), vanished: () => vanished }))).toEqual(doubt);
});

test.each<readonly [string, Decisive, Decisive, Doubt | null]>([
  ['the same values', { status: 'l' }, { status: 'l' }, { is: 'edited' }],
  ['other names, as the rules read others', { status: 'l' }, { state: 'x' }, { is: 'edited' }],
  ['another value too', { status: 'l' }, { status: 'h' }, null],
])('where the rules were edited: a record that has %s', (_, before, now, doubt) => {
  expect(doubtOf(DISABLE, basis({ ...seen(before, now, 'old'), rules: 'new' }))).toEqual(doubt);
});

test('where the rules were edited: a record that comes back is not explained by another value', () => {
  expect(doubtOf(ENABLE, basis({ ...seen(LEFT, HERE, 'old'), rules: 'new' }))).toEqual({ is: 'edited' });
});

test('where the rules were edited: a record that waits already is not explained by another value', () => {
  expect(doubtOf(DISABLE, basis({ ...seen(HERE, LEFT, ''), rules: 'new' }))).toEqual({ is: 'edited' });
});

test('where what is asked for was edited: a record that is gone', () => {
  expect(doubtOf(DISABLE, basis({ ...seen(HERE, null, 'old'), isGone: true, rules: 'new' }))).toEqual({
    is: 'edited',
  });
  const REMOVE = personChange('1', { kind: 'remove', guard: 'leavers' });
  expect(
    doubtOf(REMOVE, basis({ ...seen(HERE, null, 'old'), isGone: true, isDisabled: true, rules: 'new' })),
  ).toBeNull();
});

test('a change that is in doubt already stays so', () => {
  const doubt = { is: 'emptied', names: ['members of g'] } as const;
  expect(doubtOf({ ...DISABLE, doubt }, basis({}))).toEqual(doubt);
});
