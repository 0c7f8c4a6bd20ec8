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

describe('what is held keeps what it drags along from happening', () => {
  test.each([
    ['the people of departments with new ids', { updates: NONE }],
    ['the removal of the old departments', { unitsRemoved: NONE }],
    ['both', { updates: NONE, unitsRemoved: NONE }],
  ])('%s: nobody sees anything until they are approved', async (_, guard) => {
    const world = await loadedWorld({ ...company('d'), ...held(guard) });
    const before = [world.state(), visible(world)];
    world.change(() => company('n'));
    for (const full of [false, true]) {
      const ran = await world.sync({ full });
      expect([ran.exitCode, ran.changing]).toEqual([3, []]);
      expect([world.state(), visible(world)]).toEqual(before);
      expect(ran.listed.join('\n')).toMatch(/n1: (?:waits|its name is still that of unit One \(d1\))/u);
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
    const waiting = await world.syncAfter(() => company('n'));
    expect(waiting.plan?.held).toMatchObject([{ guard: 'unitsRemoved', count: 6 }]);
    await world.sync({ approve: (waiting.plan?.held ?? []).map(({ hash }) => hash) });
    for (const full of [false, true]) {
      const ran = await world.sync({ full });
      expect([ran.exitCode, ran.plan?.held]).toEqual([4, []]);
      expect(ran.listed.join('\n')).toMatch(/d1: waits to be removed, still there: employees guest/u);
    }
    world.sandbox.edit.removeEmployee('guest');
    const ran = await world.sync();
    expect([ran.exitCode, ran.changing]).toEqual([0, ids('d').map(() => 'deleteOrganization')]);
  });

  test('held people keep a new unit from being made that only they are to come to; others are made', async () => {
    const world = await loadedWorld({ ...company('d'), ...held({ updates: NONE }) });
    const ran = await world.syncAfter(({ units, people }) => ({
      units: [...units, unit('lab', 'u1'), unit('shop', 'u1'), unit('plan', 'u1')],
      people: [
        ...changed(people, 'p1', { positions: [at('lab')] }),
        person('new', { positions: [at('shop')] }),
      ],
    }));
    expect(ran.plan?.held).toMatchObject([{ guard: 'updates', count: 1 }]);
    expect(world.state().units.filter((one) => /lab|shop|plan/u.test(one))).toEqual([
      '/Root/Unit u1/Unit plan #plan',
      '/Root/Unit u1/Unit shop #shop',
    ]);
    expect(ran.listed.join('\n')).toMatch(/lab: waits for those who are to come to it/u);
    await approveAll(world);
    expect(world.state().people.find((one) => one.startsWith('lp1 '))).toContain('lab[primary]');
  });

  test('held renamings of units keep their names from being given to others', async () => {
    const world = await loadedWorld({ ...company('d'), ...held({ updates: NONE }) });
    const before = visible(world);
    const ran = await world.syncAfter(({ units, people }) => ({
      units: [...changed(units, 'd1', { fields: { name: 'First' } }), unit('x', 'u1', { name: 'One' })],
      people: [...people, person('new', { positions: [at('x')] })],
    }));
    expect([ran.exitCode, ran.changing]).toEqual([3, []]);
    expect(visible(world)).toEqual(before);
    expect(ran.listed.join('\n')).toMatch(/new: waits for unit One \(x\)/u);
    await approveAll(world);
    expect(visible(world)).toContain('First 2');
    expect(visible(world)).toContain('One 1');
  });

  test('a held change of somebody whose unit moves waits whole, at the old node, until it is approved', async () => {
    const world = await loadedWorld({ ...company('d'), ...held({ updates: NONE }) });
    const ran = await world.syncAfter(({ units, people }) => ({
      units: changed(units, 'd1', { parent: 'd2' }),
      people: changed(people, 'p3', { fields: { name: 'New' } }),
    }));
    expect(ran.plan?.held).toMatchObject([{ guard: 'updates', count: 1, first: ['lp3 (New)'] }]);
    expect(world.state().units.filter((one) => one.includes('~'))).toEqual(['/Root/Unit u1/One #d1~moved']);
    expect(world.state().people.find((one) => one.startsWith('lp3 '))).toBe('lp3 Name p3 d1~moved[primary]');
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

test('what waits for a held change goes with its approval, also where another guard trips by others meanwhile', async () => {
  const world = await loadedWorld({
    ...tree(null),
    people: [],
    ...held({ unitsMoved: NONE, gone: { percent: 0, count: 1 } }),
  });
  world.sandbox.edit.removeOrganization(world.organization('y').id);
  world.change(() => tree('a'));
  const first = await world.sync({ full: true });
  const hashes = (first.plan?.held ?? []).map(({ hash }) => hash);
  expect(first.rows.map(({ change, hashes: by }) => [change.kind, change.id, by])).toEqual([
    ['move', 'x', hashes],
    ['create', 'y', hashes],
  ]);
  world.sandbox.edit.removeOrganization(world.organization('z').id);
  const second = await world.sync({ full: true, approve: hashes });
  expect(second.plan?.held.map(({ guard, first: names }) => [guard, names])).toEqual([
    ['gone', ['Unit z (z)']],
  ]);
  expect(world.state().units).toEqual([
    '/Root #',
    '/Root/Unit a #a',
    '/Root/Unit a/Unit x #x',
    '/Root/Unit a/Unit x/Unit y #y',
  ]);
});
