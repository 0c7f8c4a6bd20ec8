import { describe, expect, test } from 'vitest';
import { loadedWorld, person, unit, type World } from './world.ts';

/** Somebody has typed values into the service that no rule maps. */
async function typed(): Promise<World> {
  const world = await loadedWorld({ units: [unit('u1')], people: [person('1'), person('2')] });
  world.sandbox.edit.changeEmployee('l1', { mobile: '+49 1', sort_order: 7 });
  expect((await world.sync({ full: true })).planned).toEqual([]);
  return world;
}

const mapped = (fields: Parameters<typeof person>[1]) => [person('1', fields), person('2', fields)];

describe('a field that is mapped later, and empty in the source,', () => {
  test('is a change of whoever has a value in the service, and of nobody else', async () => {
    const world = await typed();
    world.change(() => ({ people: mapped({ fields: { mobile: null, sort_order: null } }) }));
    const shown = await world.plan();
    expect([shown.planned, shown.fields('1')]).toEqual([['update person 1'], ['mobile', 'sort_order']]);
    expect((await world.sync()).planned).toEqual(['update person 1']);
    const { profile } = world.employee('l1');
    expect([profile['mobile'] ?? '', profile['sort_order'] ?? null]).toEqual(['', null]);
    for (const full of [false, true]) expect((await world.sync({ full })).planned).toEqual([]);
  });

  test('is emptied where an account is adopted, also where the service does not show it', async () => {
    const world = await loadedWorld({
      units: [unit('u1')],
      people: [person('1', { fields: { birthday: '641520000000', rank: '3' } })],
    });
    world.loseLedger();
    world.change(() => ({ people: [person('1', { fields: { birthday: null, rank: null } })] }));
    expect((await world.sync()).planned).toContain('adopt person 1');
    const { birthday = null, rank = null } = world.employee('l1').profile;
    expect([birthday, rank]).toEqual([null, null]);
  });
});
