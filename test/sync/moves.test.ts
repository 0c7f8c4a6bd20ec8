import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import type { Unit } from '../../src/domain/records/records.ts';
import { Crash, crashing } from '../doubles/crashing-ledger.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { expectSilence } from './reverting.ts';
import { at, loadedWorld, person, stateOf, unit, type State, type World } from './world.ts';

const named = (id: string, parent: string | null, name: string): Unit => unit(id, parent, { name });

/** Units in a few letters: `c<b=X` is unit `c` below `b` with the name X. */
const tree = (text: string): readonly Unit[] =>
  text.split(' ').map((one) => {
    const [, id = '', parent = null, name = `Unit ${id}`] = /^(\w+)(?:<(\w+))?(?:=(\w+))?$/u.exec(one) ?? [];
    return named(id, parent, name);
  });

const serial = (id: string, serialNo: string): readonly Unit[] => [
  unit(id, null, { name: 'X', serial_no: serialNo }),
];

/** Units before and after, and `kind id` of what happens to them. */
const CASES = (
  [
    ['one unit to the top', tree('a b<a'), tree('a b'), 'move b'],
    ['a whole subtree', tree('a b c<b d<c e<c'), tree('a b<a c<b d<c e<c'), 'move b, move c, move d, move e'],
    [
      'several at once, one into the other',
      tree('a b c d<c'),
      tree('a b<c c<a d<a'),
      'move b, move c, move d',
    ],
    ['a unit into its former child', tree('a b<a c<b'), tree('b a<b c<b'), 'move a, move b, move c'],
    ['a move and a rename together', tree('a b<a'), tree('a b=Other'), 'move b'],
    [
      'a swap of two places, not of names',
      tree('a b c<a=X d<b=X'),
      tree('a b c<b=X d<a=X'),
      'move c, move d',
    ],
    ['a move onto the name of a removed sibling', tree('a b<a=X c=X'), tree('a b=X'), 'move b, remove c'],
    ['a new unit onto such a name', serial('a', 'S1'), serial('b', 'S2'), 'create b, remove a'],
    ['the same unit under another id', tree('a=X c<a'), tree('b=X c<b'), 'adopt b, update c'],
    [
      'a new one onto a moved one’s name',
      tree('a b=X c<b'),
      tree('a b<a=X c<b d=X'),
      'create d, move b, move c',
    ],
    ['two units merged into one', tree('a b c'), tree('a c'), 'remove b'],
    ['out of a unit that goes', tree('a b<a c<b'), tree('c n'), 'create n, move c, remove a, remove b'],
  ] as const
).map(([why, units, next, happens]) => ({ why, units, next, planned: happens.split(', ') }));

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
  const world = await loadedWorld(source);
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

const unitsOf = (planned: readonly string[]): readonly string[] =>
  planned.filter((text) => text.includes(' unit ')).map((text) => text.replace(' unit ', ' '));

test('two siblings that swap their names fail, are listed, and keep what they had', async () => {
  const world = await loadedWorld({ units: tree('a=X b=Y'), people: [] });
  const ran = await world.syncAfter(() => ({ units: tree('a=Y b=X') }));
  expect([ran.exitCode, ran.listed.map((one) => one.slice(0, 2))]).toEqual([4, ['a:', 'b:']]);
  expect(world.state()).toEqual(await loaded({ units: tree('a=X b=Y'), people: [] }));
});

const READINGS = [[], ['siblings=merge']];

describe.each(READINGS.map((readings) => ({ readings })))('under $readings', ({ readings }) => {
  test.each(CASES)('$why', async ({ units, next, planned }) => {
    const world = await loadedWorld({ ...peopled(units), readings });
    const ids = idsOf(world);
    world.change(() => peopled(next, units));
    const harmed = watch(world);
    const ran = await world.sync({ later: 1 });
    expect([ran.error, ran.exitCode, ran.listed]).toEqual(['', 0, []]);
    expect(unitsOf(ran.planned).toSorted()).toEqual([...planned].toSorted());
    expect(world.state()).toEqual(await loaded(peopled(next, units)));
    expect(idsOf(world)).toEqual(ids);
    expect(harmed).toEqual([]);
    await expectSilence(world, { later: 1 });
  });
});

const CRASHED = /removed sibling/u;

describe('a crash', () => {
  test.each(CASES.filter(({ why }) => CRASHED.test(why)))(
    'at any write of the journal: $why',
    async ({ units, next }) => {
      const target = await loaded(peopled(next, units));
      for (let step = 2; ; step += 1) {
        const dies = { at: Math.floor(step / 2), when: step % 2 === 0 ? 'before' : 'after' } as const;
        const world = await loadedWorld(peopled(units));
        const ids = idsOf(world);
        world.change(() => peopled(next, units));
        const harmed = watch(world);
        const wrap = (ledger: Ledger): Ledger => crashing(ledger, dies.at, dies.when);
        const crashed = await world.sync({ wrap }).then(
          () => false,
          (error: unknown) => error instanceof Crash,
        );
        const ran = await world.sync({ later: 2 });
        expect([dies, ran.error, ran.exitCode, ran.listed]).toEqual([dies, '', 0, []]);
        expect([dies, stateOf(world.sandbox)]).toEqual([dies, target]);
        expect([idsOf(world), harmed]).toEqual([ids, []]);
        const again = await world.sync({ later: 1, full: true });
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

test('many units take four calls each: the number, a look at it, the look into the old node, its removal', async () => {
  const world = await loadedWorld({ units: [unit('a'), unit('b'), ...children('a')], people: [] });
  world.minutes(15);
  const ran = await world.syncAfter(() => ({ units: [unit('a'), unit('b'), ...children('b')] }));
  const count = (operation: string): number =>
    ran.calls.filter((call) => call.operation === operation).length;
  expect([
    ran.exitCode,
    count('modifyOrganization'),
    count('viewOrganization'),
    count('deleteOrganization'),
  ]).toEqual([0, 40, 40, 40]);
  expect(ran.calls.length).toBeLessThan(4 * 40 + 20);
  expect((await world.sync({ full: true })).changing).toEqual([]);
});
