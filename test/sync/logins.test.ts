import { describe, expect, test } from 'vitest';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { at, loadedWorld, person, refusal, SMALL, type Ran, type World, type WorldOptions } from './world.ts';

type People = MemoryWorld['people'];
const [, two, three] = SMALL.people;

/** Loaded; then the source has these people, and three runs read it. */
async function afterwards(
  people: People,
  options: WorldOptions = {},
): Promise<readonly [World, readonly Ran[]]> {
  const world = await loadedWorld(options);
  world.change(() => ({ people }));
  const runs: Ran[] = [];
  for (const full of [false, false, true]) runs.push(await world.sync({ later: 11, full }));
  return [world, runs];
}

const last = (runs: readonly Ran[]): Ran => runs.at(-1)!;

const nameless = (label: string | null, active: boolean | null = true) => ({
  ...refusal('person', null, 'id'),
  label,
  active,
});

const left = (field: string, label: string | null = 'l1') => ({
  ...refusal('person', '1', field),
  label,
  active: false,
});
const gone = (parts: Parameters<typeof person>[1] = {}) => person('1', { active: false, ...parts });

describe('a record without id', () => {
  test('and without username is nobody: listed by its place, and leaving goes on', async () => {
    const [world, runs] = await afterwards([two, three, nameless(null)]);
    expect(runs.map(({ planned }) => planned)).toEqual([[], ['disable person 1'], []]);
    for (const { exitCode, listed } of runs)
      expect([exitCode, listed]).toEqual([4, ['row of null: id: cannot be used']]);
    expect(world.employee('l1').locked).toBe(true);
  });

  test('keeps whose username it has, beside a sound record nobody', async () => {
    const [world, runs] = await afterwards([nameless('L2'), three, nameless('l3')]);
    expect(runs.map(({ planned }) => planned)).toEqual([[], ['disable person 1'], []]);
    expect(last(runs).listed.toSorted()).toEqual(['2: id: cannot be used', 'l3: id: cannot be used']);
    expect(world.state().people.filter((text) => text.includes('locked'))).toHaveLength(1);
  });

  test('is known by the username that the source had, where the account kept another', async () => {
    const renamed = person('1', { username: 'new' });
    const [world] = await afterwards([renamed, two, three]);
    world.change(() => ({ people: [nameless('New'), two, three] }));
    for (let reads = 1; reads <= 3; reads += 1)
      expect((await world.sync({ later: 11 })).listed).toEqual(['1: id: cannot be used']);
    expect(world.employee('l1').locked).toBe(false);
  });
});

describe('who says that they have left, and is bad otherwise', () => {
  const CASES: readonly (readonly [string, People])[] = [
    ['without name', [left('name'), two, three]],
    ['without id, known by the username', [{ ...left('id'), id: null }, two, three]],
    ['twice', [gone(), gone({ fields: { name: 'Other' } }), two, three]],
  ];

  test.each(CASES)('%s: leaves at once', async (_, people) => {
    const [world, runs] = await afterwards(people);
    expect(runs.map(({ planned }) => planned.filter((one) => !one.startsWith('create')))).toEqual([
      ['disable person 1'],
      [],
      [],
    ]);
    expect(world.employee('l1').locked).toBe(true);
    expect(world.employee('l2').locked || world.employee('l3').locked).toBe(false);
    expect(last(runs).listed.filter((one) => one.startsWith('1:'))).toEqual([]);
  });

  test.each<readonly [string, People]>([
    ['one record says it and one does not', [gone(), person('1'), two, three]],
    ['one that cannot be read does not', [gone(), { ...left('name'), active: true }, two, three]],
    ['it cannot be told', [{ ...left('name'), active: null }, two, three]],
  ])('stays where %s, and is named', async (_, people) => {
    const [world, runs] = await afterwards(people);
    for (const { exitCode, changing, listed } of runs) {
      expect([exitCode, changing]).toEqual([4, []]);
      expect(listed.join('\n')).toMatch(/^1: /mu);
    }
    expect(world.employee('l1').locked).toBe(false);
  });

  test('and whom we do not know is nothing to us', async () => {
    const [world, runs] = await afterwards([...SMALL.people, { ...left('name', 'old'), id: '77' }]);
    expect(last(runs).exitCode).toBe(0);
    expect(world.state().people).toHaveLength(3);
  });

  test('leaves where a row of positions of theirs is bad, and the missing one of such a row too', async () => {
    const rows = SMALL.people.map(({ id }) => ({ person: id, position: at('u1') }));
    const bad = ['1', '3'].map((id) => refusal('position', id, 'unit'));
    const world = await loadedWorld({
      positions: rows,
      people: SMALL.people.map((one) => ({ ...one, positions: [] })),
    });
    const [one, second] = world.source.world.people;
    world.change(() => ({
      positions: [rows[1]!, ...bad],
      people: [{ ...one, active: false } as typeof one, second!] as People,
    }));
    expect((await world.sync()).planned).toEqual(['disable person 1']);
    expect((await world.sync({ later: 11 })).planned).toEqual(['disable person 3']);
  });
});
