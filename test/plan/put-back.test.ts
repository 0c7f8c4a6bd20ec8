import { describe, expect, test } from 'vitest';
import type { FieldChange } from '../../src/domain/changes.ts';
import type { HistoryEntry } from '../../src/domain/ports/history.ts';
import type { FieldValue } from '../../src/domain/records/fields.ts';
import { netChanges, personBefore } from '../../src/plan/revert/put-back.ts';
import { entry as personEntry, SYNC } from './build.ts';

const change = (field: string, from: FieldValue | null, to: FieldValue | null): FieldChange => ({
  field,
  from,
  to,
});

const entry = (fields: readonly FieldChange[], more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  n: 1,
  at: 0,
  run: 'r',
  subject: 'person',
  id: '1',
  label: 'ann',
  kind: 'update',
  fields,
  why: { code: 'changed' },
  guard: null,
  approval: null,
  ...more,
});

const NOW = { isThere: () => true, unitsGone: SYNC.unitsGone, hasPicture: () => true };

/** What these changes come to, with what was last sent. */
function before(entries: readonly HistoryEntry[], sent: Readonly<Record<string, FieldValue | null>>) {
  const [done] = netChanges(entries, []);
  if (done === undefined) throw new Error('nothing was changed');
  return personBefore(done, personEntry({ id: '1', sent: { fields: sent, positions: [] } }), NOW);
}

const back = (fields: Readonly<Record<string, FieldValue | null>>) => ({
  wanted: { active: true, payload: { fields, positions: [] } },
});

describe('a revert puts back', () => {
  test('the value from before all changes of the run, be it none', () => {
    const entries = [entry([change('email', null, 'a@x')]), entry([change('email', 'a@x', 'b@x')])];
    expect(before(entries, { email: 'b@x' })).toEqual(back({ email: null }));
  });

  test('parts of a map; those that were not there are emptied', () => {
    const from = { 1: ['x'] };
    const to = { 1: ['y'], 2: ['z'] };
    expect(before([entry([change('properties', from, to)])], { properties: to })).toEqual(
      back({ properties: { 1: ['x'], 2: [] } }),
    );
  });

  test('a whole record or nothing of it: one value that cannot be put back keeps the others', () => {
    const fields = [change('email', 'a', 'b'), change('mobile', '138****1', '2')];
    expect(before([entry(fields)], { email: 'b', mobile: '2' })).toEqual({
      reason: 'mobile: was shown masked',
    });
  });

  test('nothing of a record that is as before already', () => {
    expect(before([entry([change('email', 'a', 'b')])], { email: 'a' })).toBeNull();
  });

  test('no record that only followed a unit, or is as it was after all', () => {
    const others = [change('email', 'a', 'b'), change('email', 'b', 'a')];
    expect(netChanges([entry([]), ...others.map((one) => entry([one], { id: '2' }))], [])).toEqual([]);
  });
});

test.each<readonly [string, FieldChange, Partial<HistoryEntry>, Readonly<Record<string, FieldValue>>]>([
  ['changed since', change('email', 'a', 'b'), {}, { email: 'c' }],
  ['email: it is not mapped any more', change('email', 'a', 'b'), {}, {}],
  ['mobile: was shown masked', change('mobile', '138****1', '2'), {}, { mobile: '2' }],
  ['email: what it was is not known', change('email', null, 'b'), { kind: 'adopt' }, { email: 'b' }],
  ['secrets: they are written down nowhere', change('secrets', null, 'changed'), {}, {}],
  ['the account was removed: it cannot be brought back', change('email', 'a', null), { kind: 'remove' }, {}],
  [
    'the username went to another id or account: that is not undone',
    change('id', 'a', 'b'),
    { kind: 'adopt', guard: 'usernameReuse' },
    {},
  ],
])('a revert leaves, and names: %s', (text, one, more, sent) => {
  expect(before([entry([one], more)], sent)).toEqual({ reason: text });
});

const [LOCK, UNLOCK] = [change('active', true, false), change('active', false, true)];

interface LaterCase {
  readonly done: Partial<HistoryEntry> & Pick<HistoryEntry, 'fields'>;
  readonly later: readonly FieldChange[];
  readonly state?: 'managed' | 'disabled';
  readonly reason: string | null;
}

test.each<readonly [string, LaterCase]>([
  [
    'has another value in between',
    {
      done: { fields: [change('email', 'a', 'b')] },
      later: [change('email', 'b', 'c'), change('email', 'c', 'b')],
      reason: 'changed since',
    },
  ],
  [
    'came with this run',
    {
      done: { kind: 'create', fields: [change('email', null, 'b')] },
      later: [change('job', 'x', 'y')],
      reason: 'changed since',
    },
  ],
  [
    'left once more',
    {
      done: { kind: 'disable', fields: [LOCK] },
      later: [UNLOCK, LOCK],
      state: 'disabled',
      reason: 'changed since',
    },
  ],
  ['is back', { done: { kind: 'disable', fields: [LOCK] }, later: [UNLOCK], reason: null }],
])('a revert leaves what a later run has changed: somebody who %s', (_, each) => {
  const { fields, ...more } = each.done;
  const [net] = netChanges([entry(fields, more)], [entry(each.later, { run: 'later', n: 2 })]);
  const sent = { fields: { email: 'b' }, positions: [] };
  const now = personEntry({ id: '1', state: each.state ?? 'managed', sent });
  expect(net && personBefore(net, now, NOW)).toEqual(each.reason === null ? null : { reason: each.reason });
});
