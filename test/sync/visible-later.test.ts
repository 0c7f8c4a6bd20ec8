import { expect, test } from 'vitest';
import { openWorld, person } from './world.ts';

test('a field that was empty, filled in a service that shows imports later, is nobody’s edit', async () => {
  const world = await openWorld({ readings: ['asyncImport=2s'] });
  await world.sync();
  const filled = person('1', { fields: { mobile: '123', email: 'a@b.c' } });
  world.change(({ people }) => ({ people: [filled, ...people.slice(1)] }));
  const ran = await world.sync();
  expect([ran.exitCode, ran.changing]).toEqual([0, ['importEmployees']]);
  for (const full of [false, true]) {
    world.minutes(1);
    const next = await world.sync({ full });
    expect([next.planned, next.changing]).toEqual([[], []]);
  }
});
