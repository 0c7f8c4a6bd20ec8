import { describe, expect, test } from 'vitest';
import { SINGLE } from '../chaos/cases.ts';
import { openWorld } from '../sync/world.ts';
import { company, reorganized } from './company.ts';
import { expectedState } from './expected-state.ts';

/** Told below, and in `test/sync/locks.test.ts`; types of messages are none of a run's. */
const ELSEWHERE = /^(?:asyncImport|fillsNodes|lockIgnored|lockLater|pushTypes)=/u;

/** Every value that is no default, alone; then worlds of several. */
const CASES: readonly (readonly string[])[] = [
  ...SINGLE.filter(([reading = '']) => !ELSEWHERE.test(reading)),
  // Nothing shows who is locked, and much could be done to them.
  ['hidesLocked', 'importEnables', 'disabledCount=off', 'deleteCascades'],
  // Both make rollcall ask and send more.
  ['hidesLocked', 'positions=merge', 'absent=clear'],
  ['pathKeys=ids', 'keysLower', 'importIds=user', 'errors=http4xx', 'notFound=own', 'lockOnly', 'pageCap=3'],
];

describe('load, reorganization, and then silence', () => {
  test.each(CASES.map((readings) => ({ readings })))('$readings', async ({ readings }) => {
    const before = company({ units: 12, people: 40 });
    const after = reorganized(before);
    const world = await openWorld({ ...before, readings });
    expect((await world.sync()).listed).toEqual([]);
    expect(world.state()).toEqual(expectedState(before));
    expect((await world.sync()).changing).toEqual([]);
    world.change(() => after);
    const ran = await world.sync();
    expect(ran.listed).toEqual([]);
    expect(ran.exitCode).toBe(0);
    expect(world.state()).toEqual(expectedState(after, before));
    for (const full of [false, true, false]) {
      const next = await world.sync({ full });
      expect(next.changing).toEqual([]);
      expect(next.exitCode).toBe(0);
    }
  });
});

test('fillsNodes: a move would lose what the service has filled in, which is asked, then silence', async () => {
  const before = company({ units: 12, people: 40 });
  const after = reorganized(before);
  const world = await openWorld({ ...before, readings: ['fillsNodes'] });
  expect((await world.sync()).exitCode).toBe(0);
  world.change(() => after);
  const held = await world.sync();
  expect([held.exitCode, held.plan?.held.map(({ guard }) => guard)]).toEqual([3, ['lost']]);
  expect((await world.sync({ approve: held.plan?.held.map(({ hash }) => hash) ?? [] })).exitCode).toBe(0);
  expect(world.state()).toEqual(expectedState(after, before));
  expect((await world.sync({ full: true })).changing).toEqual([]);
});

test('asyncImport: what is visible later is waited for; nodes that are left are deleted after that', async () => {
  const before = company({ units: 12, people: 40 });
  const after = reorganized(before);
  const world = await openWorld({ ...before, readings: ['asyncImport=200ms'] });
  expect((await world.sync()).listed).toEqual([]);
  expect(world.state()).toEqual(expectedState(before));
  expect((await world.sync({ full: true })).changing).toEqual([]);
  world.change(() => after);
  const ran = await world.sync();
  expect(ran.exitCode).toBe(0);
  expect(ran.changing.slice(-2)).toEqual(['deleteOrganization', 'deleteOrganization']);
  expect(ran.changing).not.toContain('modifyEmployee');
  expect(world.state()).toEqual(expectedState(after, before));
  expect((await world.sync({ full: true })).changing).toEqual([]);
});
