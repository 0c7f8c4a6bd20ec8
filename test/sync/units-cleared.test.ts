import { expect, test } from 'vitest';
import { openWorld, unit, type World } from './world.ts';

const numbered = (sortOrder: string | null) => ({
  units: [unit('u1', null, { sort_order: sortOrder }), unit('u2', 'u1')],
});

test('a mapped sort_order of a unit that turns empty is cleared', async () => {
  const world: World = await openWorld(numbered('5'));
  await world.sync();
  expect(world.organization('u1').sortOrder).toBe(5);
  world.change(() => numbered(null));
  expect((await world.sync()).exitCode).toBe(0);
  expect(world.organization('u1').sortOrder).toBeUndefined();
  expect((await world.sync({ full: true })).changing).toEqual([]);
});

test.each([['own'], ['codes'], ['null']])(
  'a node that somebody deleted before we do is gone, whatever an unknown id is called (notFound=%s)',
  async (notFound) => {
    const world = await openWorld({ readings: [`notFound=${notFound}`] });
    await world.sync();
    world.change(({ units, people }) => ({
      units: units.filter((one) => !('id' in one) || one.id !== 'u2'),
      people: people.filter((one) => one.id !== '2'),
    }));
    world.sandbox.edit.removeOrganization(world.organization('u2').id);
    for (const full of [false, true]) await world.sync({ full });
    expect((await world.sync()).listed.filter((line) => line.startsWith('u2'))).toEqual([]);
  },
);
