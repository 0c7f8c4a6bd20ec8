import { expect, test } from 'vitest';
import { at, openWorld, person, unit, type World } from './world.ts';

const UNITS = { units: ['u1', 'u2', 'u3'].map((id) => unit(id)) };
const inUnits = (...refs: readonly string[]) => ({
  ...UNITS,
  people: [person('1', { positions: refs.map((ref) => at(ref)) }), person('2')],
});
const placesOf = (world: World): number => world.employee('l1').positions.length;

test('a bad reference costs a new person only itself, and is listed until it is corrected', async () => {
  const world = await openWorld(inUnits('u1', '-7'));
  const ran = await world.sync();
  expect([ran.exitCode, placesOf(world)]).toEqual([4, 1]);
  expect(ran.listed).toEqual(['1: positions: unit "-7" is unknown; left as it is, the rest goes on']);
  const again = await world.sync();
  expect([again.exitCode, again.changing]).toEqual([4, []]);
  world.change(() => inUnits('u1', 'u2'));
  expect([(await world.sync()).exitCode, placesOf(world)]).toEqual([0, 2]);
});

test('while a reference is bad the person gets new places and loses none', async () => {
  const world = await openWorld(inUnits('u1', 'u2'));
  await world.sync();
  world.change(() => inUnits('u3', '-7'));
  expect([(await world.sync()).exitCode, placesOf(world)]).toEqual([4, 3]);
  world.change(() => inUnits('u3'));
  expect([(await world.sync()).exitCode, placesOf(world)]).toEqual([0, 1]);
});

test('a person of whom no reference is known stays as they are', async () => {
  const world = await openWorld(inUnits('u1', 'u2'));
  await world.sync();
  world.change(() => inUnits('-7', '-8'));
  const ran = await world.sync();
  expect([ran.exitCode, ran.changing, placesOf(world)]).toEqual([4, [], 2]);
});
