import { describe, expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/errors.ts';
import type { RunRecord } from '../../src/domain/ports/ledger/runs.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { SYNC } from '../plan/build.ts';
import { loadedWorld, openWorld, person, unit, type World } from './world.ts';

const IDS = Array.from({ length: 12 }, (_, index) => String(index + 1));
const old = (id: string) => person(id, { fields: { email: `${id}@example.com` } });
const COMPANY = { units: [unit('u1')], people: IDS.map(old) } as const satisfies MemoryWorld;
const few = { percent: 5, count: 3 };
/** Trips above 3 leavers, joiners or emptied fields. */
const TIGHT: SyncSettings['guard'] = { ...SYNC.guard, leavers: few, joiners: few, emptied: few };

const first = (count: number, change: (id: string) => ReturnType<typeof person>) => ({
  people: IDS.map((id, index) => (index < count ? change(id) : old(id))),
});
const left = (count: number) => first(count, (id) => person(id, { active: false }));

const loaded = (): Promise<World> => loadedWorld({ ...COMPANY, sync: { guard: TIGHT } });

const notNow = (): Promise<never> => Promise.reject(new RefusedError('not now', 990_001));
const refusesUnits = (service: Service): Service => ({
  ...service,
  importOrganizations: notNow,
  createOrganization: notNow,
});

describe('a first load of which nothing or little could be done', () => {
  const many = Array.from({ length: 30 }, (_, index) => person(`${index}`));

  test('is over after a week, whatever was left', async () => {
    const world = await openWorld({ units: [unit('u1')], people: many, sync: { guard: SYNC.guard } });
    await world.sync({ through: refusesUnits });
    await world.sync({ later: 8 * 24 * 60, through: refusesUnits });
    expect((await world.sync()).plan?.held).toMatchObject([{ guard: 'joiners', count: 30 }]);
  });
});

describe('an approval', () => {
  test('releases what was listed and is planned unchanged; what came since is held under a new hash', async () => {
    const world = await loaded();
    const listed = (await world.syncAfter(() => left(4))).plan?.held[0]?.hash ?? '';
    const ran = await world.syncAfter(() => left(5), { approve: [listed] });
    expect([ran.exitCode, ran.changing]).toEqual([3, Array.from({ length: 4 }, () => 'disableEmployee')]);
    expect(ran.plan?.held).toMatchObject([{ guard: 'leavers', count: 1, first: ['l5 (Name 5)'] }]);
    expect(ran.plan?.held[0]?.hash).not.toBe(listed);
    expect(world.employee('l5').locked).toBe(false);
  });

  test('is refused with a sentence where nothing is held under the hash, and nothing is sent', async () => {
    const world = await loaded();
    const ran = await world.syncAfter(() => left(2), { approve: ['000000000000'] });
    const known: RunRecord[] = [];
    expect([ran.exitCode, ran.changing]).toEqual([2, []]);
    expect(ran.error).toMatch(/000000000000.*rollcall status/u);
    // Nobody's run has failed by it: the last one is still the load.
    const runs = await world.sync({
      after: ({ ledger }) => {
        known.push(...ledger.runs.last(9));
        return Promise.resolve();
      },
    });
    expect(known.map(({ id, result }) => [id, result])).toEqual([
      [runs.report.run, 'ok'],
      [expect.any(String), 'ok'],
    ]);
  });

  test('outlives a run that could not carry it out, and lapses after 7 days', async () => {
    const world = await loaded();
    const hash = (await world.syncAfter(() => left(4))).plan?.held[0]?.hash ?? '';
    world.sandbox.setFaults('rate=1,kinds=500,ops=disableEmployee');
    expect((await world.sync({ approve: [hash] })).exitCode).not.toBe(3);
    expect((await world.sync({ later: 24 * 60 })).exitCode).not.toBe(3);
    expect(world.employee('l1').locked).toBe(false);
    world.minutes(7 * 24 * 60);
    world.sandbox.setFaults(undefined);
    expect((await world.sync()).exitCode).toBe(3);
    expect((await world.sync({ approve: [hash] })).exitCode).toBe(0);
    expect(world.employee('l4').locked).toBe(true);
  });
});

test('an approval outlasts the pauses of a change that the service refuses', async () => {
  const guard = { ...SYNC.guard, leavers: { percent: 0, count: 0 } };
  const world = await loadedWorld({ ...COMPANY, sync: { guard } });
  const held = await world.syncAfter(() => left(2));
  const { id } = world.employee('l1');
  const through = (service: Service): Service => ({
    ...service,
    disableEmployee: (employeeId, signal) =>
      employeeId === id
        ? Promise.reject(new RefusedError('not yet', 990_001))
        : service.disableEmployee(employeeId, signal),
  });
  const approve = [held.plan?.held[0]?.hash ?? ''];
  const codes: number[] = [];
  for (let times = 0; times < 3; times += 1) {
    const ran = await world.sync({ through, approve: times === 0 ? approve : [] });
    expect(ran.plan?.held).toEqual([]);
    codes.push(ran.exitCode);
  }
  expect(codes).toEqual([4, 4, 4]);
  const last = await world.sync({ later: 20 });
  expect([last.exitCode, last.plan?.held, world.employee('l1').locked]).toEqual([0, [], true]);
});
