import { describe, expect, test } from 'vitest';
import { openWorld, person, type World } from './world.ts';

/** Accounts that are there before rollcall comes, with numbers that no source has. */
async function before(readings: readonly string[]): Promise<World> {
  const world = await openWorld({ readings });
  const { edit, rootId } = world.sandbox;
  for (const username of ['l1', 'l2', 'l3']) {
    const mobile = username === 'l3' ? {} : { mobile: `+49 ${username}` };
    edit.addEmployee({ username, name: 'Old', positions: [{ org_id: rootId }], ...mobile });
  }
  return world;
}

const mobiles = (world: World): readonly unknown[] =>
  ['l1', 'l2', 'l3'].map((username) => world.employee(username).profile['mobile']);
const KEPT = ['+49 l1', '+49 l2', undefined];

describe('fields of an account that nobody has mapped', () => {
  test.each([[[]], [['asyncImport=2s']], [['normalizes']]])(
    'stay where the service keeps what an import leaves out, found out once (%j)',
    async (readings) => {
      const world = await before(readings);
      const ran = await world.sync();
      expect([ran.exitCode, ran.listed, ran.changing]).toMatchObject([0, [], { length: 4 }]);
      expect(world.state().people.filter((line) => / Old /u.test(line))).toEqual([]);
      expect(mobiles(world).map(Boolean)).toEqual(KEPT.map(Boolean));
      world.change(({ people }) => ({
        people: [person('1', { fields: { name: 'New' } }), ...people.slice(1)],
      }));
      expect((await world.sync()).changing).toEqual(['importEmployees']);
    },
  );

  test.each([[['absent=clear']], [['absent=clear', 'asyncImport=2s']]])(
    'are lost by nobody where the service clears it (%j): one is tried and gets it back, the others wait',
    async (readings) => {
      const world = await before(readings);
      const ran = await world.sync();
      expect(ran.exitCode).toBe(4);
      expect(ran.lines.map(({ fields }) => fields['reason']).join('\n')).toMatch(
        /the import has cleared mobile, which is not mapped; it was set again/u,
      );
      expect(ran.listed.join('\n')).toMatch(
        /2: the service clears fields that an import leaves out, and this account has mobile, not mapped: map it/u,
      );
      expect([mobiles(world), world.employee('l2').name, world.employee('l3').name]).toEqual([
        KEPT,
        'Old',
        'Name 3',
      ]);
      world.minutes(15);
      const next = await world.sync();
      expect([next.exitCode, next.changing, mobiles(world)]).toEqual([4, [], KEPT]);
    },
  );

  test('flow once they are mapped, also to be emptied', async () => {
    const world = await before(['absent=clear']);
    await world.sync();
    world.change(() => ({
      people: ['1', '2', '3'].map((id) => person(id, { fields: { mobile: id === '1' ? '+1' : null } })),
    }));
    const ran = await world.sync();
    expect([ran.exitCode, ran.listed, mobiles(world).map((it) => it ?? '')]).toEqual([0, [], ['+1', '', '']]);
  });

  test('that somebody fills in later are no less safe', async () => {
    const world = await openWorld({ readings: ['absent=clear'] });
    await world.sync();
    world.sandbox.edit.changeEmployee('l1', { mobile: '+49' });
    world.minutes(15);
    world.change(({ people }) => ({
      people: [person('1', { fields: { name: 'New' } }), ...people.slice(1)],
    }));
    await world.sync();
    expect(world.employee('l1')).toMatchObject({ name: 'New', profile: { mobile: '+49' } });
    world.change(({ people }) => ({
      people: [person('1', { fields: { name: 'Newer' } }), ...people.slice(1)],
    }));
    const ran = await world.sync();
    expect([ran.exitCode, ran.changing]).toEqual([4, []]);
    expect(world.employee('l1')).toMatchObject({ name: 'New', profile: { mobile: '+49' } });
  });
});
