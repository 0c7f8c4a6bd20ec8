import { describe, expect, test } from 'vitest';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { NO_GUARD } from '../plan/build.ts';
import { codesOf } from './said.ts';
import {
  at,
  hashesOf,
  having,
  loadedWorld,
  person,
  unit,
  type Edit,
  type World,
  type WorldOptions,
} from './world.ts';

const DEPARTMENTS = ['One', 'Two', 'Three'];
const ids = (prefix: string): readonly string[] => DEPARTMENTS.map((_, index) => `${prefix}${index + 1}`);

/** Three departments below u1, and a unit below each, with four people in each department; `key` begins their ids. */
function company(key: string) {
  const coded = (id: string, parent: string, name: string) => unit(id, parent, { name, serial_no: id });
  const units = ids(key).map((id, index) => coded(id, 'u1', DEPARTMENTS[index] ?? ''));
  const below = ids(key).map((id) => coded(`${id}b`, id, 'Below'));
  const people = Array.from({ length: 12 }, (_, index) =>
    person(`p${index}`, { positions: [at(`${key}${(index % 3) + 1}${index % 2 === 0 ? 'b' : ''}`)] }),
  );
  return { units: [unit('u1'), ...units, ...below], people: [...people, person('boss')] };
}

const NONE = { percent: 0, count: 0 };
const opened = (options: WorldOptions, guard: Partial<SyncSettings['guard']>): Promise<World> =>
  loadedWorld({ ...options, sync: { guard: { ...NO_GUARD, ...guard } } });

/** A unit with other parts. */
const unitWith =
  (id: string, parts: object): Edit =>
  ({ units }) => ({
    units: units.map((one) => (one.id === id ? { ...one, ...parts } : one)),
  });
const both =
  (...edits: readonly Edit[]): Edit =>
  (world) =>
    edits.reduce((now, edit) => ({ ...now, ...edit(now) }), world);

/** Approves what is held until nothing is, and expects that nothing is left to do. */
async function approveAll(world: World): Promise<void> {
  for (let runs = 0; runs < 5; runs += 1) {
    const ran = await world.sync({ approve: await world.plan() });
    if (ran.exitCode === 0 && hashesOf(ran).length === 0) return world.rests();
  }
  throw new Error('five approvals were not enough');
}

/** Those of the list who wait for something of a unit. */
const waiting = (ran: Awaited<ReturnType<World['sync']>>) =>
  codesOf(ran)
    .filter((one) => /waitsForUnit|nameStillTaken/u.test(one))
    .toSorted();

describe('people who are held do not keep their units back', () => {
  test('of departments with new ids: all stay where they are until they are approved', async () => {
    const world = await opened(company('d'), { updates: NONE, unitsRemoved: NONE });
    const there = () => world.state().people.filter((one) => one.includes(' d'));
    const before = there();
    await world.runs(() => company('n'), { exit: 3 }, [false, true]);
    expect(there()).toEqual(before);
    await approveAll(world);
  });

  test('an approved removal outlasts our own steps: a node that waits for its guests is not held again', async () => {
    const world = await opened(company('d'), { unitsRemoved: NONE });
    const positions = ids('d').map((id) => ({ org_id: world.organization(id).id }));
    world.sandbox.edit.addEmployee({ username: 'guest', name: 'Guest', positions });
    const held = await world.run(() => company('n'), { exit: 3, held: 'unitsRemoved 6/0' });
    await world.sync({ approve: held });
    const ran = await world.runs({}, { exit: 4, held: '' }, [false, true]);
    expect(codesOf(ran)).toContain('d1 occupied');
    world.sandbox.edit.removeEmployee('guest');
    await world.run({}, { sent: 'deleteOrganization*3' });
    await world.rests();
  });

  test('a held change of somebody whose unit moves waits whole, at the old node, until it is approved', async () => {
    const world = await opened(company('d'), { updates: NONE });
    const left = `d1~${world.organization('d1').id}`;
    const renamed = person('p3', { positions: [at('d1')], fields: { name: 'New' } });
    const ran = await world.run(both(unitWith('d1', { parent: 'd2' }), having(renamed)), {
      exit: 3,
      held: 'updates 1/0',
    });
    expect(world.state().people).toContain(`lp3 Name p3 ${left}[primary]`);
    expect(codesOf(ran)).toContain('d1 occupied');
    await approveAll(world);
  });
});

