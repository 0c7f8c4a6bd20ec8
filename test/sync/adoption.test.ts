import { describe, expect, test } from 'vitest';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { EVERYTHING_HELD, SYNC } from '../plan/build.ts';
import {
  at,
  guest,
  having,
  loadedWorld,
  openWorld,
  person,
  SMALL,
  unit,
  withFields,
  type World,
  type WorldOptions,
} from './world.ts';

const IDS = Array.from({ length: 12 }, (_, index) => String(index + 1));
const NONE = { percent: 0, count: 0 };

/** A node with this serial number and another name below a node that is nobody’s. */
function elsewhere({ sandbox: { edit, rootId } }: World, serialNo: string): string {
  const theirs = edit.addOrganization(rootId, 'Theirs');
  return edit.addOrganization(theirs.id, 'Works', { serialNo }).id;
}

describe('a unit that is adopted by its serial number below another parent', () => {
  const units = [unit('a'), unit('b', 'a'), unit('c', 'b')];
  const people = [person('1', { positions: [at('b')] }), person('2', { positions: [at('c')] })];

  test.each<Partial<SyncSettings>>([{}, { drift: 'report' }])(
    'is moved by the same run, with its people (%j)',
    async (sync) => {
      const world = await openWorld({ units, people, sync });
      const positions = [{ org_id: elsewhere(world, 'b'), primary: true }];
      const { id } = world.sandbox.edit.addEmployee({ username: 'l1', name: 'Name 1', positions });
      const planned = 'adopt 1, create 2, create a, move b, create c';
      expect((await world.plan()).planned).toHaveLength(5);
      const ran = await world.run({}, { planned });
      expect(ran.changes.find(({ kind }) => kind === 'move')).toMatchObject({
        why: { code: 'elsewhere', values: { parent: 'Theirs' } },
        guard: 'unitsMoved',
        fields: [
          { field: 'parent', from: '(a node that is no unit)', to: 'a' },
          { field: 'name', from: 'Works', to: 'Unit b' },
        ],
      });
      expect(world.employee('l1').id).toBe(id);
      await world.rests({}, { units: ['/Root/Theirs #'] });
    },
  );

  test('is held by the guard of moves, and waits as a whole with those who are to be in it', async () => {
    const guard = { ...SYNC.guard, unitsMoved: NONE };
    const world = await openWorld({ units: units.slice(0, 2), people: people.slice(0, 1), sync: { guard } });
    elsewhere(world, 'b');
    const held = await world.run({}, { exit: 3, held: 'unitsMoved 1/0', listed: '1 waitsForUnit' });
    expect(world.state().units).toContain('/Root/Theirs/Works #b');
    const again = await world.run({}, { exit: 3, sent: '' });
    expect(again.plan?.held[0]?.hash).toBe(held.plan?.held[0]?.hash);
    await world.run({ approve: held });
    await world.rests({}, { units: ['/Root/Theirs #'] });
  });
});

describe('many accounts that others made', () => {
  /** Of the first `count` people; under the name of the source, or another. */
  async function planted(
    count: number,
    { name = 'Name', ...options }: WorldOptions & { readonly name?: string } = {},
  ) {
    const people = IDS.map((id) => person(id, { positions: [at(null)] }));
    const world = await openWorld({ units: [unit('u1')], people, ...options, sync: { guard: SYNC.guard } });
    const positions = [{ org_id: world.sandbox.rootId, primary: true }];
    for (const id of IDS.slice(0, count))
      world.sandbox.edit.addEmployee({ username: `l${id}`, name: `${name} ${id}`, positions });
    return world;
  }

  test('that would change are not written before somebody approves it', async () => {
    const world = await planted(8, { name: 'Other' });
    const ran = await world.run({}, { exit: 3, held: 'adopted 8/4' });
    expect([world.employee('l1').name, world.employee('l9').name]).toEqual(['Other 1', 'Name 9']);
    await world.run({ approve: ran });
    await world.rests();
  });

  test('and are inactive in the source are held on their own', async () => {
    const people = IDS.map((id) => person(id, { active: Number(id) > 6, positions: [at(null)] }));
    const world = await planted(12, { people });
    const ran = await world.run({}, { exit: 3, held: 'adopted 6/0' });
    expect(ran.plan?.held[0]?.about).toMatch(/^6 of 12 .*\binactive\b/u);
    expect(world.employee('l1').locked).toBe(false);
    await world.run({ approve: ran });
    expect(['l6', 'l7'].map((name) => world.employee(name).locked)).toEqual([true, false]);
  });

  test('units too: renamed by hand they keep their names, and those who are to be in them wait', async () => {
    const units = IDS.slice(0, 6).map((id) => unit(`u${id}`));
    const people = [person('1'), person('2', { positions: [at(null)] })];
    const world = await planted(0, { units, people });
    for (const { id } of units)
      world.sandbox.edit.addOrganization(world.sandbox.rootId, `By hand ${id}`, { serialNo: id });
    const ran = await world.run({}, { exit: 3, held: 'adopted 6/3', listed: '1 waitsForUnit' });
    expect(world.state()).toEqual({
      units: ['/Root #', ...units.map(({ id }) => `/Root/By hand ${id} #${id}`)],
      people: ['l2 Name 2 (root)[primary]'],
    });
    await world.run({ approve: ran });
    await world.rests();
  });
});

