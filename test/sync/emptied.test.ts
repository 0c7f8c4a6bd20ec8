import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/domain/records/records.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { NO_GUARD } from '../plan/build.ts';
import { at, loadedWorld, person, unit, type World } from './world.ts';

const IDS = Array.from({ length: 12 }, (_, index) => String(index + 1));
const full = (id: string, parts: Partial<Person> = {}): Person =>
  person(id, {
    fields: {
      email: `${id}@example.com`,
      mobile: `+49 ${id}`,
      properties: { '11': [`P${id}`], '12': ['kept'] },
    },
    positions: [at('u1', { job_title: `Title ${id}`, chief: id === '1' })],
    ...parts,
  });
const COMPANY = {
  units: [unit('u1'), unit('u2')],
  people: IDS.map((id) => full(id)),
} as const satisfies MemoryWorld;
/** More than three of anything that turns empty, or changes. */
const FEW = { percent: 5, count: 3 };
const GUARD = { ...NO_GUARD, emptied: FEW, updates: FEW };

const changed = (count: number, change: (person: Person) => Person): Partial<MemoryWorld> => ({
  people: IDS.map((id, index) => (index < count ? change(full(id)) : full(id))),
});
const without =
  (name: string) =>
  (one: Person): Person => ({ ...one, fields: { ...one.fields, [name]: null } });
const withoutProperty = (one: Person): Person => ({
  ...one,
  fields: { ...one.fields, properties: { '11': [], '12': ['kept'] } },
});
const withoutTitle = (one: Person): Person => ({
  ...one,
  positions: one.positions.map(({ unit: id, fields }) => at(id, { ...fields, job_title: null })),
});
const atRoot = (one: Person): Person => ({ ...one, positions: [at(null, { job_title: 'Gone' })] });
const renamed = (one: Person): Person => ({ ...one, fields: { ...one.fields, name: `New ${one.id}` } });

interface Case {
  readonly what: string;
  readonly empty: (person: Person) => Person;
  readonly value: (world: World) => unknown;
}

const CASES: readonly Case[] = [
  { what: 'email', empty: without('email'), value: (world) => world.employee('l1').profile['email'] },
  {
    what: 'properties.11',
    empty: withoutProperty,
    value: (world) => world.employee('l1').profile['properties'],
  },
  {
    what: 'positions.job_title',
    empty: withoutTitle,
    value: (world) => world.employee('l1').positions[0]?.jobTitle,
  },
  { what: 'positions', empty: atRoot, value: (world) => world.employee('l1').positions[0]?.orgId },
];

const loaded = (): Promise<World> => loadedWorld({ ...COMPANY, sync: { guard: GUARD } });

describe.each(CASES)('$what turning empty on many', ({ what, empty, value }) => {
  test('is held once, under one hash, and one approval releases it', async () => {
    const world = await loaded();
    const before = value(world);
    const ran = await world.syncAfter(() => changed(4, empty));
    expect([ran.exitCode, ran.changing]).toEqual([3, []]);
    expect(ran.plan?.held).toMatchObject([
      { guard: 'emptied', count: 4, limit: 3, about: `${what} turns empty for 4 of 12 people` },
    ]);
    expect([ran.plan?.heldChanges, ran.report.end.held]).toEqual([4, 4]);
    expect(ran.lines.find(({ fields }) => fields['event'] === 'plan.ready')?.fields['held']).toBe(4);
    expect(value(world)).toEqual(before);
    const released = await world.sync({ approve: [ran.plan?.held[0]?.hash ?? ''] });
    expect([released.exitCode, released.plan?.held]).toEqual([0, []]);
    expect(value(world)).not.toEqual(before);
    expect((await world.sync({ full: true })).changing).toEqual([]);
    world.change(() => changed(4, (one) => renamed(empty(one))));
    expect((await world.sync()).plan?.held).toMatchObject([{ guard: 'updates', count: 4, limit: 3 }]);
  });

  test('keeps its old value while the rest of the record flows', async () => {
    const world = await loaded();
    world.configure({ guard: { ...GUARD, updates: NO_GUARD.updates } });
    const before = value(world);
    const ran = await world.syncAfter(() => changed(4, (one) => renamed(empty(one))));
    expect(ran.plan?.held).toMatchObject([{ guard: 'emptied', count: 4 }]);
    expect([world.employee('l1').name, value(world)]).toEqual(['New 1', before]);
    expect((await world.sync({ full: true })).changing).toEqual([]);
    const released = await world.sync({ approve: [ran.plan?.held[0]?.hash ?? ''] });
    expect(released.exitCode).toBe(0);
    expect(value(world)).not.toEqual(before);
  });
});

describe('what turns empty', () => {
  test('of a person who moves: the title is kept in the new unit', async () => {
    const world = await loaded();
    world.configure({ guard: { ...GUARD, updates: NO_GUARD.updates } });
    world.change(() => changed(4, (one) => ({ ...one, positions: [at('u2', { job_title: null })] })));
    expect((await world.sync()).plan?.held).toMatchObject([{ guard: 'emptied', count: 4 }]);
    expect(world.state().people.find((one) => one.startsWith('l1 '))).toMatch(/u2\[Title 1 primary\]/u);
  });

  test('is no title of somebody who never had one, and no mark that is set to false', async () => {
    const world = await loaded();
    world.change(() =>
      changed(5, (one) => ({
        ...one,
        positions: one.positions.map(({ fields }) => at('u1', { ...fields, chief: false })),
      })),
    );
    expect((await world.sync()).plan?.held).toEqual([]);
  });
});
