import { expect, test } from 'vitest';
import { at, openWorld, person, SMALL, unit, type World, type WorldOptions } from './world.ts';

const PROTECTED: WorldOptions = { sync: { protect: { usernames: ['L1'], units: [] } } };
const [, two, three] = SMALL.people;
const MOVED = '1: protected by sync.protect: would be moved from unit u1 to unit u2';

async function loaded(options: WorldOptions = PROTECTED): Promise<World> {
  const world = await openWorld(options);
  expect((await world.sync()).exitCode).toBe(0);
  return world;
}

const placed = (world: World): string | undefined =>
  world.state().people.find((one) => one.startsWith('l1 '));

test('a protected person stays in the unit, other fields flow, and status says why in each run', async () => {
  const world = await loaded();
  world.change(() => ({
    people: [person('1', { positions: [at('u2')], fields: { name: 'New' } }), two, three],
  }));
  for (const changing of [['importEmployees'], [], []]) {
    const ran = await world.sync({ full: changing.length === 0 });
    expect([ran.exitCode, ran.listed, ran.changing.length]).toEqual([4, [MOVED], changing.length]);
    expect(placed(world)).toBe('l1 New u1[primary]');
  }
  world.configure({ protect: { usernames: [], units: [] } });
  expect((await world.sync()).exitCode).toBe(0);
  expect(placed(world)).toBe('l1 New u2[primary]');
});

test('a unit that is removed waits for the protected person in it', async () => {
  const world = await loaded({ ...PROTECTED, people: [person('1', { positions: [at('u2')] }), two, three] });
  world.change(() => ({ units: [unit('u1')], people: [person('1'), person('2'), three] }));
  for (let times = 0; times < 2; times += 1) {
    const ran = await world.sync();
    expect(ran.exitCode).toBe(4);
    expect(ran.listed.toSorted()).toEqual([
      '1: protected by sync.protect: would be moved from unit u2 to unit u1',
      'u2: waits to be removed, still there: employees l1',
    ]);
    expect(placed(world)).toBe('l1 Name 1 u2[primary]');
  }
});

test('an account that is protected is not replaced by one with another username', async () => {
  const world = await loaded({ sync: { ...PROTECTED.sync, usernameChange: 'replace' } });
  world.change(() => ({ people: [person('1', { username: 'new', fields: { name: 'New' } }), two, three] }));
  const ran = await world.sync();
  expect([ran.exitCode, ran.plan?.held]).toEqual([4, []]);
  expect(ran.listed).toEqual(['1: protected by sync.protect: the account would be replaced by new']);
  expect(placed(world)).toBe('l1 New u1[primary]');
});