const tree =
  (parent: string | null): Edit =>
  () => ({ units: [unit('a'), unit('x', parent), unit('y', 'x'), unit('z')] });
const TREE = {
  ...tree(null)({ units: [], people: [] }),
  people: ['1', '2'].map((id) => person(id, { positions: [at('y')] })),
};
const inY = (id: string, parts: object = {}) => person(id, { positions: [at('y')], ...parts });

describe('what follows from a held unit waits for it, and is listed', () => {
  test('a move: the units below it and who only follow; what else changes of somebody goes on', async () => {
    const world = await opened(TREE, { unitsMoved: NONE });
    // The move of y follows that of x, and is counted with it.
    const change = both(tree('a'), having(inY('2', { fields: { name: 'New' } })));
    const ran = await world.run(change, {
      exit: 3,
      sent: 'importEmployees',
      planned: 'update 1, update 2, move x, move y',
    });
    expect(ran.rows.map(({ isHeld }) => isHeld)).toEqual([false, false, true, true]);
    expect(waiting(ran)).toEqual(['1 waitsForUnit']);
    expect(world.employee('l2').name).toBe('New');
    await approveAll(world);
  });

  test('a node to be made again: who is to come to it; who leaves it goes', async () => {
    const world = await opened(
      { ...TREE, people: [...TREE.people, person('3', { positions: [at('z')] })] },
      { gone: NONE },
    );
    for (const id of ['l1', 'l2']) world.sandbox.edit.removeEmployee(id);
    world.sandbox.edit.removeOrganization(world.organization('y').id);
    await world.run({ full: true }, { exit: 3 });
    const joins = having(inY('3', { active: false }), person('4', { positions: [at('below')] }));
    const change = both(({ units }) => ({ units: [...units, unit('below', 'y')] }), joins);
    const ran = await world.run({ change, full: true }, { exit: 3, sent: 'disableEmployee' });
    expect(waiting(ran)).toEqual(['4 waitsForUnit', 'below waitsForUnit']);
    const rowOf = (id: string) => ran.rows.find((row) => row.change.id === id);
    expect(rowOf('4')).toMatchObject({ isHeld: false, goesOn: false, hashes: rowOf('y')?.hashes });
    await approveAll(world);
  });

  test('a renaming whose name another unit is to get: that unit and its people', async () => {
    const world = await opened(company('d'), { updates: NONE });
    const before = world.state();
    const change = both(
      unitWith('d1', { fields: { name: 'First', serial_no: 'd1' } }),
      ({ units }) => ({ units: [...units, unit('x', 'u1', { name: 'One' })] }),
      having(person('new', { positions: [at('x')] })),
    );
    const ran = await world.run(change, { exit: 3, sent: '' });
    expect([world.state(), waiting(ran)]).toEqual([before, ['new waitsForUnit', 'x nameStillTaken']]);
    await approveAll(world);
  });

  test('what waited is sent after the approval, and held if another guard trips by others meanwhile', async () => {
    const world = await opened({ ...TREE, people: [] }, { unitsMoved: NONE, gone: { percent: 0, count: 1 } });
    world.sandbox.edit.removeOrganization(world.organization('y').id);
    const first = await world.run(
      { change: tree('a'), full: true },
      { exit: 3, planned: 'move x, create y' },
    );
    const hashes = hashesOf(first);
    expect(first.rows.map(({ isHeld, hashes: by }) => [isHeld, by])).toEqual([
      [true, hashes],
      [false, hashes],
    ]);
    world.sandbox.edit.removeOrganization(world.organization('z').id);
    await world.run({ full: true, approve: hashes }, { exit: 3, held: 'gone 2/1' });
    expect(world.state().units).toEqual(['/Root #', '/Root/Unit a #a', '/Root/Unit a/Unit x #x']);
  });
});
