import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import type { Unit } from '../../src/domain/records/records.ts';
import { Crash, crashing } from '../doubles/crashing-ledger.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { at, openWorld, person, stateOf, unit, type State, type World } from './world.ts';

interface Case {
  readonly why: string;
  readonly units: readonly Unit[];
  readonly next: readonly Unit[];
  /** `kind id` of what happens to units. */
  readonly planned: readonly string[];
}

const named = (id: string, parent: string | null, name: string): Unit => unit(id, parent, { name });

const CASES: readonly Case[] = [
  {
    why: 'one unit to the top',
    units: [unit('a'), unit('b', 'a')],
    next: [unit('a'), unit('b')],
    planned: ['move unit b'],
  },
  {
    why: 'a whole subtree',
    units: [unit('a'), unit('b'), unit('c', 'b'), unit('d', 'c'), unit('e', 'c')],
    next: [unit('a'), unit('b', 'a'), unit('c', 'b'), unit('d', 'c'), unit('e', 'c')],
    planned: ['move unit b', 'move unit c', 'move unit d', 'move unit e'],
  },
  {
    why: 'several at once, one into the other',
    units: [unit('a'), unit('b'), unit('c'), unit('d', 'c')],
    next: [unit('a'), unit('b', 'c'), unit('c', 'a'), unit('d', 'a')],
    planned: ['move unit b', 'move unit c', 'move unit d'],
  },
  {
    why: 'a unit into its former child',
    units: [unit('a'), unit('b', 'a'), unit('c', 'b')],
    next: [unit('b'), unit('a', 'b'), unit('c', 'b')],
    planned: ['move unit a', 'move unit b', 'move unit c'],
  },
  {
    why: 'a move and a rename together',
    units: [unit('a'), unit('b', 'a')],
    next: [unit('a'), named('b', null, 'Other')],
    planned: ['move unit b'],
  },
  {
    why: 'a swap of two sibling names',
    units: [named('a', null, 'X'), named('b', null, 'Y'), unit('c', 'a')],
    next: [named('a', null, 'Y'), named('b', null, 'X'), unit('c', 'a')],
    planned: ['update unit a', 'update unit b'],
  },
  {
    why: 'names going round among three siblings',
    units: [named('a', null, 'X'), named('b', null, 'Y'), named('c', null, 'Z')],
    next: [named('a', null, 'Y'), named('b', null, 'Z'), named('c', null, 'X')],
    planned: ['update unit a', 'update unit b', 'update unit c'],
  },
  {
    why: 'a swap of two places, names staying with the place',
    units: [unit('a'), unit('b'), named('c', 'a', 'X'), named('d', 'b', 'X')],
    next: [unit('a'), unit('b'), named('c', 'b', 'X'), named('d', 'a', 'X')],
    planned: ['move unit c', 'move unit d'],
  },
  {
    why: 'a move onto a name that a removed sibling still holds',
    units: [unit('a'), named('b', 'a', 'X'), named('c', null, 'X')],
    next: [unit('a'), named('b', null, 'X')],
    planned: ['move unit b', 'remove unit c'],
  },
  {
    why: 'a new unit onto a name that a removed sibling still holds',
    units: [unit('a', null, { name: 'X', serial_no: 'S1' })],
    next: [unit('b', null, { name: 'X', serial_no: 'S2' })],
    planned: ['create unit b', 'remove unit a'],
  },
  {
    why: 'the same unit under another id',
    units: [named('a', null, 'X'), unit('c', 'a')],
    next: [named('b', null, 'X'), unit('c', 'b')],
    planned: ['update unit b'],
  },
  {
    why: 'a new unit onto the name that a moved one leaves',
    units: [unit('a'), named('b', null, 'X'), unit('c', 'b')],
    next: [unit('a'), named('b', 'a', 'X'), unit('c', 'b'), named('d', null, 'X')],
    planned: ['create unit d', 'move unit b', 'move unit c'],
  },
  {
    why: 'two units merged into one',
    units: [unit('a'), unit('b'), unit('c')],
    next: [unit('a'), unit('c')],
    planned: ['remove unit b'],
  },
  {
    why: 'out of a unit that goes',
    units: [unit('a'), unit('b', 'a'), unit('c', 'b')],
    next: [unit('c'), unit('n')],
    planned: ['create unit n', 'move unit c', 'remove unit a', 'remove unit b'],
  },
];

/** Two people in each unit, one of them also in the first; where the unit goes, they go to the first. */
function peopled(units: readonly Unit[], before: readonly Unit[] = units): MemoryWorld {
  const first = units[0]?.id ?? '';
  const here = (id: string) => (units.some((one) => one.id === id) ? id : first);
  const ids = [...new Set([...before, ...units].map(({ id }) => id))];
  const people = ids.flatMap((id) => [
    person(`${id}1`, { positions: [at(here(id), { job_title: 'Clerk' })] }),
    person(`${id}2`, {
      positions: here(id) === first ? [at(first)] : [at(here(id), { primary: true }), at(first)],
    }),
  ]);
  return { units, people: before === units ? people : people.filter((one) => hasUnit(one.id, before)) };
}

const hasUnit = (personId: string, units: readonly Unit[]): boolean =>
  units.some(({ id }) => personId.startsWith(id));

