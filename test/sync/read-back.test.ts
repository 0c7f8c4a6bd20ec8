import { describe, expect, test } from 'vitest';
import type { Service } from '../../src/domain/ports/service.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { NO_GUARD } from '../plan/build.ts';
import { expectSilence } from './reverting.ts';
import {
  at,
  loadedWorld,
  openWorld,
  person,
  unit,
  type Ran,
  type World,
  type WorldOptions,
} from './world.ts';

const MANY = 450;
const SECONDS = 1 / 60;
const COMPANY = {
  units: [unit('u1')],
  people: Array.from({ length: MANY }, (_, n) => person(String(1_000 + n), { positions: [at('u1')] })),
};

/** Each import takes some seconds, so that the reading back begins later than the last write. */
const slowly =
  (world: World) =>
  (service: Service): Service => ({
    ...service,
    importEmployees: async (bodies, signal) => {
      const outcomes = await service.importEmployees(bodies, signal);
      world.minutes(5 * SECONDS);
      return outcomes;
    },
  });

async function loaded(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld({ ...COMPANY, ...options });
  expect((await world.sync({ through: slowly(world) })).exitCode).toBe(0);
  world.minutes(1);
  return world;
}

describe('right after many were written and read back', () => {
  test('an edit since then is found by the next run, and by the one after the repair', async () => {
    const world = await loaded();
    for (const name of ['Once', 'Again']) {
      world.sandbox.edit.changeEmployee('l1007', { name });
      world.minutes(1);
      expect((await world.sync({ through: slowly(world) })).planned).toEqual(['update person 1007']);
      world.minutes(1);
    }
    expect(world.employee('l1007').name).toBe('Name 1007');
  });
});

/** Somebody else makes the account anew as soon as it was written. */
const madeAnew =
  (world: World, name: string) =>
  (service: Service): Service => ({
    ...service,
    importEmployees: async (bodies, signal) => {
      const outcomes = await service.importEmployees(bodies, signal);
      const { edit } = world.sandbox;
      const [place] = world.employee('l1').positions;
      edit.removeEmployee('l1');
      edit.addEmployee({ username: 'l1', name, positions: [{ org_id: place?.orgId }] });
      return outcomes;
    },
  });

describe('an account that others made between the write and the reading back', () => {
  const both = [person('1', { positions: [at('u1')] }), person('2', { positions: [at('u1')] })];
  const renamed = [person('1', { fields: { mobile: '123' }, positions: [at('u1')] }), ...both.slice(1)];

  async function swapped(name: string, guard: SyncSettings['guard']): Promise<{ world: World; ran: Ran }> {
    const world = await openWorld({ units: [unit('u1')], people: both, sync: { guard } });
    expect((await world.sync()).exitCode).toBe(0);
    world.minutes(1);
    world.change(() => ({ people: renamed }));
    return { world, ran: await world.sync({ through: madeAnew(world, name) }) };
  }

  test('is not ours, and waits as one that is adopted', async () => {
    const { world, ran } = await swapped('Stranger', { ...NO_GUARD, adopted: { percent: 0, count: 0 } });
    expect([ran.exitCode, ran.listed.join()]).toEqual([
      4,
      expect.stringMatching(/was imported, but the employees list does not have it/u),
    ]);
    const next = await world.sync({ later: 60, full: true });
    expect([next.exitCode, next.plan?.held.map(({ guard }) => guard), next.changing]).toEqual([
      3,
      ['adopted'],
      [],
    ]);
    world.change(() => ({ people: both.slice(1) }));
    for (let run = 0; run < 4; run += 1) expect((await world.sync({ later: 60 })).changing).toEqual([]);
    expect(world.employee('l1')).toMatchObject({ name: 'Stranger', locked: false });
  });
});

/** Takes imports of these people for done, and does nothing. */
const dropping =
  (usernames: readonly string[]) =>
  (service: Service): Service => ({
    ...service,
    importEmployees: async (bodies, signal) => {
      const sent = bodies.filter(({ username }) => !usernames.includes(username));
      const outcomes = sent.length === 0 ? [] : await service.importEmployees(sent, signal);
      return bodies.map((body) => outcomes[sent.indexOf(body)] ?? { outcome: 'done', value: '' });
    },
  });

/** Says yes to changes of nodes, and does none. */
const swallowing = (service: Service): Service => ({
  ...service,
  modifyOrganization: () => Promise.resolve(),
});

describe('a node that is shown exactly as before its change', () => {
  const renamed = { units: [unit('u1', null, { name: 'New' })] };

  test('was not changed: it fails, and is changed by the next run', async () => {
    const world = await loadedWorld({ units: [unit('u1')], people: [person('1')] });
    const ran = await world.syncAfter(() => renamed, { later: 1, through: swallowing });
    expect([ran.exitCode, ran.listed]).toEqual([
      4,
      ['u1: was changed, but is shown exactly as before: it is changed once more'],
    ]);
    const next = await world.sync({ later: 1 });
    expect([next.exitCode, next.listed, world.organization('u1').name]).toEqual([0, [], 'New']);
    await expectSilence(world, { later: 1 });
  });

  test('is kept so by the service if it is after a second change too', async () => {
    const world = await loadedWorld({ units: [unit('u1')], people: [person('1')] });
    await world.syncAfter(() => renamed, { later: 1, through: swallowing });
    const again = await world.sync({ later: 1, through: swallowing });
    expect([again.exitCode, again.changing]).toEqual([0, []]);
    await expectSilence(world, { later: 1 });
  });
});

describe('an account that is shown exactly as before its import', () => {
  const both = [person('1', { fields: { email: 'old@b.c' } }), person('2')];
  const IS_AS_BEFORE = /1: was imported, but is shown exactly as before/u;

  test.each([
    ['name', { fields: { name: 'New' } }],
    ['place', { positions: [at('u1'), at('u2')] }],
  ])('was not written (%s): it fails, and is written by the next run', async (_, to) => {
    const world = await loadedWorld({ people: both });
    const [one, two] = [person('1', to), person('2', { fields: { name: 'Other' } })];
    const ran = await world.syncAfter(() => ({ people: [one, two] }), {
      later: 1,
      through: dropping(['l1']),
    });
    expect([ran.exitCode, ran.listed.join(), world.employee('l2').name]).toEqual([
      4,
      expect.stringMatching(IS_AS_BEFORE),
      'Other',
    ]);
    const next = await world.sync({ later: 1 });
    expect([next.exitCode, next.listed, next.planned]).toEqual([0, [], ['update person 1']]);
    await expectSilence(world, { later: 1 });
  });

  test('is kept so by the service if it is after a second import too: nobody is written again and again', async () => {
    const world = await loadedWorld({ people: both });
    const people = [person('1', { fields: { name: 'New' } }), person('2')];
    const through = dropping(['l1']);
    expect((await world.syncAfter(() => ({ people }), { later: 1, through })).exitCode).toBe(4);
    const again = await world.sync({ later: 1, through });
    expect([again.exitCode, again.listed, again.planned]).toEqual([0, [], ['update person 1']]);
    await expectSilence(world, { later: 1, full: true });
  });
});