test.each([
  ['Administrator', true],
  ['adam  MIN', false],
])(
  'after the first load an account that others made is adopted alone under the same name: %s',
  async (name, isHeld) => {
    const guard = { ...SYNC.guard, joiners: { percent: 100, count: 100 } };
    const world = await loadedWorld({ sync: { guard } });
    guest(world, 'admin', { name });
    world.change(having(person('9', { username: 'admin', fields: { name: 'Adam Min' } })));
    const expected = { exit: 3, sent: '', held: 'adopted 1/0' };
    if (isHeld) await world.run({ approve: await world.runs({ later: 60 }, expected, [false, true]) });
    await (isHeld ? undefined : world.run({}));
    await world.rests();
  },
);

/** Records of somebody else, beside ours. */
function addStrangers({ sandbox: { edit, rootId } }: World): void {
  const theirs = edit.addOrganization(rootId, 'Theirs', { serialNo: 'x1' });
  edit.addOrganization(theirs.id, 'Below');
  for (const username of ['stranger', 'locked'])
    edit.addEmployee({ username, name: username, positions: [{ org_id: theirs.id }] });
  edit.lockEmployee('locked');
  edit.addUser('user', 'No employee');
}
const THEIRS = {
  units: ['/Root/Theirs #x1', '/Root/Theirs/Below #'],
  people: ['stranger stranger x1[]', 'locked locked locked x1[]'],
};

describe('ours only', () => {
  test('what is not managed is never touched, and is counted', async () => {
    const world = await openWorld();
    addStrangers(world);
    expect((await world.run({})).report.end.unmanaged).toBe(2);
    world.change(() => ({ units: [unit('u1')], people: [person('1', { active: false }), person('3')] }));
    for (let times = 0; times < 4; times += 1) await world.sync({ later: 11, full: times % 2 === 0 });
    expect(world.state()).toMatchObject({
      units: expect.arrayContaining(THEIRS.units) as unknown,
      people: expect.arrayContaining(THEIRS.people) as unknown,
    });
  });

  test('whom the source has is not unmanaged, though held, blocked or inactive from the first', async () => {
    const people = [
      person('1'),
      person('2', { positions: [at('nowhere')] }),
      person('3', { positions: [], active: false }),
    ];
    const world = await openWorld({ sync: { guard: EVERYTHING_HELD }, people });
    for (const username of ['l1', 'l2', 'l3', 'stranger']) guest(world, username);
    expect((await world.run({}, { exit: 3, listed: '2 unknownUnit' })).report.end.unmanaged).toBe(1);
  });

  test('after a lost ledger everything is adopted: nobody is disabled, nothing is made twice', async () => {
    const positions = [at('u1', { primary: true }), at('u2', { chief: true })];
    const world = await openWorld({ people: [...SMALL.people, person('4', { positions })] });
    addStrangers(world);
    await world.run({});
    const ids = () => world.sandbox.state.organizations().map(({ id }) => id);
    const before = ids();
    world.loseLedger();
    await world.run({}, { planned: 'adopt 1, adopt 2, adopt 3, adopt 4, adopt u1, adopt u2' });
    expect(ids()).toEqual(before);
    await world.rests({}, THEIRS);
  });

  test.each([[[]], [['hidesLocked', 'importEnables']]])(
    'who is locked by somebody else is sent nothing, and listed (%j)',
    async (readings) => {
      const world = await loadedWorld({ readings });
      world.sandbox.edit.lockEmployee('l1');
      await world.runs(withFields({ name: 'All renamed' }), { exit: 4, listed: '1 lockedByOthers' }, [
        false,
        true,
      ]);
      expect(world.employee('l1')).toMatchObject({ locked: true, name: 'Name 1' });
      expect(world.employee('l3').name).toBe('All renamed');
      world.sandbox.edit.unlockEmployee('l1');
      await world.run({});
      await world.rests();
    },
  );
});
