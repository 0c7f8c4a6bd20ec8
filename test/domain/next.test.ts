import { describe, expect, test } from 'vitest';
import { next, type Known, type PersonEvent, type ShownAccount } from '../../src/domain/records/next.ts';

const PERSON: Known = {
  id: '1',
  username: 'ann',
  sourceName: null,
  state: 'managed',
  employeeId: 'e1',
  created: 5,
  sent: 'old',
  nodes: '[]',
  accepted: 'shown',
  hash: 'h',
  print: 'p',
  secretHash: null,
  broughtBy: null,
  open: false,
  misses: 1,
  missedAt: 1,
  missedBy: null,
  disabledAt: null,
};

const STATES = {
  unknown: null,
  'asked for': { ...PERSON, state: 'creating', employeeId: null, accepted: null, hash: null, open: true },
  creating: { ...PERSON, state: 'creating', open: true },
  managed: PERSON,
  locking: { ...PERSON, disabledAt: 7 },
  disabled: { ...PERSON, state: 'disabled', hash: null, disabledAt: 2 },
  removed: { ...PERSON, state: 'removed', hash: null, accepted: null },
  'removed while locked': { ...PERSON, state: 'removed', hash: null, disabledAt: 2 },
} as const satisfies Readonly<Record<string, Known | null>>;

const record = {
  username: 'ann',
  active: true,
  hash: 'new',
  print: 'q',
  secretHash: null,
  broughtBy: null,
} as const;
const account = { id: 'e1', username: 'ann', locked: false, created: 5, shown: 'shown' } as const;

const claimed = (joins: boolean): PersonEvent => ({ is: 'claimed', username: 'anna', sent: 'x', joins });
const imported = (how: object): PersonEvent => ({
  is: 'imported',
  username: 'ann',
  sent: 'x',
  nodes: '[]',
  isNew: false,
  account: 'e1',
  record,
  ...how,
});
const shown = (how: Partial<ShownAccount>, isTaken = false): PersonEvent => ({
  is: 'shown',
  account: { ...account, ...how },
  isTaken,
});
const unchanged = (how: object): PersonEvent => ({
  is: 'unchanged',
  accepted: null,
  record,
  hasLeft: false,
  ...how,
});

const EVENTS = {
  'claimed to create': claimed(true),
  'claimed to change': claimed(false),
  refused: { is: 'refused' },
  imported: imported({}),
  'imported as new': imported({ isNew: true, account: null }),
  'imported to another account': imported({ account: 'e2' }),
  locking: { is: 'locking', at: 8 },
  'not locked': { is: 'locking', at: null },
  disabled: { is: 'disabled', at: 9, account: null },
  enabled: { is: 'enabled' },
  removed: { is: 'removed' },
  vanished: { is: 'vanished' },
  reopened: { is: 'reopened' },
  unclear: { is: 'unclear' },
  shown: shown({}),
  'shown edited': shown({ shown: 'edited' }),
  'shown locked': shown({ locked: true }),
  'shown spelled otherwise': shown({ username: 'Ann' }),
  'shown renamed': shown({ username: 'bob' }),
  'shown renamed, as another person': shown({ username: 'bob' }, true),
  'shown renamed, made at another time': shown({ username: 'bob', created: 2_000 }),
  'shown with another id': shown({ id: 'e2' }),
  'read back': { is: 'readBack', account },
  unchanged: unchanged({}),
  'unchanged and inactive': unchanged({ accepted: 'new', record: { ...record, active: false } }),
  'unchanged without a record': unchanged({ record: null }),
  missing: { is: 'missing', misses: 2, at: 9 },
  here: { is: 'here' },
  nowhere: { is: 'nowhere' },
  'known by another id': { is: 'rekeyed' },
} as const satisfies Readonly<Record<string, PersonEvent>>;

