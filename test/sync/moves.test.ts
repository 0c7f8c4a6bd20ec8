import { describe, expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/errors.ts';
import type { Unit } from '../../src/domain/records/records.ts';
import type { OrganizationRecord } from '../../src/sandbox/world/records.ts';
import { Crash, crashing } from '../doubles/crashing-ledger.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { but, refuse } from '../doubles/service-parts.ts';
import { at, guest, loadedWorld, ofUnits, person, unit, type World, type WorldOptions } from './world.ts';

const DAY = 1_440;

/** Units in a few letters: `c<b=X` is unit `c` below `b` with the name X. */
const tree = (text: string): readonly Unit[] =>
  text.split(' ').map((one) => {
    const [, id = '', parent = null, name = `Unit ${id}`] = /^(\w+)(?:<(\w+))?(?:=(\w+))?$/u.exec(one) ?? [];
    return unit(id, parent, { name });
  });
const serial = (id: string, serialNo: string) => [unit(id, null, { name: 'X', serial_no: serialNo })];

/** Units before and after, and `kind id` of what happens to them. */
const CASES: readonly (readonly [string, readonly Unit[], readonly Unit[], string])[] = [
  ['one unit to the top', tree('a b<a'), tree('a b'), 'move b'],
  ['a whole subtree', tree('a b c<b d<c e<c'), tree('a b<a c<b d<c e<c'), 'move b, move c, move d, move e'],
  ['several at once, one into the other', tree('a b c d<c'), tree('a b<c c<a d<a'), 'move b, move c, move d'],
  ['a unit into its former child', tree('a b<a c<b'), tree('b a<b c<b'), 'move a, move b, move c'],
  ['a move and a rename together', tree('a b<a'), tree('a b=Other'), 'move b'],
  ['a swap of two places, not of names', tree('a b c<a=X d<b=X'), tree('a b c<b=X d<a=X'), 'move c, move d'],
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
];

/** Two people in each unit, one of them also in the first; where the unit goes, they go to the first. */
function peopled(units: readonly Unit[], before = units): MemoryWorld {
  const first = units[0]?.id ?? '';
  const here = (id: string) => (units.some((one) => one.id === id) ? id : first);
  const people = before.flatMap(({ id }) => [
    person(`${id}1`, { positions: [at(here(id), { job_title: 'Clerk' })] }),
    person(`${id}2`, {
      positions: here(id) === first ? [at(first)] : [at(here(id), { primary: true }), at(first)],
    }),
  ]);
  return { units, people };
}

/** Who was seen locked or without a position at any call. */
function watch({ sandbox }: World): readonly string[] {
  const harmed: string[] = [];
  sandbox.onCall = ({ operation }) => {
    for (const { username, locked, positions } of sandbox.state.employees())
      if (locked || positions.every(({ orgId }) => sandbox.state.organization(orgId) === undefined))
        harmed.push(`${username} at ${operation}`);
  };
  return harmed;
}

const idsOf = ({ sandbox }: World) =>
  sandbox.state
    .employees()
    .map(({ username, id }) => `${username} ${id}`)
    .toSorted();

/** What a service that merges siblings of one name could take for each other. */
const OF_NAMES = CASES.filter(([why]) => /name|swap|another id/u.test(why));

describe.each([
  [[], CASES],
  [['siblings=merge'], OF_NAMES],
] as const)('under %j nobody is harmed by', (readings, cases) => {
  test.each(cases)('%s', async (_, units, next, planned) => {
    const world = await loadedWorld({ ...peopled(units), readings });
    const ids = idsOf(world);
    const harmed = watch(world);
    const ran = await world.run({ change: () => peopled(next, units), later: 1 }, { listed: '' });
    const ofUnit = ran.planned
      .filter((text) => text.includes(' unit '))
      .map((text) => text.replace(' unit ', ' '));
    expect([ofUnit.toSorted().join(', '), idsOf(world), harmed]).toEqual([planned, ids, []]);
    await world.rests({ later: 1 });
  });
});

test('a crash at any write of the journal of a move onto the name of a removed sibling', async () => {
  const [, units, next] = CASES[6]!;
  for (let step = 2; ; step += 1) {
    const world = await loadedWorld(peopled(units));
    const ids = idsOf(world);
    const harmed = watch(world);
    const when = step % 2 === 0 ? 'before' : 'after';
    const crashed = await world
      .sync({
        change: () => peopled(next, units),
        wrap: (ledger) => crashing(ledger, Math.floor(step / 2), when),
      })
      .then(
        () => false,
        (error: unknown) => error instanceof Crash,
      );
    await world.run({ later: 2 }, { listed: '' });
    expect([step, idsOf(world), harmed]).toEqual([step, ids, []]);
    await world.rests({ later: 1 });
    if (crashed) continue;
    expect(step).toBeGreaterThan(8);
    break;
  }
});

test('two siblings that swap their names fail, are listed, and keep what they had', async () => {
  const world = await loadedWorld({ units: tree('a=X b=Y'), people: [] });
  const before = world.state();
  const ran = await world.run(ofUnits(...tree('a=Y b=X')), { exit: 4 });
  expect([ran.listed.map((one) => one.slice(0, 2)), world.state()]).toEqual([['a:', 'b:'], before]);
});

test('many units take four calls each: the number, a look at it, the look into the old node, its removal', async () => {
  const children = (parent: string) => Array.from({ length: 40 }, (_, index) => unit(`m${index}`, parent));
  const world = await loadedWorld({ units: [...tree('a b'), ...children('a')], people: [] });
  const { calls } = await world.run({ change: ofUnits(...tree('a b'), ...children('b')), later: 15 });
  for (const operation of ['modifyOrganization', 'viewOrganization', 'deleteOrganization'])
    expect(calls.filter((call) => call.operation === operation)).toHaveLength(40);
  expect(calls.length).toBeLessThan(4 * 40 + 20);
  await world.rests();
});

const UNITS = tree('a b<a c<b');
const MOVED = ofUnits(...tree('a b c<b'));

/** Loaded; the source moves b and what is below it. */
async function moving(options: WorldOptions = {}): Promise<World> {
  const people = ['a', 'b', 'c'].map((id) => person(id, { positions: [at(id)] }));
  const world = await loadedWorld({ units: UNITS, people, ...options });
  world.change(MOVED);
  world.minutes(1);
  return world;
}

describe('a move', () => {
  test.each([
    ['that is refused at its first call', refuse('no such right', 403), 'no such right'],
    ['by a service that says yes and does not do it', () => Promise.resolve(), 'notNumbered'],
  ])('%s leaves everything as it was, with what waits for it named', async (_, modifyOrganization, code) => {
    const world = await moving();
    const before = world.state();
    const listed = `b waitsForUnit, c waitsForUnit, c waitsForUnit, b ${code}`;
    await world.run({ through: but({ modifyOrganization }) }, { exit: 4, sent: '', listed });
    expect(world.state()).toEqual(before);
    await world.run({ later: DAY }, { listed: '' });
    await world.rests();
  });

  test('makes no second node where a crashed run made one that no list shows yet', async () => {
    const world = await moving();
    const dying = but(({ importOrganizations }) => ({
      importOrganizations: async (...call) => {
        await importOrganizations(...call);
        throw new Error('the process has died');
      },
    }));
    await world.run({ through: dying }, { exit: 1, error: 'the process has died' });
    const made = world.organization('b').id;
    const blind = but(({ organizations }) => ({
      async *organizations(since, signal) {
        for await (const page of organizations(since, signal)) {
          const records = page.records.filter(({ id }) => id !== made);
          yield { ...page, records, totalCount: page.totalCount - page.records.length + records.length };
        }
      },
    }));
    await world.run({ through: blind }, { listed: '' });
    expect(world.organization('b').id).toBe(made);
    await world.rests();
  });

  test('is blocked by a node of somebody else that has the name in the new place', async () => {
    const world = await moving();
    const theirs = world.sandbox.edit.addOrganization(world.sandbox.rootId, 'Unit b');
    await world.run({}, { exit: 4, sent: '', listed: 'b nameOfNode, c waitsForUnit' });
    expect(world.sandbox.state.organization(theirs.id)).toEqual(theirs);
  });
});

describe('an old node', () => {
  test('where somebody else sits waits, is listed, and goes when it is empty', async () => {
    const world = await moving();
    const old = world.organization('b').id;
    guest(world, 'guest', { at: old });
    const ran = await world.runs({}, { exit: 4, listed: 'b occupied' }, [false, true]);
    expect([ran.report.end.blocked, ran.listed.join()]).toEqual([1, expect.stringContaining('guest')]);
    expect((await world.plan()).plan?.occupied.map(({ id }) => id)).toEqual(['b']);
    expect(world.organization(`b~${old}`).name).toBe(`Unit b~${old}`);
    // The unit may move back, under the name that this node gives away.
    await world.run({ change: ofUnits(...UNITS), later: 15 }, { exit: 4, listed: 'b occupied' });
    expect(world.sandbox.state.organization(old)?.name).toBe(`Unit b~${old}`);
    world.sandbox.edit.removeEmployee('guest');
    await world.run({ later: 15 }, { listed: '', sent: 'deleteOrganization' });
    await world.rests();
  });

  test('where the service says that somebody sits, though it shows nobody, waits too', async () => {
    const world = await moving();
    const deleteOrganization = () =>
      Promise.reject(new RefusedError('occupied', 1, { named: 'hasEmployees' }));
    await world.run({ through: but({ deleteOrganization }) }, { exit: 4, listed: 'b occupied, c occupied' });
    await world.run({});
    await world.rests();
  });

  test('is never adopted after a lost ledger, and swept by the first run', async () => {
    const world = await moving();
    const old = world.organization('b').id;
    await world.sync({ through: but({ deleteOrganization: refuse('not now', 500) }) });
    expect(world.sandbox.state.organization(old)?.serialNo).toBe(`b~${old}`);
    world.loseLedger();
    await world.run({}, { listed: '' });
    await world.rests();
  });
});

describe('what others typed into the node of a unit that moves', () => {
  const type = (world: World, id: string, values: Partial<OrganizationRecord>) =>
    world.sandbox.edit.changeOrganization(world.organization(id).id, values);

  test('goes along where a new node takes it: the logo, once more and again', async () => {
    const world = await moving();
    type(world, 'b', { logo: 'media-7' });
    for (const change of [MOVED, ofUnits(...UNITS)]) {
      await world.run({ change, later: 15 }, { listed: '' });
      expect([world.organization('b').logo, world.organization('c').logo]).toEqual(['media-7', undefined]);
    }
    await world.rests();
  });

  test.each<readonly [string, Partial<OrganizationRecord>, readonly string[]]>([
    ['b', { enName: 'Sales', ownerId: '77' }, ['en_name', 'owner_id']],
    ['c', { ownerName: 'Kim' }, ['owner_id']],
  ])('is named and held where it cannot, with all that is below it: %s %j', async (id, values, names) => {
    const world = await moving();
    type(world, id, values);
    const held = await world.run({}, { exit: 3, held: 'lost 1/0' });
    expect(world.organization(id)).toMatchObject(values);
    expect(held.changes.find((one) => one.subject === 'unit' && one.id === id)?.loses?.fields).toEqual(names);
    await world.run({ full: true }, { exit: 3, sent: '' });
    await world.run({ approve: held }, { listed: '' });
    await world.rests();
  });

  test('is lost without a word with sync.unmapped: omit', async () => {
    const world = await moving({ sync: { unmapped: 'omit' } });
    type(world, 'b', { enName: 'Sales' });
    await world.run({});
    await world.rests();
  });

  test('after the plan was made is found at the last look, and held by the next run', async () => {
    const world = await moving();
    world.sandbox.onCall = ({ operation }) => {
      if (operation !== 'modifyOrganization') return;
      world.sandbox.onCall = undefined;
      type(world, 'b', { enName: 'Late' });
    };
    const ran = await world.run(
      {},
      { exit: 4, listed: 'b waitsForUnit, c waitsForUnit, b wouldLose, c waitsForUnit' },
    );
    expect(ran.changing).not.toContain('importOrganizations');
    const held = await world.run({ later: 15 }, { exit: 3, sent: '' });
    await world.run({ approve: held });
    await world.rests();
  });
});
