import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/domain/records/records.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { NO_GUARD } from '../plan/build.ts';
import { doneBy, dueAfter } from './shown.ts';
import { at, loadedWorld, person, unit, type Ran, type World } from './world.ts';

const NONE = { percent: 0, count: 0 };
const IDS = Array.from({ length: 12 }, (_, index) => String(index + 1));
const inUnit = (index: number): string => (index < 3 ? 'u2' : 'u1');
const STAFF = IDS.map((id, index) =>
  person(id, {
    fields: { email: `${id}@example.com`, mobile: `+49 ${id}`, properties: { '11': [id], '12': ['x'] } },
    positions: [at(inUnit(index), { job_title: `Title ${id}` })],
  }),
);
const UNITS = [unit('u1'), unit('u2', 'u1'), unit('u3')];

type Edit = (one: Person, index: number) => Person;
const set =
  (fields: Person['fields'], most = 12): Edit =>
  (one, index) =>
    index < most ? { ...one, fields: { ...one.fields, ...fields } } : one;
const named: Edit = (one) => ({ ...one, fields: { ...one.fields, name: `New ${one.id}` } });
const edited = (...edits: readonly Edit[]): readonly Person[] =>
  STAFF.map((one, index) => edits.reduce((now, edit) => edit(now, index), one));

const MOVED = [unit('u1'), unit('u2', 'u3'), unit('u3')];
const JOINED = [...STAFF, ...['j1', 'j2', 'j3'].map((id) => person(id, { positions: [at('n1')] }))];

interface Case {
  readonly what: string;
  readonly guard: Partial<SyncSettings['guard']>;
  readonly sync?: Partial<SyncSettings>;
  readonly to: Partial<MemoryWorld>;
}

const CASES: readonly Case[] = [
  {
    what: 'people who also follow their unit',
    guard: { updates: NONE },
    to: { units: MOVED, people: edited(named) },
  },
  {
    what: 'two emptied fields, of which one concerns fewer people, and properties',
    guard: { emptied: NONE },
    to: {
      people: edited(set({ email: null }), set({ mobile: null, properties: { '11': [], '12': [] } }, 5)),
    },
  },
  {
    what: 'what two guards hold of the same people',
    guard: { emptied: NONE, updates: NONE },
    to: { units: MOVED, people: edited(set({ email: null }, 5), named) },
  },
  {
    what: 'people whose unit is to be made for them',
    guard: { joiners: NONE, updates: NONE },
    to: {
      units: [...UNITS, unit('n1')],
      people: JOINED.map((one, index) => (index < 2 ? { ...one, positions: [at('n1')] } : one)),
    },
  },
  {
    what: 'a unit that goes, once its people have moved out',
    guard: { updates: NONE, unitsRemoved: NONE },
    to: {
      units: [unit('u1'), unit('u3')],
      people: STAFF.map((one, index) => (index < 3 ? { ...one, positions: [at('u3')] } : one)),
    },
  },
  {
    what: 'people with new ids, and what follows for them',
    guard: { updates: NONE, usernameReuse: NONE, emptied: NONE },
    to: {
      people: edited(named, (one, index) =>
        index < 4 ? set({ email: null })({ ...one, id: `R${one.id}` }, index) : one,
      ),
    },
  },
];

const hashesOf = ({ plan }: Ran): readonly string[] => (plan?.held ?? []).map(({ hash }) => hash);

async function held({ guard, sync, to }: Case): Promise<World> {
  const world = await loadedWorld({
    units: UNITS,
    people: STAFF,
    sync: { guard: { ...NO_GUARD, ...guard }, ...sync },
  });
  world.change(() => to);
  return world;
}

describe.each(CASES)('what an approval sends is what was listed under its hash: $what', (one) => {
  test('each hash alone, one after the other, until nothing is held', async () => {
    const world = await held(one);
    const first = await world.sync();
    expect(first.exitCode).toBe(3);
    for (let before = first, runs = 0; hashesOf(before).length > 0; runs += 1) {
      expect(runs).toBeLessThan(9);
      const hash = hashesOf(before).at(-1) ?? '';
      const ran = await world.sync({ approve: [hash] });
      expect(doneBy(ran)).toEqual(dueAfter(before, [hash], ran));
      before = ran;
    }
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('all of them at once, and nothing is left', async () => {
    const world = await held(one);
    const before = await world.sync();
    const ran = await world.sync({ approve: hashesOf(before) });
    expect(doneBy(ran)).toEqual(dueAfter(before, hashesOf(before), ran));
    expect([ran.exitCode, hashesOf(ran)]).toEqual([0, []]);
  });

  test('is counted as it is listed, and each line of the plan says so', async () => {
    const world = await held(one);
    const { plan, rows, text, report } = await world.plan({ describe: true });
    const heldRows = rows.filter(({ isHeld }) => isHeld);
    expect([plan?.heldChanges, report.end.held]).toEqual([heldRows.length, heldRows.length]);
    const total = Object.values({ ...plan?.counts.people }).concat(Object.values({ ...plan?.counts.units }));
    expect(total.reduce((a, b) => a + b)).toBe(rows.length);
    expect(text.filter((line) => line.includes('   HELD: '))).toHaveLength(heldRows.length);
    const known = new Set(plan?.held.map(({ hash }) => hash));
    expect(
      heldRows.filter(({ hashes }) => hashes.length === 0 || !hashes.every((hash) => known.has(hash))),
    ).toEqual([]);
  });
});
