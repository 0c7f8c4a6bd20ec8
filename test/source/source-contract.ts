import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { SourceError, StoppedError } from '../../src/domain/errors.ts';
import type { Person, PositionRow, Reading, Refusal, Unit } from '../../src/domain/records/records.ts';
import type { Source, SourceEvidence, Readings } from '../../src/domain/reading/source.ts';
import { PEOPLE, UNITS, type WorldPerson } from './world.ts';

/** A source that holds the world of `world.ts`, and one that breaks off while its people are read. */
export interface SourceUnderTest {
  readonly source: Source;
  readonly broken: Source;
  stop(): Promise<void>;
}

export interface ReadResult {
  readonly units: readonly Unit[];
  readonly people: readonly Person[];
  readonly rows: readonly PositionRow[];
  readonly refusals: readonly Refusal[];
  readonly evidence: SourceEvidence;
}

export const never = new AbortController().signal;

/** Reads everything, in the order of the port. */
export async function readAll(source: Source, signal: AbortSignal = never): Promise<ReadResult> {
  const read = await source.open(signal);
  try {
    const units = await collect(read.units());
    const rows = await collect(read.positions());
    const people = await collect(read.people());
    read.requireSettled?.();
    const refusals = [...units, ...rows, ...people].flatMap((reading) =>
      reading.ok ? [] : [reading.refusal],
    );
    return {
      units: records(units),
      rows: records(rows),
      people: records(people),
      refusals,
      evidence: read.evidence(),
    };
  } finally {
    await read.close();
  }
}

