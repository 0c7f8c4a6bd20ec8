import { describe, expect, test } from 'vitest';
import type { Refusal, Unit } from '../../src/domain/records/records.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { SYNC } from '../plan/build.ts';
import { at, openWorld, person, unit, type World, type WorldOptions } from './world.ts';

const MAY_BE = 'u3: missing in the source, where no id can be read of one record of units: it may be';
const COULD_NOT = 'it could not be read: it is where the record of this unit was in the last complete read';
const [HERE, THERE] = ['here-of-12-bytes', 'there-of-12-byte'];

const PEOPLE = [person('1'), person('2', { positions: [at('u2')] })];
/** Nobody is in `u3`, and nothing is below it: it would go at once. */
const UNITS = [unit('u1'), unit('u2', 'u1'), unit('u3', 'u1'), unit('u4', 'u1')];
const HIDDEN: Refusal = { subject: 'unit', id: null, place: 'hidden', field: 'id', reason: 'is empty' };

const without = (...ids: readonly string[]): readonly Unit[] => UNITS.filter(({ id }) => !ids.includes(id));

/** A loaded world in which one unit is here. */
async function loaded(options: WorldOptions = {}, id = 'u3'): Promise<World> {
  const world = await openWorld({ units: UNITS, people: PEOPLE, ...options });
  world.change(() => ({ spots: { [id]: HERE } }));
  expect((await world.sync()).exitCode).toBe(0);
  return world;
}

const hide = (world: World, more: Partial<MemoryWorld> = {}): void =>
  world.change(() => ({ units: [...without('u3'), HIDDEN], spots: { hidden: HERE }, ...more }));
const names = (world: World): string => world.state().units.join();

describe('a unit whose record cannot be read and is where it was', () => {
  test('is left as it is and listed with its name, while the others go on', async () => {
    const world = await loaded();
    const { id } = world.organization('u3');
    hide(world, { people: [...PEOPLE, person('5')] });
    for (const planned of [['create person 5'], [], []]) {
      const ran = await world.sync({ full: true });
      expect([ran.exitCode, ran.planned]).toEqual([4, planned]);
      expect(ran.listed).toEqual([expect.stringMatching(new RegExp(`^u3: id: is empty; ${COULD_NOT}`, 'u'))]);
      expect(ran.labels).toEqual(['Unit u3']);
    }
    hide(world, { units: [...without('u3', 'u4'), HIDDEN] });
    expect((await world.sync()).planned).toEqual(['remove unit u4']);
    world.change(() => ({ units: UNITS, spots: { u3: HERE } }));
    expect([(await world.sync()).exitCode, world.organization('u3').id]).toEqual([0, id]);
  });

  test('holds what is below it, and its people, who are changed in nothing', async () => {
    const world = await loaded({}, 'u2');
    const below = unit('u5', 'u2');
    world.change(() => ({ units: [...UNITS, below] }));
    await world.sync();
    const refs = { ...HIDDEN, unitRefs: ['u2'] };
    const renamed = person('2', { fields: { name: 'Other' }, positions: [at('u2')] });
    hide(world, {
      units: [...without('u2'), unit('u5', 'u2', { name: 'Other' }), refs],
      people: [renamed, ...PEOPLE.slice(0, 1)],
    });
    const ran = await world.sync();
    expect([ran.exitCode, ran.planned, ran.listed.length]).toEqual([4, [], 3]);
  });

  test('is known by where it moved to', async () => {
    const world = await loaded();
    world.change(() => ({ spots: { u3: THERE } }));
    await world.sync();
    hide(world, { spots: { hidden: THERE } });
    expect((await world.sync()).planned).toEqual([]);
    hide(world);
    const elsewhere = await world.sync();
    expect([elsewhere.planned, elsewhere.listed.join()]).toEqual([[], expect.stringContaining(MAY_BE)]);
  });

  test('may be any that is missing, whatever it is called where it is now', async () => {
    const world = await loaded();
    hide(world, { units: [...without('u3'), { ...HIDDEN, label: 'Renamed' }], spots: { hidden: THERE } });
    const ran = await world.sync();
    expect([ran.exitCode, ran.planned, ran.listed.join()]).toEqual([4, [], expect.stringContaining(MAY_BE)]);
  });

  test('is known by the last complete read, not by one that broke off, nor by a plan', async () => {
    const world = await loaded();
    world.change(() => ({ spots: { u3: THERE } }));
    world.source.breakage = { part: 'people', after: 1 };
    expect((await world.sync()).exitCode).toBe(1);
    world.source.breakage = null;
    expect((await world.plan()).planned).toEqual([]);
    hide(world);
    expect((await world.sync()).planned).toEqual([]);
  });

  test('is left though source.units.where leaves it out: it may do so by what cannot be read', async () => {
    const world = await loaded();
    const out = { ...unit(''), refs: ['u3'], outOfScope: "kind == 'real'" };
    hide(world, { units: [...without('u3'), out], spots: { '': HERE } });
    const ran = await world.sync();
    expect([ran.exitCode, ran.planned]).toEqual([4, []]);
    expect(ran.listed).toEqual([
      expect.stringMatching(/^u3: id: is empty, and source\.units\.where leaves/u),
    ]);
    hide(world, { units: [...without('u3'), { ...out, id: 'u3' }], spots: { u3: HERE } });
    expect((await world.sync()).planned).toEqual(['remove unit u3']);
  });

  test('is new where it was not in our ledger yet, and nothing but listed', async () => {
    const guard = { ...SYNC.guard, unitsRemoved: { percent: 0, count: 0 } };
    const world = await loaded({ sync: { guard } });
    hide(world, { units: [...UNITS, HIDDEN], spots: { u3: HERE, hidden: THERE } });
    const ran = await world.sync();
    expect([ran.exitCode, ran.planned, ran.listed]).toEqual([4, [], ['hidden: id: is empty']]);
  });
});

describe('a record that cannot be read, in the place of a unit', () => {
  test('that is somewhere else now is another one', async () => {
    const world = await loaded();
    hide(world, { units: [...UNITS, HIDDEN], spots: { u3: THERE, hidden: HERE } });
    const ran = await world.sync();
    expect([ran.exitCode, ran.listed]).toEqual([4, ['hidden: id: is empty']]);
  });

  test('that was missing before may be that unit, which stays', async () => {
    const guard = { ...SYNC.guard, unitsRemoved: { percent: 0, count: 0 } };
    const world = await loaded({ sync: { guard } });
    world.change(() => ({ units: without('u3') }));
    expect((await world.sync()).exitCode).toBe(3);
    hide(world);
    const ran = await world.sync();
    expect([ran.exitCode, ran.planned, ran.listed.join()]).toEqual([4, [], expect.stringContaining(MAY_BE)]);
    expect(names(world)).toContain('Unit u3');
    world.change(() => ({ units: without('u3') }));
    expect((await world.sync()).planned).toEqual(['remove unit u3']);
  });
});
