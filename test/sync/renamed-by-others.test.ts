import { describe, expect, test } from 'vitest';
import { NO_GUARD } from '../plan/build.ts';
import { openWorld, SMALL, type World } from './world.ts';

/** Somebody gives the account of person 3 another name, and its username to a new account. */
async function takenOver(): Promise<World> {
  const world = await openWorld({ sync: { guard: NO_GUARD } });
  await world.sync();
  const { edit, rootId } = world.sandbox;
  edit.respell('l3', 'carl3');
  edit.addEmployee({ username: 'l3', name: 'Impostor', mobile: '999', positions: [{ org_id: rootId }] });
  world.minutes(15);
  return world;
}

describe.each([false, true])('a username that others gave to a new account, full: %s', (full) => {
  test('is somebody else’s: nothing of it is written, and the person is named', async () => {
    const world = await takenOver();
    const ran = await world.sync({ full });
    expect([ran.exitCode, ran.changing, world.employee('l3').name]).toEqual([4, [], 'Impostor']);
    expect(ran.listed).toEqual([
      expect.stringMatching(/^3: .*username was changed in the service to carl3/u),
    ]);
  });

  test('locks nobody else out when the person leaves, and who is still inside is named', async () => {
    const world = await takenOver();
    world.change(() => ({ people: SMALL.people.slice(0, 2) }));
    for (let reads = 0; reads < 3; reads += 1) {
      const ran = await world.sync({ full });
      world.minutes(15);
      expect([ran.exitCode, ran.changing]).toEqual([4, []]);
      expect(ran.listed.some((line) => line.startsWith('3: '))).toBe(true);
    }
    expect([world.employee('l3').locked, world.employee('carl3').locked]).toEqual([false, false]);
  });
});

test.each([false, true])(
  'a node that somebody renamed and numbered is theirs: its unit is made anew, with its people (full: %s)',
  async (full) => {
    const world = await openWorld();
    await world.sync();
    world.minutes(15);
    const { id } = world.organization('u2');
    world.sandbox.edit.changeOrganization(id, { name: 'Theirs', serialNo: 'X-1' });
    const ran = await world.sync({ full });
    expect([ran.exitCode, ran.planned]).toEqual([0, ['update person 2', 'create unit u2']]);
    expect(world.sandbox.state.organization(id)).toMatchObject({ name: 'Theirs', serialNo: 'X-1' });
    expect(world.organization('u2').id).not.toBe(id);
    expect(world.employee('l2').positions.map(({ orgId }) => orgId)).toContain(world.organization('u2').id);
    world.minutes(15);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  },
);
