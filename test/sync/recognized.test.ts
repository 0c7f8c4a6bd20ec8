import { describe, expect, test } from 'vitest';
import { at, loadedWorld, openWorld, person, unit, type World } from './world.ts';

const UNITS = [unit('u1'), unit('u2', 'u1')];
const PEOPLE = [person('1'), person('2', { positions: [at('u2')] }), person('3')];

/** Ids of people whose records the next run decodes. */
async function decoded(world: World, full = false): Promise<readonly string[]> {
  const ran = await world.sync({ full });
  expect([ran.error, ran.exitCode]).toEqual(['', 0]);
  return world.source.decoded.toSorted();
}

const loaded = (): Promise<World> => loadedWorld({ units: UNITS, people: PEOPLE });

describe('people whose records are as they were', () => {
  test('are decoded by nobody right after they were sent, and count all the same', async () => {
    const world = await loaded();
    const ran = await world.sync();
    expect([world.source.decoded, ran.planned, ran.exitCode]).toEqual([[], [], 0]);
    expect(JSON.stringify(ran.lines.find((line) => JSON.stringify(line).includes('source.read')))).toContain(
      '"people":3',
    );
  });

  test('are told from those who changed', async () => {
    const world = await loaded();
    world.change(() => ({ people: [person('1', { fields: { name: 'New' } }), ...PEOPLE.slice(1)] }));
    expect(await decoded(world)).toEqual(['1']);
    expect(await decoded(world)).toEqual([]);
    expect(world.employee('l1').name).toBe('New');
  });

  test('are all decoded by a full run, which sees what was recognized wrongly', async () => {
    const world = await loaded();
    expect(await decoded(world, true)).toEqual(['1', '2', '3']);
  });

  test.each([
    ['a table of the configuration', (world: World) => (world.source.alsoDecides = 'another')],
    [
      'who is protected',
      (world: World) => world.configure({ protect: { usernames: [], units: [], where: 'x' } }),
    ],
    ['where orphans go', (world: World) => world.configure({ orphans: 'root' })],
    ['what is asked', (world: World) => (world.source.asks = { units: '', people: 'other', positions: '' })],
  ])('are all decoded where %s changes', async (_, change) => {
    const world = await loaded();
    change(world);
    expect(await decoded(world)).toEqual(['1', '2', '3']);
    expect(await decoded(world)).toEqual([]);
  });

  test('are never recognized where the time decides', async () => {
    const world = await loaded();
    world.source.alsoDecides = null;
    expect(await decoded(world)).toEqual(['1', '2', '3']);
  });

  test('are decoded as long as something of them has to be told', async () => {
    const lost = person('1', { losses: [{ field: 'birthday', reason: 'no date' }] });
    const secret = person('2', { secrets: { id_card: '123' } });
    const guarded = person('3', { isProtected: true });
    const world = await openWorld({ units: UNITS, people: [lost, secret, guarded, person('4')] });
    for (let run = 0; run < 2; run += 1) await world.sync();
    expect(world.source.decoded.toSorted()).toEqual(['1', '2', '3']);
  });
});
