import { describe, expect, test } from 'vitest';
import { EVERYTHING_HELD, SYNC } from '../plan/build.ts';
import { SMALL, at, guest, loadedWorld, openWorld, person, unit, type World } from './world.ts';

const INACTIVE = person('3', { positions: [], active: false });

/** Records of somebody else, beside ours. */
function addStrangers(world: World): void {
  const { edit, rootId } = world.sandbox;
  const theirs = edit.addOrganization(rootId, 'Theirs', { serialNo: 'x1' });
  edit.addOrganization(theirs.id, 'Below');
  edit.addEmployee({ username: 'stranger', name: 'Stranger', positions: [{ org_id: theirs.id }] });
  edit.addEmployee({ username: 'locked', name: 'Locked', positions: [{ org_id: theirs.id }] });
  edit.lockEmployee('locked');
  edit.addUser('user', 'No employee');
}

describe('ours only', () => {
  test('what is not managed is never touched, and is counted', async () => {
    const world = await openWorld();
    addStrangers(world);
    const records = () => [
      ...world.sandbox.state.employees().filter(({ username }) => /^(?:stranger|locked)$/u.test(username)),
      ...world.sandbox.state.organizations().filter(({ name }) => /^(?:Theirs|Below)$/u.test(name)),
    ];
    const before = records();
    const first = await world.sync();
    expect(first.report.end.unmanaged).toBe(2);
    world.change(() => ({ units: [unit('u1')], people: [person('1', { active: false })] }));
    for (let times = 0; times < 4; times += 1) await world.sync({ later: 11, full: times % 2 === 0 });
    expect(records()).toEqual(before);
  });

  test('whom the source has is not unmanaged, though held, blocked or inactive from the first', async () => {
    const world = await openWorld({
      sync: { ...SYNC, guard: EVERYTHING_HELD },
      people: [person('1'), person('2', { positions: [at('nowhere')] }), INACTIVE],
    });
    for (const username of ['l1', 'l2', 'l3', 'stranger']) guest(world, username);
    const ran = await world.sync();
    expect([ran.exitCode, ran.listed]).toEqual([3, ['2: unit "nowhere" is unknown']]);
    expect(ran.report.end.unmanaged).toBe(1);
  });

  test('after a lost ledger everything is adopted: nobody is disabled, nothing is made twice', async () => {
    const world = await openWorld({
      people: [
        ...SMALL.people,
        person('4', { positions: [at('u1', { primary: true }), at('u2', { chief: true })] }),
      ],
    });
    addStrangers(world);
    await world.sync();
    const [before, ids] = [world.state(), world.sandbox.state.organizations().map(({ id }) => id)];
    world.loseLedger();
    const adopted = await world.sync();
    expect(adopted.exitCode).toBe(0);
    expect(adopted.planned.every((text) => text.startsWith('adopt '))).toBe(true);
    expect(adopted.planned).toHaveLength(6);
    expect(world.state()).toEqual(before);
    expect(world.sandbox.state.organizations().map(({ id }) => id)).toEqual(ids);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  const UNLISTED = ['hidesLocked', 'importEnables'];

  test.each([[[]], [UNLISTED]])(
    'who is locked by somebody else is sent nothing, and listed (%j)',
    async (readings) => {
      const world = await loadedWorld({ readings });
      world.sandbox.edit.lockEmployee('l1');
      world.change(() => ({
        people: SMALL.people.map((one) => ({ ...one, fields: { name: 'All renamed' } })),
      }));
      for (const full of [false, true]) {
        const ran = await world.sync({ full });
        expect(ran.exitCode).toBe(4);
        expect(ran.listed.join('\n')).toMatch(/^1: locked in the service by somebody else/mu);
      }
      expect(world.employee('l1')).toMatchObject({ locked: true, name: 'Name 1' });
      expect(world.employee('l3').name).toBe('All renamed');
      world.sandbox.edit.unlockEmployee('l1');
      expect((await world.sync()).exitCode).toBe(0);
      expect(world.employee('l1').name).toBe('All renamed');
    },
  );
});

describe('edits of others', () => {
  const edits: readonly (readonly [string, (world: World) => void])[] = [
    ['a field', (world) => void world.sandbox.edit.changeEmployee('l1', { name: 'Edited' })],
    [
      'a position',
      (world) =>
        void world.sandbox.edit.changeEmployee('l1', {
          positions: [{ org_id: world.sandbox.rootId, primary: true }],
        }),
    ],
    [
      'the name of a node',
      (world) => void world.sandbox.edit.changeOrganization(world.organization('u2').id, { name: 'Edited' }),
    ],
  ];

  test.each(edits)('%s is repaired', async (_, edit) => {
    const world = await loadedWorld();
    const before = world.state();
    edit(world);
    const ran = await world.sync();
    expect(ran.exitCode).toBe(0);
    expect(ran.changing).toHaveLength(1);
    expect(ran.lines.some(({ fields }) => fields['event'] === 'drift.found')).toBe(true);
    expect(world.state()).toEqual(before);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });
});
