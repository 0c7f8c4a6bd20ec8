import { describe, expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/errors.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import { loadedWorld, person, SMALL, type World } from './world.ts';

const DAY = 1_440;
const YEAR = 365 * DAY;

const leaves = (world: World): void => world.change(({ people }) => ({ people: people.slice(0, 2) }));

async function loaded(): Promise<World> {
  const world = await loadedWorld({
    sync: { leavers: { misses: 2, action: 'disable', removeAfterDays: 30 } },
  });
  world.minutes(15);
  return world;
}

const isHere = (world: World): boolean => world.sandbox.state.employee('l3') !== undefined;

test('a miss that was counted in the future is due: the next read disables', async () => {
  const world = await loaded();
  leaves(world);
  await world.sync({ later: DAY });
  await world.sync({ later: -DAY + 1 });
  expect(world.employee('l3').locked).toBe(true);
});

test('a change that was refused in the future is tried again at once', async () => {
  const world = await loaded();
  const refuse = { through: (service: Service): Service => ({ ...service, importEmployees: refused }) };
  world.change(() => ({ people: [...SMALL.people.slice(0, 2), person('3', { fields: { name: 'New' } })] }));
  world.minutes(DAY);
  for (const _ of [1, 2]) await world.sync(refuse);
  expect((await world.sync(refuse)).planned).toEqual([]);
  expect((await world.sync({ later: -DAY })).planned).toEqual(['update person 3']);
});

const refused = (): Promise<never> => Promise.reject(new RefusedError('no', 990_001));

async function disabled(world: World): Promise<void> {
  leaves(world);
  await world.sync();
  await world.sync({ later: 15 });
  expect(world.employee('l3').locked).toBe(true);
}

describe('the days until a disabled account is removed', () => {
  test('begin anew where they began in the future: nobody is removed early, nor waits for years', async () => {
    const world = await loaded();
    world.minutes(YEAR);
    await disabled(world);
    await world.sync({ later: -YEAR });
    await world.sync({ later: 29 * DAY });
    expect(isHere(world)).toBe(true);
    await world.sync({ later: 2 * DAY });
    expect(isHere(world)).toBe(false);
  });
});