/** What becomes of each state, in their order; `-`: nothing is known, `=`: nothing changes; `lock`: one was sent. */
const CELLS = `
  claimed to create: creating anna open no account unread 0 misses | creating open no account unread | creating open h e1 | creating open h e1 | creating+lock open h e1 | creating+lock open e1 | creating anna open e1 unread | creating+lock anna open e1
  claimed to change: creating anna open no account unread 0 misses | creating open no account unread | creating open h e1 | managed open h e1 | managed+lock open h e1 | disabled open e1 | creating anna open e1 unread | creating+lock anna open e1
  refused: - | - | removed open h e1 | = | = | = | = | =
  imported: - | managed new no account unread 0 misses | managed new e1 unread 0 misses | managed new e1 unread 0 misses | managed new e1 unread 0 misses | managed new e1 unread 0 misses | managed new e1 unread 0 misses | managed new e1 unread 0 misses
  imported as new: - | managed new no account unread 0 misses | managed new no account unread 0 misses | managed new no account unread 0 misses | managed new no account unread 0 misses | managed new no account unread 0 misses | managed new no account unread 0 misses | managed new no account unread 0 misses
  imported to another account: - | managed new no account unread 0 misses | managed new no account unread 0 misses | managed new no account unread 0 misses | managed new no account unread 0 misses | managed new no account unread 0 misses | managed new no account unread 0 misses | managed new no account unread 0 misses
  locking: - | creating+lock open no account unread | creating+lock open h e1 | managed+lock h e1 | managed+lock h e1 | = | removed+lock e1 unread | removed+lock e1
  not locked: - | creating open no account unread | creating open h e1 | managed h e1 | managed h e1 | = | removed e1 unread | removed e1
  disabled: - | disabled no account unread | disabled e1 | disabled e1 | disabled e1 | disabled e1 | disabled e1 unread | disabled e1
  enabled: - | managed open no account unread | managed open e1 | managed e1 | managed e1 | managed e1 | managed e1 unread | managed e1
  removed: - | removed no account unread | removed e1 unread | removed e1 unread | removed+lock e1 unread | removed+lock e1 unread | removed e1 unread | removed+lock e1 unread
  vanished: - | removed no account unread | removed e1 | removed e1 | removed+lock e1 | removed+lock e1 | removed e1 unread | removed+lock e1
  reopened: - | creating open no account unread | creating open e1 | managed open e1 | managed+lock open e1 | disabled open e1 | removed open e1 unread | removed+lock open e1
  unclear: - | = | = | managed open h e1 | managed+lock open h e1 | disabled open e1 | removed open e1 unread | removed+lock open e1
  shown: - | = | = | = | = | disabled open e1 | managed open e1 unread | disabled open e1
  shown edited: - | = | = | managed open h e1 | managed+lock open h e1 | disabled open e1 | managed open e1 unread | disabled open e1
  shown locked: - | = | = | managed open h e1 | disabled open e1 | = | managed open e1 unread | disabled open e1
  shown spelled otherwise: - | = | creating Ann open h e1 | managed Ann open h e1 | managed+lock Ann open h e1 | disabled Ann open e1 | managed Ann open e1 unread | disabled Ann open e1
  shown renamed: - | = | creating bob open h e1 (ann) | managed bob open h e1 (ann) | managed+lock bob open h e1 (ann) | disabled bob open e1 (ann) | = | =
  shown renamed, as another person: - | = | creating open h e1 | managed open h e1 | managed+lock open h e1 | disabled open e1 | = | =
  shown renamed, made at another time: - | = | = | = | = | = | = | =
  shown with another id: - | = | = | managed open h e1 | managed+lock open h e1 | disabled open e1 | = | =
  read back: - | creating e1 | creating h e1 | managed h e1 | managed+lock h e1 | disabled e1 | removed e1 | removed+lock e1
  unchanged: - | creating new no account unread | creating new e1 | managed new e1 | managed+lock new e1 | disabled new e1 | removed new e1 unread | removed+lock new e1
  unchanged and inactive: - | creating no account new | creating e1 new | managed e1 new | managed+lock e1 new | disabled e1 new | removed e1 new | removed+lock e1 new
  unchanged without a record: - | creating no account unread | creating h e1 | managed h e1 | managed+lock h e1 | disabled e1 | removed e1 unread | removed+lock e1
  missing: - | creating open no account unread 2 misses | creating open h e1 2 misses | managed h e1 2 misses | managed+lock h e1 2 misses | disabled e1 2 misses | removed e1 unread 2 misses | removed+lock e1 2 misses
  here: - | creating open no account unread 0 misses | creating open h e1 0 misses | managed h e1 0 misses | managed+lock h e1 0 misses | disabled e1 0 misses | removed e1 unread 0 misses | removed+lock e1 0 misses
  nowhere: - | - | removed e1 unread 0 misses | removed e1 unread 0 misses | removed+lock e1 unread 0 misses | removed+lock e1 unread 0 misses | removed e1 unread 0 misses | removed+lock e1 unread 0 misses
  known by another id: - | creating open no account unread 0 misses | creating open e1 0 misses | managed open e1 0 misses | managed+lock open e1 0 misses | disabled open e1 0 misses | removed open e1 unread 0 misses | removed+lock open e1 0 misses
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(': ') as [keyof typeof EVENTS, string]);

/** Says what matters of a person who had an account `e1`, shown as it was accepted, and one miss. */
function inWords(known: Known | null): string {
  if (known === null) return '-';
  const { state, username, sourceName, open, hash, employeeId, accepted, misses, disabledAt } = known;
  return [
    state !== 'disabled' && disabledAt !== null ? `${state}+lock` : state,
    username === 'ann' ? '' : username,
    open ? 'open' : '',
    hash ?? '',
    employeeId ?? 'no account',
    sourceName === null ? '' : `(${sourceName})`,
    accepted === 'shown' ? '' : (accepted ?? 'unread'),
    misses === 1 ? '' : `${misses} misses`,
  ]
    .filter(Boolean)
    .join(' ');
}

describe.each(CELLS)('a person who is %s', (event, cells) => {
  test.each(
    Object.keys(STATES).map((state, at) => [state as keyof typeof STATES, cells.split(' | ')[at]] as const),
  )('and was %s is: %s', (state, expected) => {
    const before = STATES[state];
    const after = next('1', before, EVENTS[event]);
    expect(before !== null && after === before ? '=' : inWords(after)).toBe(expected);
  });
});

test('every event has its cells', () => {
  expect(CELLS.map(([event]) => event)).toEqual(Object.keys(EVENTS));
});