/** The service as a first load of this source leaves it. */
async function loaded(source: MemoryWorld): Promise<State> {
  const world = await openWorld(source);
  await world.sync();
  return world.state();
}

/** Who was seen locked or without a position at any call. */
function watch({ sandbox }: World): readonly string[] {
  const harmed: string[] = [];
  sandbox.onCall = ({ operation }) => {
    for (const { username, locked, positions } of sandbox.state.employees()) {
      const there = positions.some(({ orgId }) => sandbox.state.organization(orgId) !== undefined);
      if (locked || !there) harmed.push(`${username} at ${operation}`);
    }
  };
  return harmed;
}

const idsOf = ({ sandbox }: World): readonly string[] =>
  sandbox.state
    .employees()
    .map(({ username, id }) => `${username} ${id}`)
    .toSorted();

const unitsOf = (planned: readonly string[]) => planned.filter((text) => text.includes(' unit '));

const READINGS = [[], ['siblings=merge']];

describe.each(READINGS.map((readings) => ({ readings })))('under $readings', ({ readings }) => {
  test.each(CASES)('$why', async ({ units, next, planned }) => {
    const world = await openWorld({ ...peopled(units), readings });
    await world.sync();
    const ids = idsOf(world);
    world.change(() => peopled(next, units));
    const harmed = watch(world);
    world.minutes(1);
    const ran = await world.sync();
    expect([ran.error, ran.exitCode, ran.listed]).toEqual(['', 0, []]);
    expect(unitsOf(ran.planned).toSorted()).toEqual([...planned].toSorted());
    expect(world.state()).toEqual(await loaded(peopled(next, units)));
    expect(idsOf(world)).toEqual(ids);
    expect(harmed).toEqual([]);
    for (const full of [false, true]) {
      world.minutes(1);
      const again = await world.sync({ full });
      expect([again.exitCode, again.planned, again.changing]).toEqual([0, [], []]);
    }
  });
});

const CRASHED = /subtree|former child|swap|removed sibling/u;

describe('a crash', () => {
  test.each(CASES.filter(({ why }) => CRASHED.test(why)))(
    'at any write of the journal: $why',
    async ({ units, next }) => {
      const target = await loaded(peopled(next, units));
      for (let step = 2; ; step += 1) {
        const dies = { at: Math.floor(step / 2), when: step % 2 === 0 ? 'before' : 'after' } as const;
        const world = await openWorld(peopled(units));
        await world.sync();
        const ids = idsOf(world);
        world.change(() => peopled(next, units));
        const harmed = watch(world);
        const wrap = (ledger: Ledger): Ledger => crashing(ledger, dies.at, dies.when);
        const crashed = await world.sync({ wrap }).then(
          () => false,
          (error: unknown) => error instanceof Crash,
        );
        world.minutes(2);
        const ran = await world.sync();
        expect([dies, ran.error, ran.exitCode, ran.listed]).toEqual([dies, '', 0, []]);
        expect([dies, stateOf(world.sandbox)]).toEqual([dies, target]);
        expect([idsOf(world), harmed]).toEqual([ids, []]);
        world.minutes(1);
        const again = await world.sync({ full: true });
        expect([dies, again.exitCode, again.planned, again.changing]).toEqual([dies, 0, [], []]);
        if (crashed) continue;
        expect(step).toBeGreaterThan(8);
        break;
      }
    },
  );
});

const children = (parent: string): readonly Unit[] =>
  Array.from({ length: 40 }, (_, index) => unit(`m${index}`, parent));

test('many units take three calls each: the tag, the look into the old node, its removal; lists tell the rest', async () => {
  const world = await openWorld({ units: [unit('a'), unit('b'), ...children('a')], people: [] });
  await world.sync();
  world.minutes(15);
  world.change(() => ({ units: [unit('a'), unit('b'), ...children('b')] }));
  const ran = await world.sync();
  const count = (operation: string): number =>
    ran.calls.filter((call) => call.operation === operation).length;
  expect([
    ran.exitCode,
    count('modifyOrganization'),
    count('viewOrganization'),
    count('deleteOrganization'),
  ]).toEqual([0, 40, 40, 40]);
  expect(ran.calls.length).toBeLessThan(3 * 40 + 20);
  expect((await world.sync({ full: true })).changing).toEqual([]);
});

test('units that change places with their names again and again do, also where their old nodes cannot go', async () => {
  const before = [unit('a'), unit('b'), named('c', 'a', 'East'), named('d', 'b', 'West')];
  const after = [unit('a'), unit('b'), named('c', 'b', 'West'), named('d', 'a', 'East')];
  const world = await openWorld({ units: before });
  await world.sync();
  for (const serialNo of ['c', 'd']) {
    const { id } = world.organization(serialNo);
    world.sandbox.edit.addEmployee({
      username: `guest-${serialNo}`,
      name: 'A guest',
      positions: [{ org_id: id }],
    });
  }
  for (const units of [after, before, after, before]) {
    world.minutes(15);
    world.change(() => ({ units }));
    await world.sync();
    const names = ['c', 'd'].map((serialNo) => world.organization(serialNo).name);
    expect(names).toEqual(units.slice(2).map(({ fields }) => fields['name']));
  }
});
