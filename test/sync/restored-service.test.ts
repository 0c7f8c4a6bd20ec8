import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/domain/records/records.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { NO_GUARD, SYNC } from '../plan/build.ts';
import { UNSTOPPABLE } from '../../src/sync/state/world.ts';
import { at, inactive, loadedWorld, person, unit, type Ran, type World } from './world.ts';

const UNITS = [unit('a'), unit('b'), unit('c', 'a')];
const PEOPLE = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => person(id, { positions: [at('a')] }));

interface Yesterday {
  readonly people?: readonly Person[];
  readonly guard?: SyncSettings['guard'];
}

/** The service of the day before `day` comes back. */
async function restored(
  day: (world: World) => Promise<unknown>,
  { people = PEOPLE, guard = NO_GUARD }: Yesterday = {},
): Promise<World> {
  const world = await loadedWorld({ units: UNITS, people, sync: { ...SYNC, guard } });
  await world.sync({ later: 15 });
  const restore = world.sandbox.edit.backup();
  world.minutes(1_440);
  await day(world);
  expect((await world.sync({ later: 15 })).exitCode).toBe(0);
  restore();
  world.minutes(15);
  return world;
}

const leaves = (id: string) => async (world: World) => world.syncAfter(inactive(id));

const joins = (id: string) => async (world: World) => {
  world.change(({ units, people }) => ({
    units: [...units, unit(`n${id}`, 'b')],
    people: [...people, person(id, { positions: [at(`n${id}`)] })],
  }));
  return world.sync();
};

const kindOf = ({ report }: Ran): string => report.end.kind;

describe('the service of the day before', () => {
  test('leavers who are active again are locked by the next full run', async () => {
    const world = await restored(leaves('e'));
    expect(world.employee('le').locked).toBe(false);
    const ran = await world.sync({ full: true });
    expect([ran.exitCode, kindOf(ran), world.employee('le').locked]).toEqual([0, 'full', true]);
    const next = await world.sync({ later: 15 });
    expect([next.exitCode, kindOf(next), next.changing]).toEqual([0, 'incremental', []]);
  });

  test('joiners and units who are missing are made again by the next incremental run', async () => {
    const world = await restored(joins('x'));
    const ran = await world.sync();
    expect([ran.exitCode, ran.listed]).toEqual([0, []]);
    expect([world.employee('lx').locked, world.organization('nx').name]).toEqual([false, 'Unit nx']);
    expect((await world.sync({ later: 15, full: true })).changing).toEqual([]);
  });

  test('whose ids are given again to accounts of others: joiners get accounts of their own again', async () => {
    let lost = '';
    const world = await restored(async (it) => {
      const ran = await joins('x')(it);
      lost = it.employee('lx').id;
      return ran;
    });
    const { edit } = world.sandbox;
    world.serviceAhead(60);
    const positions = [{ org_id: world.organization('a').id, primary: true }];
    edit.addUser('first', 'First');
    const theirs = edit.addEmployee({ username: 'alien', name: 'Alien', positions });
    expect(theirs.id).toBe(lost);
    for (const full of [false, true]) {
      const ran = await world.sync({ full });
      expect([ran.exitCode, ran.listed]).toEqual([0, []]);
      world.minutes(15);
    }
    expect(world.employee('lx').id).not.toBe(lost);
    expect(world.employee(theirs?.username ?? '')).toMatchObject({
      id: lost,
      name: theirs?.name,
      locked: false,
    });
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });
});

describe('a full run that failed', () => {
  test('is owed: made up for a quarter of an hour later, then later and later', async () => {
    const world = await loadedWorld({ units: UNITS, people: PEOPLE });
    const kinds: unknown[] = [];
    world.minutes(15);
    const stop = AbortSignal.abort();
    kinds.push(kindOf(await world.sync({ full: true, stop })));
    kinds.push(kindOf(await world.sync({ later: 5 })));
    kinds.push(kindOf(await world.sync({ later: 15, stop })));
    kinds.push(kindOf(await world.sync({ later: 16 })));
    kinds.push(kindOf(await world.sync({ later: 16 })));
    kinds.push(kindOf(await world.sync({ later: 15 })));
    expect(kinds).toEqual(['full', 'incremental', 'full', 'incremental', 'full', 'incremental']);
  });
});

/** Nobody is there any more once the plan was made: what is asked for without a stop is asked for while it is carried out. */
const losingAll = (service: Service): Service => ({
  ...service,
  accountsById: async (accounts, signal) =>
    signal === UNSTOPPABLE
      ? { found: new Map(), unclear: new Map() }
      : service.accountsById(accounts, signal),
});

describe('a record that is not there when it is to be changed', () => {
  test('is listed, and the next run looks again', async () => {
    const world = await loadedWorld({ units: UNITS, people: PEOPLE });
    world.minutes(15);
    const ran = await world.syncAfter(inactive('b'), { through: losingAll });
    expect([ran.exitCode, kindOf(ran)]).toEqual([4, 'incremental']);
    const next = await world.sync({ later: 1 });
    expect([next.exitCode, kindOf(next), next.inside]).toEqual([0, 'incremental', []]);
    expect(world.employee('lb').locked).toBe(true);
  });
});
