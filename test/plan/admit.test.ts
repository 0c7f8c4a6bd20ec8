import { describe, expect, test } from 'vitest';

import type { Change } from '../../src/domain/changes.ts';
import type { RecordedFailure } from '../../src/domain/ports/ledger/troubles.ts';
import { admit, type Tries } from '../../src/plan/changes/admit.ts';
import { plannedOf } from '../../src/plan/changes/change-digest.ts';
import { personChange } from './build.ts';

const NOW = 1_000_000_000;
const UNTRIED: Tries = { failures: new Map(), repairs: new Map(), waitsForNothing: false, now: NOW };
const planned = (change: Change) => plannedOf(change);

const updates = (...fields: readonly string[]) =>
  personChange('1', { kind: 'update', fields: fields.map((field) => ({ field, from: 'x', to: 'y' })) });
const edits = (...fields: readonly string[]) => ({ ...updates(...fields), why: { code: 'edited' } as const });

const hours = (tries: Tries, count: number): Tries => ({ ...tries, now: NOW + count * 3_600_000 });

describe('a change that somebody takes back', () => {
  const repairs = new Map([
    ['person 1 name', 3],
    ['person 1 email', 2],
  ]);
  const tries = { ...UNTRIED, repairs };

  test.each([
    ['each of its fields three times, is left', edits('name'), 'fought'],
    ['one of them less often, is set back once more', edits('name', 'email'), 'planned'],
    ['for another reason, is none', updates('name'), 'planned'],
    ['of another person, is none', { ...edits('name'), id: '2' }, 'planned'],
  ])('%s', (_, change, is) => {
    expect(admit(planned(change), tries).is).toBe(is);
  });

  test('is left with the question who does it, or what to do about a leaver', () => {
    expect(admit(planned(edits('name')), tries)).toMatchObject({
      reason: expect.stringContaining(' left: name;'),
    });
    const enabled = { ...edits('name'), kind: 'disable', why: { code: 'enabledAgain' } } as const;
    expect(admit(planned(enabled), tries)).toMatchObject({
      reason: expect.stringMatching(/^has left,/u),
    });
  });
});

describe('a change that the service refused', () => {
  const failedOf = (change: Change, attempts: number): Tries => {
    const { digest } = planned(change);
    const failure: RecordedFailure = {
      subject: 'person',
      id: change.id,
      label: 'u1',
      reason: 'refused',
      attempts,
      firstAt: 0,
      lastAt: NOW - 60_000,
      kind: 'refused',
      digest,
    };
    return { ...UNTRIED, failures: new Map([[`person ${change.id}`, failure]]) };
  };
  const update = personChange('1', { kind: 'update' });
  const leaver = personChange('1', { kind: 'disable' });

  test.each([
    ['once is tried again at once', admit(planned(update), failedOf(update, 1)), 'planned'],
    ['over and over waits', admit(planned(update), failedOf(update, 9)), 'waits'],
    ['waits no more as another change', admit(planned(edits('name')), failedOf(update, 9)), 'planned'],
    ['waits a day', admit(planned(update), hours(failedOf(update, 9), 23)), 'waits'],
    ['of a leaver waits an hour', admit(planned(leaver), hours(failedOf(leaver, 9), 1)), 'planned'],
    [
      'waits for nothing by hand',
      admit(planned(update), { ...failedOf(update, 9), waitsForNothing: true }),
      'planned',
    ],
  ])('%s', (_, admission, is) => {
    expect(admission.is).toBe(is);
  });
});
