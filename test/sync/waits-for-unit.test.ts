import { describe, expect, test } from 'vitest';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { NO_GUARD } from '../plan/build.ts';
import { at, loadedWorld, person, unit, type Ran, type World } from './world.ts';

const DEPARTMENTS = ['One', 'Two', 'Three'];
const ids = (prefix: string): readonly string[] => DEPARTMENTS.map((_, index) => `${prefix}${index + 1}`);
const STAFF = Array.from({ length: 12 }, (_, index) => index);

/**
 * Three departments below u1, with people in them and in u1; `key` begins the ids of the departments and their serial
 * numbers: of another number, they are others.
 */
function company(key: string, inside = key) {
  const units = ids(key).map((id, index) =>
    unit(id, 'u1', { name: DEPARTMENTS[index] ?? '', serial_no: id }),
  );
  const below = ids(key).map((id) => unit(`${id}b`, id, { name: 'Below', serial_no: `${id}b` }));
  const people = STAFF.map((index) =>
    person(`p${index}`, { positions: [at(`${inside}${(index % 3) + 1}${index % 2 === 0 ? 'b' : ''}`)] }),
  );
  return { units: [unit('u1'), ...units, ...below], people: [...people, person('boss')] };
}

const held = (guard: Partial<SyncSettings['guard']>): { readonly sync: Partial<SyncSettings> } => ({
  sync: { guard: { ...NO_GUARD, ...guard } },
});
const NONE = { percent: 0, count: 0 };

/** The records, one of them with other parts. */
const changed = <T extends { readonly id: string | null }>(
  all: readonly T[],
  id: string,
  parts: object,
): T[] => all.map((one) => (one.id === id ? { ...one, ...parts } : one));

/** Names as people see them, each with how many people sit there. */
function visible({ sandbox: { state } }: World): readonly string[] {
  return state.organizations().map(({ id, name }) => {
    const people = state.employees().filter(({ positions }) => positions.some(({ orgId }) => orgId === id));
    return `${name} ${people.length}`;
  });
}

async function approveAll(world: World): Promise<Ran> {
  for (let runs = 0; runs < 5; runs += 1) {
    const { plan } = await world.plan();
    const ran = await world.sync({ approve: (plan?.held ?? []).map(({ hash }) => hash) });
    if (ran.exitCode === 0 && ran.plan?.held.length === 0) return ran;
  }
  throw new Error('five approvals were not enough');
}

/** The reasons of the records that wait, each as `id: reason`. */
const waiting = ({ listed }: Ran): readonly string[] =>
  listed.filter((one) => / waits for |still that of/u.test(one)).toSorted();

