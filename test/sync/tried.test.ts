import { expect, test } from 'vitest';
import type { ItemOutcome, Service } from '../../src/domain/ports/service.ts';
import { NO_GUARD, SYNC } from '../plan/build.ts';
import { openWorld, person, unit, type World } from './world.ts';

const PEOPLE = ['1', '2', '3'].map((id) => person(id));
const REFUSED: ItemOutcome = { outcome: 'refused', reason: 'the mail could not be sent' };

/** Makes no account for l3, and says so. */
const refusing = (service: Service): Service => ({
  ...service,
  importEmployees: async (bodies, signal) => {
    const taken = bodies.filter(({ username }) => username !== 'l3');
    const outcomes = taken.length === 0 ? [] : [...(await service.importEmployees(taken, signal))];
    return bodies.map(({ username }) => (username === 'l3' ? REFUSED : (outcomes.shift() ?? REFUSED)));
  },
});

/** Of three people one was refused, and has left the source since. */
async function refused(): Promise<World> {
  const leavers = { ...SYNC.leavers, misses: 1, missEveryMinutes: 0 };
  const world = await openWorld({
    units: [unit('u1')],
    people: PEOPLE,
    sync: { ...SYNC, guard: NO_GUARD, leavers },
  });
  const ran = await world.sync({ through: refusing });
  expect([ran.exitCode, ran.listed]).toEqual([4, [expect.stringContaining('the mail could not be sent')]]);
  world.minutes(15);
  world.change(({ people }) => ({ people: people.filter(({ id }) => id !== '3') }));
  return world;
}

/** What the service made in spite of what it said, or somebody by hand. */
function shows(world: World, username: string): void {
  const positions = [{ org_id: world.organization('u1').id, primary: true }];
  world.sandbox.edit.addEmployee({ username, name: username, positions });
}

test.each([0, 1])('an account that was refused and made all the same leaves, %s runs later', async (runs) => {
  const world = await refused();
  for (let times = 0; times < runs; times += 1) {
    expect((await world.sync()).exitCode).toBe(0);
    world.minutes(15);
  }
  shows(world, 'L3');
  const ran = await world.sync();
  expect(ran.planned).toEqual(['disable person 3']);
  expect(world.employee('L3').locked).toBe(true);
});

test('a month later it is somebody else’s account', async () => {
  const world = await refused();
  await world.sync();
  world.minutes(30 * 1_440);
  shows(world, 'l3');
  const ran = await world.sync({ full: true });
  expect([ran.exitCode, ran.changing, ran.report.end.unmanaged]).toEqual([0, [], 1]);
});

test('it is who works under the username by now', async () => {
  const world = await refused();
  world.change(({ people }) => ({ people: [...people, person('30', { username: 'l3' })] }));
  shows(world, 'l3');
  const ran = await world.sync();
  expect([ran.exitCode, ran.planned]).toEqual([0, ['adopt person 30']]);
  world.minutes(15);
  expect((await world.sync({ full: true })).changing).toEqual([]);
  expect(world.employee('l3').locked).toBe(false);
});
