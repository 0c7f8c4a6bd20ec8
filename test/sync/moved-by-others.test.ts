import { expect, test } from 'vitest';
import { SYNC } from '../plan/build.ts';
import { at, openWorld, person, unit, type World } from './world.ts';

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
  const world = await openWorld(COMPANY);
  await world.sync();
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

test('below a node that is nobody’s it is found too', async () => {
  const world = await openWorld(COMPANY);
  await world.sync();
  const before = world.state();
  const { sandbox } = world;
  const { id } = sandbox.edit.addOrganization(sandbox.rootId, 'Theirs');
  sandbox.edit.changeOrganization(world.organization('c').id, { parentId: id });
  expect((await world.sync()).exitCode).toBe(0);
  expect(world.state()).toEqual({ ...before, units: [...before.units, '/Root/Theirs #'].toSorted() });
});

test('drift: report tells it, run after run, and moves nothing', async () => {
  const world = await openWorld({ ...COMPANY, sync: { drift: 'report' } });
  await world.sync();
  move(world, 'b', 'd');
  for (let times = 0; times < 2; times += 1) {
    const { changing, lines } = await world.sync();
    const found = lines.map(({ fields }) => fields).find(({ event }) => event === 'drift.found');
    expect([changing, found]).toMatchObject([[], { id: 'b', fields: ['parent'], action: 'reported' }]);
  }
});

test('somebody who moves it again and again is not fought: after 3 repairs in 7 days it is listed and left', async () => {
  const world = await openWorld(COMPANY);
  await world.sync();
  for (let times = 0; times < 3; times += 1) {
    move(world, 'b', 'd');
    world.minutes(60);
    expect((await world.sync()).planned).toContain('move unit b');
  }
  move(world, 'b', 'd');
  const left = await world.sync();
  expect(left.changing).toEqual([]);
  expect(left.listed.join()).toMatch(
    /b: edited in the service again after 3 repairs in 7 days, left: parent/u,
  );
});

test('many at once are held', async () => {
  const guard = { ...SYNC.guard, unitsMoved: { percent: 0, count: 0 } };
  const world = await openWorld({ ...COMPANY, sync: { guard } });
  await world.sync();
  move(world, 'b', 'd');
  const ran = await world.sync();
  expect([ran.exitCode, ran.changing, ran.plan?.held.map(({ guard: by }) => by)]).toEqual([
    3,
    [],
    ['unitsMoved'],
  ]);
});
