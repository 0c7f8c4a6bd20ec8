import { describe, expect, test } from 'vitest';
import { at, openWorld, person, unit, type World } from './world.ts';

const COMPANY = {
  units: [unit('u1'), unit('u2', 'u1'), unit('u3')],
  people: [person('1'), person('2', { positions: [at('u2')] }), person('3')],
};

/** Loaded an hour ago and seen since: what was written then is no news any more. */
async function settled(readings: readonly string[]): Promise<World> {
  const world = await openWorld({ ...COMPANY, readings });
  for (let times = 0; times < 2; times += 1) {
    await world.sync();
    world.minutes(60);
  }
  return world;
}

describe('a service that does not tell of a locked account (usersRefreshBlind)', () => {
  test('whoever has changed in the source is looked at before anything is sent', async () => {
    const world = await settled(['usersRefreshBlind']);
    world.sandbox.edit.lockEmployee('l1');
    const ran = await world.syncAfter(({ people }) => ({
      people: [person('1', { fields: { name: 'New' } }), ...people.slice(1)],
    }));
    expect([ran.exitCode, ran.changing]).toEqual([4, []]);
    expect(ran.listed.join()).toMatch(/1: locked in the service by somebody else/u);
    expect(world.employee('l1')).toMatchObject({ name: 'Name 1', locked: true });
  });

  test('whoever follows a unit that moves, as well', async () => {
    const world = await settled(['usersRefreshBlind', 'importEnables']);
    world.sandbox.edit.lockEmployee('l2');
    const ran = await world.syncAfter(() => ({ units: [unit('u1'), unit('u2', 'u3'), unit('u3')] }));
    expect(ran.planned).toEqual(['move unit u2']);
    expect(world.employee('l2').locked).toBe(true);
  });
});
