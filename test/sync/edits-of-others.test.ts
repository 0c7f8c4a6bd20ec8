import { describe, expect, test } from 'vitest';
import { NO_GUARD } from '../plan/build.ts';
import { expectSilence } from './reverting.ts';
import { SMALL, at, inactive, loadedWorld, person, unit, type Ran, type World } from './world.ts';

const counts = ({ plan }: Ran) => [plan?.edited.units, plan?.edited.people, plan?.kept.length];

test('what somebody edited is counted by every plan while it is only reported, units too, and is no failure', async () => {
  const world = await loadedWorld({ sync: { drift: 'report' } });
  expect(counts(await world.plan())).toEqual([0, 0, 0]);
  const { edit } = world.sandbox;
  edit.changeEmployee('l1', { name: 'Other' });
  edit.changeOrganization(world.organization('u1').id, { name: 'Other' });
  for (const full of [false, true, false]) {
    const ran = await world.sync({ full });
    expect([counts(ran), ran.exitCode, ran.changing]).toEqual([[1, 1, 0], 0, []]);
    expect(ran.plan?.edited.first.map(({ subject, id, reason }) => `${subject} ${id}: ${reason}`)).toEqual([
      'unit u1: name edited in the service: not corrected (sync.drift: report)',
      'person 1: name edited in the service: not corrected (sync.drift: report)',
    ]);
  }
  world.configure({ drift: 'repair' });
  expect(counts(await world.sync())).toEqual([0, 0, 0]);
});

test('a field that was set back 3 times in 7 days is reported and left, and set back again a week later', async () => {
  const world = await loadedWorld();
  const edit = (): void => void world.sandbox.edit.changeEmployee('l1', { name: 'Nickname' });
  for (const times of [1, 2, 3]) {
    edit();
    expect((await world.sync({ later: 60 })).changing, `repair ${times}`).toEqual(['importEmployees']);
    expect(world.employee('l1').name).toBe('Name 1');
  }
  edit();
  const left = await world.sync({ later: 60 });
  expect([left.changing, world.employee('l1').name]).toEqual([[], 'Nickname']);
  expect(left.listed.join()).toMatch(/1: edited in the service again after 3 repairs in 7 days, left: name/u);
  const reported = left.lines.filter(({ fields }) => fields['event'] === 'drift.found');
  expect(reported).toMatchObject([{ fields: { action: 'reported', id: '1', fields: ['name'] } }]);
  expect((await world.sync({ later: 8 * 24 * 60 })).changing).toEqual(['importEmployees']);
  expect(world.employee('l1').name).toBe('Name 1');
});

test.each(['repair', 'report'] as const)(
  'an edit that a write of other fields overwrites is listed with them (drift: %s)',
  async (drift) => {
    const world = await loadedWorld({ sync: { drift } });
    world.sandbox.edit.changeEmployee('l1', { name: 'Nickname', email: 'other@b.c' });
    world.change(() => ({ people: [person('1', { fields: { mobile: '123' } }), ...SMALL.people.slice(1)] }));
    const ran = await world.sync({ full: true });
    expect([ran.exitCode, world.employee('l1').name]).toEqual([0, 'Name 1']);
    expect(ran.done.map(({ id, kind }) => `${kind} ${id}`)).toEqual(['update 1']);
    expect(ran.done[0]?.fields).toEqual([
      { field: 'mobile', from: null, to: '123' },
      { field: 'name', from: 'Nickname', to: 'Name 1' },
    ]);
    await expectSilence(world, { later: 1 });
  },
);

test.each([true, false])(
  'an edit of an account that was disabled is listed with what lets the person in again (unlocked by hand: %s)',
  async (isUnlocked) => {
    const world = await loadedWorld();
    await world.syncAfter(inactive('1'));
    world.sandbox.edit.changeEmployee('l1', { name: 'Nickname' });
    if (isUnlocked) world.sandbox.edit.unlockEmployee('l1');
    const ran = await world.syncAfter(() => ({ people: SMALL.people }), { full: true });
    expect(ran.planned).toEqual([`${isUnlocked ? 'update' : 'enable'} person 1`]);
    expect(ran.fields('1')).toEqual(['name']);
    expect(ran.done.at(-1)?.fields).toEqual([{ field: 'name', from: 'Nickname', to: 'Name 1' }]);
    expect([ran.exitCode, world.employee('l1').name]).toEqual([0, 'Name 1']);
    await expectSilence(world, { later: 1 });
  },
);

const COMPANY = {
  units: [unit('a'), unit('b', 'a'), unit('c', 'b'), unit('d')],
  people: [person('1', { positions: [at('b')] }), person('2', { positions: [at('c')] })],
};

/** As an administrator can in the service's own screens: the node below another one, with all that is in it. */
function move(world: World, id: string, to: string | null): void {
  const parentId = to === null ? world.sandbox.rootId : world.organization(to).id;
  world.sandbox.edit.changeOrganization(world.organization(id).id, { parentId });
}

test.each(['d', null])('a node that somebody moved below %s is set right, with all below it', async (to) => {
  const world = await loadedWorld(COMPANY);
  const before = world.state();
  move(world, 'b', to);
  const ran = await world.sync();
  expect([ran.exitCode, ran.planned]).toEqual([
    0,
    ['update person 1', 'update person 2', 'move unit b', 'move unit c'],
  ]);
  const found = ran.lines.map(({ fields }) => fields).find(({ event }) => event === 'drift.found');
  expect(found).toMatchObject({ subject: 'unit', id: 'b', fields: ['parent'], action: 'repaired' });
  expect(world.state()).toEqual(before);
  expect((await world.sync({ full: true })).changing).toEqual([]);
});

/** Somebody gives the account of person 3 another name, and its username to a new account. */
async function takenOver(): Promise<World> {
  const world = await loadedWorld({ sync: { guard: NO_GUARD } });
  const { edit, rootId } = world.sandbox;
  edit.respell('l3', 'carl3');
  edit.addEmployee({ username: 'l3', name: 'Impostor', mobile: '999', positions: [{ org_id: rootId }] });
  world.minutes(15);
  return world;
}

describe.each([false, true])('a username that others gave to a new account, full: %s', (full) => {
  test('is somebody else’s: the person goes on with the own account, under its new username, and is listed', async () => {
    const world = await takenOver();
    world.change(({ people }) => ({
      people: people.map((one) => (one.id === '3' ? person('3', { fields: { mobile: '123' } }) : one)),
    }));
    const ran = await world.sync({ full });
    expect([ran.exitCode, ran.planned, ran.listed]).toEqual([0, ['update person 3'], []]);
    expect(world.employee('carl3').profile['mobile']).toBe('123');
    expect(world.employee('l3')).toMatchObject({ name: 'Impostor', locked: false });
    expect(ran.plan?.kept).toMatchObject([{ id: '3', label: 'carl3', inSource: 'l3' }]);
    expect((await world.sync({ later: 15, full: true })).changing).toEqual([]);
  });
});
