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
    what: 'positions.job_title',
    empty: withoutTitle,
    value: (world) => world.employee('l1').positions[0]?.jobTitle,
  },
  { what: 'positions', empty: atRoot, value: (world) => world.employee('l1').positions[0]?.orgId },
];

const loaded = (): Promise<World> => loadedWorld({ ...COMPANY, sync: { guard: GUARD } });

describe.each(CASES)('$what turning empty on many', ({ what, empty, value }) => {
  test('is held under one hash, and one approval releases it', async () => {
    const world = await loaded();
    world.configure({ guard: { ...GUARD, updates: NO_GUARD.updates } });
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
  });

  test('holds the whole record, under the hash of each guard that counts it', async () => {
    const world = await loaded();
    const before = value(world);
    const ran = await world.syncAfter(() => changed(4, (one) => renamed(empty(one))));
    expect(ran.plan?.held).toMatchObject([
      { guard: 'updates', count: 4 },
      { guard: 'emptied', count: 4 },
    ]);
    const hashes = (ran.plan?.held ?? []).map(({ hash }) => hash);
    expect(ran.rows.map((row) => [row.change.id, row.isHeld, row.hashes])).toEqual(
      ['1', '2', '3', '4'].map((id) => [id, true, hashes]),
    );
    const half = await world.sync({ approve: hashes.slice(0, 1) });
    expect([half.exitCode, half.changing]).toEqual([3, []]);
    expect([world.employee('l1').name, value(world)]).toEqual(['Name 1', before]);
    const released = await world.sync({ approve: (half.plan?.held ?? []).map(({ hash }) => hash) });
    expect([released.exitCode, released.plan?.held]).toEqual([0, []]);
    expect(world.employee('l1').name).toBe('New 1');
    expect(value(world)).not.toEqual(before);
  });
});

const crowd = (count: number, change: (one: Person, index: number) => Person): readonly Person[] =>
  Array.from({ length: count }, (_, index) => {
    const one = full(String(index + 1), { positions: [at(index < 6 ? 'east' : 'rest')] });
    return change(one, index);
  });
const PARTS = { units: [unit('rest'), unit('north', 'rest'), unit('east', 'north')] };
const lose = (one: Person): Person => without('mobile')(without('email')(one));
const partly = (from: number, to: number): Partial<MemoryWorld> => ({
  people: crowd(100, (one, index) => (index >= from && index < to ? lose(one) : one)),
});
const EMPTIED = { percent: 10, count: 5 };
const company = (): Promise<World> =>
  loadedWorld({ ...PARTS, ...partly(0, 0), sync: { guard: { ...NO_GUARD, emptied: EMPTIED } } });

describe('a field that turns empty in one part', () => {
  test('of a tree, with all below it, is held from more than half on, once', async () => {
    const world = await company();
    const ran = await world.syncAfter(() => partly(0, 4));
    expect([ran.exitCode, ran.changing]).toEqual([3, []]);
    const [email, mobile] = ran.plan?.held ?? [];
    expect([email, mobile]).toMatchObject([
      {
        guard: 'emptied',
        count: 4,
        limit: 3,
        about: 'email turns empty for 4 of 6 people in unit Unit north, with all below it',
      },
      { guard: 'emptied', count: 4, limit: 3 },
    ]);
    const approve = [email?.hash ?? '', mobile?.hash ?? ''];
    const released = await world.sync({ approve: approve.slice(0, 1) });
    expect([released.exitCode, released.plan?.held]).toMatchObject([3, [{ hash: mobile?.hash }]]);
    expect(world.employee('l1').profile).toMatchObject({ email: '1@example.com', mobile: '+49 1' });
    expect((await world.sync({ approve: approve.slice(1) })).exitCode).toBe(0);
    expect(world.employee('l1').profile['email']).toBeUndefined();
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });
});