describe('people who are held do not keep their units back', () => {
  test('of departments with new ids: all stay where they are until they are approved', async () => {
    const world = await loadedWorld({ ...company('d'), ...held({ updates: NONE, unitsRemoved: NONE }) });
    const before = world.state().people.filter((one) => one.includes(' d'));
    world.change(() => company('n'));
    for (const full of [false, true]) {
      const ran = await world.sync({ full });
      expect(ran.exitCode).toBe(3);
      expect(world.state().people.filter((one) => one.includes(' d'))).toEqual(before);
    }
    await approveAll(world);
    expect(world.state().units).toEqual([
      '/Root #',
      '/Root/Unit u1 #u1',
      ...['One', 'Three', 'Two'].flatMap((name) => {
        const id = `n${DEPARTMENTS.indexOf(name) + 1}`;
        return [`/Root/Unit u1/${name} #${id}`, `/Root/Unit u1/${name}/Below #${id}b`];
      }),
    ]);
    expect(world.state().people.filter((one) => !one.includes(' n') && !one.startsWith('lboss'))).toEqual([]);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('an approved removal outlasts our own steps: a node that waits for its guests, set aside, is not held again', async () => {
    const world = await loadedWorld({ ...company('d'), ...held({ unitsRemoved: NONE }) });
    const positions = ids('d').map((id) => ({ org_id: world.organization(id).id }));
    world.sandbox.edit.addEmployee({ username: 'guest', name: 'Guest', positions });
    const first = await world.syncAfter(() => company('n'));
    expect(first.plan?.held).toMatchObject([{ guard: 'unitsRemoved', count: 6 }]);
    await world.sync({ approve: (first.plan?.held ?? []).map(({ hash }) => hash) });
    for (const full of [false, true]) {
      const ran = await world.sync({ full });
      expect([ran.exitCode, ran.plan?.held]).toEqual([4, []]);
      expect(ran.listed.join('\n')).toMatch(/d1: waits to be removed, still there: employees guest/u);
    }
    world.sandbox.edit.removeEmployee('guest');
    const ran = await world.sync();
    expect([ran.exitCode, ran.changing]).toEqual([0, ids('d').map(() => 'deleteOrganization')]);
  });

  test('a held change of somebody whose unit moves waits whole, at the old node, until it is approved', async () => {
    const world = await loadedWorld({ ...company('d'), ...held({ updates: NONE }) });
    const left = `d1~${world.organization('d1').id}`;
    const ran = await world.syncAfter(({ units, people }) => ({
      units: changed(units, 'd1', { parent: 'd2' }),
      people: changed(people, 'p3', { fields: { name: 'New' } }),
    }));
    expect(ran.plan?.held).toMatchObject([{ guard: 'updates', count: 1, first: ['lp3 (New)'] }]);
    expect(world.state().units.filter((one) => one.includes('~'))).toEqual([
      `/Root/Unit u1/One~${left.slice(3)} #${left}`,
    ]);
    expect(world.state().people.find((one) => one.startsWith('lp3 '))).toBe(`lp3 Name p3 ${left}[primary]`);
    expect(ran.listed.join('\n')).toMatch(/old node \S+ .*still there: employees lp3/u);
    await approveAll(world);
    expect(world.employee('lp3').name).toBe('New');
    expect(world.state().units.filter((one) => one.includes('~'))).toEqual([]);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });
});

const tree = (parent: string | null) => ({
  units: [unit('a'), unit('x', parent), unit('y', 'x'), unit('z')],
});
const IN_Y = [person('1', { positions: [at('y')] }), person('2', { positions: [at('y')] })];

describe('what follows from a held unit waits for it, and is listed', () => {
  test('a move: the units below it and who only follow; what else changes of somebody goes on', async () => {
    const world = await loadedWorld({ ...tree(null), people: IN_Y, ...held({ unitsMoved: NONE }) });
    // The move of y follows that of x, and is counted with it.
    const ran = await world.syncAfter(({ people }) => ({
      ...tree('a'),
      people: changed(people, '2', { fields: { name: 'New' } }),
    }));
    expect([ran.exitCode, ran.changing]).toEqual([3, ['importEmployees']]);
    expect(ran.rows.map(({ change, isHeld }) => [change.kind, change.id, isHeld])).toEqual([
      ['update', '1', false],
      ['update', '2', false],
      ['move', 'x', true],
      ['move', 'y', true],
    ]);
    expect(waiting(ran)).toEqual(['1: waits for unit y']);
    expect(world.employee('l2').name).toBe('New');
    await approveAll(world);
    expect(world.state().units).toContain('/Root/Unit a/Unit x/Unit y #y');
    expect(world.state().people).toEqual(['l1 Name 1 y[primary]', 'l2 New y[primary]']);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('a node to be made again: who is to come to it; who leaves it goes', async () => {
    const world = await loadedWorld({
      ...tree(null),
      people: [...IN_Y, person('3', { positions: [at('z')] })],
      ...held({ gone: NONE }),
    });
    for (const id of ['l1', 'l2']) world.sandbox.edit.removeEmployee(id);
    world.sandbox.edit.removeOrganization(world.organization('y').id);
    const ran = await world.sync({ full: true });
    expect(ran.exitCode).toBe(3);
    const next = await world.syncAfter(
      ({ people, units }) => ({
        units: [...units, unit('below', 'y')],
        people: [
          ...changed(people, '3', { active: false, positions: [at('y')] }),
          person('4', { positions: [at('below')] }),
        ],
      }),
      { full: true },
    );
    expect(waiting(next)).toEqual(['4: waits for unit y', 'below: waits for unit y']);
    expect(next.changing).toEqual(['disableEmployee']);
    expect(next.rows.find(({ change }) => change.id === '4')).toMatchObject({
      isHeld: false,
      goesOn: false,
      hashes: next.rows.find(({ change }) => change.id === 'y')?.hashes,
    });
    await approveAll(world);
    expect(world.state().people.filter((one) => one.startsWith('l4'))).toEqual(['l4 Name 4 below[primary]']);
  });

  test('a renaming whose name another unit is to get: that unit and its people', async () => {
    const world = await loadedWorld({ ...company('d'), ...held({ updates: NONE }) });
    const before = visible(world);
    const ran = await world.syncAfter(({ units, people }) => ({
      units: [...changed(units, 'd1', { fields: { name: 'First' } }), unit('x', 'u1', { name: 'One' })],
      people: [...people, person('new', { positions: [at('x')] })],
    }));
    expect([ran.exitCode, ran.changing]).toEqual([3, []]);
    expect(visible(world)).toEqual(before);
    expect(waiting(ran)).toEqual([
      'new: waits for unit x: it is not in the service',
      expect.stringMatching(/^x: its name is still that of node \S+ below the same parent$/u),
    ]);
    await approveAll(world);
    expect(visible(world)).toContain('First 2');
    expect(visible(world)).toContain('One 1');
  });

  test('what waited is sent after the approval, and held if another guard trips by others meanwhile', async () => {
    const world = await loadedWorld({
      ...tree(null),
      people: [],
      ...held({ unitsMoved: NONE, gone: { percent: 0, count: 1 } }),
    });
    world.sandbox.edit.removeOrganization(world.organization('y').id);
    world.change(() => tree('a'));
    const first = await world.sync({ full: true });
    const hashes = (first.plan?.held ?? []).map(({ hash }) => hash);
    expect(first.rows.map(({ change, isHeld, hashes: by }) => [change.kind, change.id, isHeld, by])).toEqual([
      ['move', 'x', true, hashes],
      ['create', 'y', false, hashes],
    ]);
    world.sandbox.edit.removeOrganization(world.organization('z').id);
    const second = await world.sync({ full: true, approve: hashes });
    expect(second.plan?.held.map(({ guard, first: names }) => [guard, names])).toEqual([
      ['gone', ['Unit y (y)', 'Unit z (z)']],
    ]);
    expect(world.state().units).toEqual(['/Root #', '/Root/Unit a #a', '/Root/Unit a/Unit x #x']);
  });
});
