import { describe, expect, test } from 'vitest';
import { RefusedError, ServiceError } from '../../src/domain/errors.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import { SYNC } from '../plan/build.ts';
import { loadedWorld, person, SMALL, type Ran, type World, type WorldOptions } from './world.ts';

const ONCE = { leavers: { ...SYNC.leavers, misses: 1 } } as const;
const NONE_MAY = { ...SYNC.guard, leavers: { percent: 0, count: 0 } };
const refusing = (service: Service): Service => ({
  ...service,
  employees: (...args) => service.employees(...args),
  disableEmployee: () => Promise.reject(new RefusedError('not allowed', 990_001)),
});

const settled = (options: WorldOptions = {}): Promise<World> =>
  loadedWorld({ ...options, sync: { ...ONCE, ...options.sync } });

const inactive = (world: World): void =>
  world.change(() => ({ people: [person('1', { active: false }), ...SMALL.people.slice(1)] }));
const missing = (world: World): void => world.change(() => ({ people: SMALL.people.slice(1) }));

/** Named in this run, and again by an incremental and a full run in which nothing changed. */
async function namedAgain(world: World, first: Ran): Promise<readonly Ran[]> {
  const incremental = await world.sync({ later: 15 });
  return [first, incremental, await world.sync({ later: 15, full: true })];
}

describe.each([
  ['inactive', inactive],
  ['missing', missing],
] as const)('who is %s and still has an active account is named by every run', (_, leave) => {
  test('held by a guard: with the command that releases it', async () => {
    const world = await settled({ sync: { guard: NONE_MAY } });
    leave(world);
    for (const ran of await namedAgain(world, await world.sync())) {
      const hash = ran.plan?.held[0]?.hash;
      expect([ran.exitCode, ran.inside]).toEqual([3, [`1: held: rollcall sync --approve ${hash}`]]);
    }
    expect(world.employee('l1').locked).toBe(false);
  });

  test('protected', async () => {
    const world = await settled({ sync: { protect: { usernames: ['l1'], units: [] } } });
    leave(world);
    for (const ran of await namedAgain(world, await world.sync())) {
      expect(ran.exitCode).toBe(4);
      expect(ran.inside).toEqual([expect.stringContaining('1: protected by sync.protect')]);
    }
  });

  test('refused, in the words of the service, also while it is not asked again', async () => {
    const world = await settled();
    leave(world);
    const runs: Ran[] = [];
    for (const minutes of [1, 1, 1, 1]) runs.push(await world.sync({ later: minutes, through: refusing }));
    for (const ran of runs) {
      expect(ran.exitCode).toBe(4);
      expect(ran.inside).toEqual([expect.stringContaining('not allowed')]);
    }
  });
});

describe('who is missing and still has an active account', () => {
  test('is held while a record with a new id has the username, and leaves when that is gone', async () => {
    const world = await loadedWorld();
    const others = SMALL.people.slice(1);
    world.change(() => ({ people: [...others, person('9', { username: 'l1' })] }));
    for (const ran of await namedAgain(world, await world.sync())) {
      expect(ran.exitCode).toBe(3);
      expect(ran.plan?.held.map(({ guard, first }) => [guard, first])).toEqual([
        ['usernameReuse', [expect.stringContaining('9')]],
      ]);
      expect(ran.changes.map(({ why }) => why)).toMatchObject([{ code: 'sameName' }]);
    }
    expect(world.employee('l1').locked).toBe(false);
    const gone = await world.syncAfter(() => ({ people: others }), { later: 15 });
    expect(gone.planned).toEqual(['disable person 1']);
  });
});

const ending = (service: Service): Service => ({
  ...service,
  disableEmployee: () => Promise.reject(new ServiceError('the token is refused')),
});

describe.each([
  ['inactive', inactive],
  ['missing', missing],
] as const)('who is %s is named also by a run that ends early', (how, leave) => {
  const active = (reason: string): RegExp =>
    new RegExp(`^1: ${how} in the source, and the run ended before the account was locked: .*${reason}`, 'u');

  test('before it came to them', async () => {
    const world = await settled();
    leave(world);
    const ran = await world.sync({ through: ending });
    expect([ran.exitCode, ran.inside]).toEqual([1, [expect.stringMatching(active('the token is refused'))]]);
    const next = await world.sync();
    expect([next.exitCode, next.inside]).toEqual([0, []]);
  });

  test('and stays named by one that could read nothing', async () => {
    const world = await settled({ sync: { guard: NONE_MAY } });
    leave(world);
    const [held] = await namedAgain(world, await world.sync());
    world.source.breakage = { part: 'people', after: 0 };
    const ran = await world.sync({ later: 15 });
    expect([ran.exitCode, ran.inside]).toEqual([1, held?.inside]);
  });
});

test('a leaver whose disable is refused for days is tried again within the hour, and at once by sync --full', async () => {
  const world = await settled();
  inactive(world);
  for (let tries = 0; tries < 12; tries += 1) await world.sync({ later: 24 * 60, through: refusing });
  expect((await world.sync({ later: 1 })).inside).toEqual([
    expect.stringMatching(/^1: not allowed \(12 times; tried again/u),
  ]);
  expect((await world.sync({ later: 60, through: refusing })).changing).toEqual([]);
  expect((await world.sync({ full: true })).changing).toEqual(['disableEmployee']);
});

test('who was named as inactive, and has no record any more before the account is locked, goes on being named', async () => {
  const world = await loadedWorld({ sync: { guard: NONE_MAY, leavers: { ...SYNC.leavers, misses: 3 } } });
  inactive(world);
  expect((await world.sync()).exitCode).toBe(3);
  missing(world);
  for (const exitCode of [4, 4, 3]) {
    const ran = await world.sync({ later: 15 });
    expect([ran.exitCode, ran.inside.length, world.employee('l1').locked]).toEqual([exitCode, 1, false]);
  }
  const back = await world.syncAfter(() => ({ people: SMALL.people }));
  expect([back.exitCode, back.inside]).toEqual([0, []]);
});