export async function collect<T>(batches: Readings<T>): Promise<readonly Reading<T>[]> {
  const all: Reading<T>[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}

/** One reading after the other. */
export async function* each<T>(batches: Readings<T>): AsyncGenerator<Reading<T>> {
  for await (const batch of batches) yield* batch;
}

function records<T>(readings: readonly Reading<T>[]): readonly T[] {
  return readings.flatMap((reading) => (reading.ok ? [reading.record] : []));
}

/** What every source must do, on the real thing as on the double. */
export function describeSource(name: string, present: boolean, start: () => Promise<SourceUnderTest>): void {
  describe.skipIf(!present)(`${name} as a source`, () => {
    let world: SourceUnderTest;
    let result: ReadResult;

    beforeAll(async () => {
      world = await start();
      result = await readAll(world.source);
    });
    afterAll(async () => world?.stop());

    test('delivers every unit with its name as it is and its parent', () => {
      const idOf = refTable(result.units);
      const found = result.units.map(({ id, parent, fields }) => {
        return { id, parent: parent === null ? null : idOf(parent), name: fields['name'] };
      });
      expect(byId(found)).toEqual(byId(UNITS));
    });

    test('delivers every good person with all fields and positions', () => {
      const good = PEOPLE.filter((person) => person.refused === undefined);
      expect(byId(result.people.map((person) => describePerson(person, result)))).toEqual(
        byId(good.map(expected)),
      );
    });

    test('refuses each bad record by itself, with its id and its field', () => {
      const bad = PEOPLE.filter((person) => person.refused !== undefined);
      const found = result.refusals.map(({ subject, id, field }) => ({ subject, id: id ?? '', field }));
      expect(byId(found)).toEqual(
        byId(bad.map(({ id, refused }) => ({ subject: 'person', id, field: refused }))),
      );
      expect(result.refusals.every(({ place, reason }) => place !== '' && reason !== '')).toBe(true);
    });

    test('delivers who has a field that cannot be read without it, with its name', () => {
      const lost = result.people.flatMap(({ id, losses = [] }) =>
        losses.map(({ field }) => `${id} ${field}`),
      );
      const expectedLosses = PEOPLE.flatMap((one) =>
        one.lost === undefined ? [] : [`${one.id} ${one.lost}`],
      );
      expect(lost.toSorted()).toEqual(expectedLosses.toSorted());
      const without = result.people.filter(({ losses = [], fields }) =>
        losses.some(({ field }) => field in fields),
      );
      expect(without).toEqual([]);
    });

    test('gives evidence that every part was read to its end', () => {
      const people = result.evidence.parts.find(({ part }) => part === 'people');
      expect(people?.records).toBe(PEOPLE.length);
      expect(result.evidence.parts.map(({ end }) => end)).not.toContain('not ended');
    });

    test('can be left early and read again', async () => {
      const read = await world.source.open(never);
      for await (const reading of each(read.people())) {
        expect(reading.ok || reading.refusal.id !== '').toBe(true);
        break;
      }
      expect(read.evidence().parts).toMatchObject([{ part: 'people', end: 'not ended' }]);
      expect(await collect(read.units())).toHaveLength(UNITS.length);
      await read.close();
      expect((await readAll(world.source)).people).toHaveLength(result.people.length);
    });

    test('throws when it breaks off in the middle, and shows no end', async () => {
      const read = await world.broken.open(never);
      await expect(collect(read.people())).rejects.toBeInstanceOf(SourceError);
      expect(read.evidence().parts).toMatchObject([{ part: 'people', end: 'not ended' }]);
      await read.close();
    });

    test('stops when it is told to', async () => {
      const controller = new AbortController();
      const read = await world.source.open(controller.signal);
      const all = async (): Promise<void> => {
        for await (const _ of each(read.people())) controller.abort();
      };
      await expect(all()).rejects.toBeInstanceOf(StoppedError);
      await read.close();
      await expect(world.source.open(controller.signal)).rejects.toBeInstanceOf(StoppedError);
    });

    test.each([
      ['person', 'c7', ['c7']],
      ['person', 'LIN', ['p1']],
      ['person', 'p5', ['p5']],
      ['person', 'u4', []],
      ['unit', 'u4', ['u4']],
      ['unit', 'sales, marketing', ['u2']],
    ] as const)('finds a %s by %s among all', async (subject, text, ids) => {
      const found = await world.source.find(subject, [text], never);
      expect(found.map(({ reading }) => (reading.ok ? reading.record.id : reading.refusal.id))).toEqual(ids);
      expect(found.every((sample) => sample.subject === subject && sample.place !== '')).toBe(true);
    });

    test('finds the rows of one person in a separate positions query', async () => {
      const rows = result.rows.filter(({ person }) => person === 'p1');
      const found = await world.source.findPositions('p1', never);
      expect(found.flatMap(({ reading }) => (reading.ok ? reading.record : []))).toEqual(rows);
      expect(await world.source.findPositions('nobody', never)).toEqual([]);
    });
  });
}

function byId<T extends { readonly id: string }>(items: readonly T[]): readonly T[] {
  return items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function refTable(units: readonly Unit[]): (ref: string) => string {
  const ids = new Map(units.flatMap(({ id, refs }) => refs.map((ref) => [ref, id] as const)));
  return (ref) => ids.get(ref) ?? `unknown ${ref}`;
}

function describePerson(person: Person, result: ReadResult): ReturnType<typeof expected> {
  const idOf = refTable(result.units);
  const rows = result.rows.filter((row) => row.person === person.id).map((row) => row.position);
  const positions = [...person.positions, ...rows].map(({ unit, fields }) => {
    return { unit: unit === null ? 'root' : idOf(unit), primary: fields['primary'] === true };
  });
  const primary = [...person.positions, ...rows].find(({ fields }) => fields['primary'] === true);
  const { name, email = null, birthday = null, sort_order = null } = person.fields;
  return {
    id: person.id,
    username: person.username,
    active: person.active,
    fields: { name, email, birthday, sort_order },
    title: primary?.fields['job_title'] ?? null,
    positions: positions.toSorted((a, b) => (a.unit < b.unit ? -1 : 1)),
  };
}

// eslint-disable-next-line typescript/explicit-function-return-type
function expected(person: WorldPerson) {
  const { id, username, active, name, email, born, order, units, title, lost } = person;
  const birthday = born === null || lost === 'birthday' ? null : String(Date.parse(`${born}T00:00:00Z`));
  const positions = units.map((unit, index) => ({ unit, primary: index === 0 }));
  return {
    id,
    username: username as string,
    active: active as boolean | null,
    fields: { name, email, birthday, sort_order: lost === 'sort_order' ? null : order } as Readonly<
      Record<string, unknown>
    >,
    title: title as unknown,
    positions: positions.toSorted((a, b) => (a.unit < b.unit ? -1 : 1)),
  };
}
