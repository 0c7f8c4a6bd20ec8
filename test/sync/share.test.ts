import { describe, expect, test } from 'vitest';
import { describeShortfalls, shortfalls, sizeOf } from '../../src/domain/ports/read-size.ts';
import type { SourcePart } from '../../src/domain/reading/source-part.ts';
import { openWorld, person, unit, type Ran, type World } from './world.ts';

const crowd = (size: number) => Array.from({ length: size }, (_, index) => person(String(index + 1)));
const rows = (size: number) =>
  crowd(size).map(({ id }) => ({ person: id, position: { unit: 'u1', fields: {} } }));

/** A source that cannot prove its end, read once with 100 people. */
async function loaded(size = 100): Promise<World> {
  const world = await openWorld({ units: [unit('u1')], people: crowd(size) });
  world.source.atLeastPercent = 80;
  expect((await world.sync()).exitCode).toBe(0);
  return world;
}

const peopleOf = (from: string, records: number, atLeastPercent?: number): SourcePart => ({
  part: 'people',
  from,
  records,
  pages: 1,
  end: 'end of file',
  ...(atLeastPercent !== undefined && { atLeastPercent }),
});

async function syncWith(world: World, size: number): Promise<Ran> {
  world.minutes(11);
  world.change(() => ({ people: crowd(size) }));
  return world.sync();
}

const of = (...sizes: readonly number[]) => sizes.map((records, index) => ({ base: `ou=${index}`, records }));

describe('of several bases one that brings nobody any more', () => {
  test.each([
    ['had a few', of(3, 3), of(3, 0), ['ou=1']],
    ['had two, who may have left', of(3, 2), of(3, 0), []],
    ['had nobody', of(3, 0), of(3, 0), []],
    ['has fewer', of(3, 2), of(3, 1), []],
    ['is not asked any more', of(3, 2), of(3), []],
    ['is new', of(3), of(3, 0), []],
  ])('is hidden where it %s', (_, before, after, bases) => {
    const part = (list: typeof before): SourcePart => ({ ...peopleOf('ad', 9), bases: list });
    const known = sizeOf('i', [part(before)]);
    const short = shortfalls(known, sizeOf('i', [part(after)]), [part(after)]);
    expect(short.flatMap((one) => (one.kind === 'bases' ? one.bases : []))).toEqual(bases);
  });

  test('makes the read incomplete: nobody is missed', async () => {
    const world = await openWorld({ units: [unit('u1')], people: crowd(10) });
    world.source.bases = of(6, 4);
    expect((await world.sync()).exitCode).toBe(0);
    world.source.bases = of(6, 0);
    for (const _ of [1, 2, 3]) {
      const ran = await syncWith(world, 6);
      expect([ran.exitCode, ran.changing, ran.planned]).toEqual([1, [], []]);
      expect(ran.error).toMatch(
        /^source: source\.people\.base: ou=1 brought no record of people.*incomplete.*removed from the configuration/u,
      );
    }
  });
});

describe('a read of far fewer records than the last one', () => {
  test('is incomplete: nothing is sent, and nobody is missed', async () => {
    const world = await loaded();
    for (const _ of [1, 2, 3]) {
      const ran = await syncWith(world, 79);
      expect([ran.exitCode, ran.changing, ran.planned]).toEqual([1, [], []]);
      expect(ran.error).toMatch(
        /^source: this read has 79 records of people, while the last read had 100 records: less than 80 % \(source\.complete\.atLeastPercent\).*nothing is sent.*lower atLeastPercent for one run/u,
      );
    }
    const whole = await syncWith(world, 100);
    expect([whole.exitCode, whole.changing]).toEqual([0, []]);
  });

  test('counts units and rows of positions too', async () => {
    const units = Array.from({ length: 10 }, (_, index) => unit(`u${index + 1}`));
    const people = crowd(20).map((one) => ({ ...one, positions: [] }));
    const world = await openWorld({ units, people, positions: rows(20) });
    world.source.atLeastPercent = 80;
    await world.sync();
    expect((await world.syncAfter(() => ({ units: units.slice(0, 4), positions: rows(13) }))).error).toMatch(
      /4 records of units, .* 10 records, and 13 records of positions, .* 20/u,
    );
  });

  test('is let through by a lower limit, and from another source; what guards hold is held', async () => {
    const world = await loaded();
    world.source.atLeastPercent = 10;
    expect((await syncWith(world, 40)).exitCode).toBe(0);
    world.source.atLeastPercent = 80;
    world.source.identity = 'another file';
    expect((await syncWith(world, 20)).exitCode).toBe(3);
  });

  test('is measured for each of several sources alone', () => {
    const known = sizeOf('me', [peopleOf('a', 1_000, 80), peopleOf('b', 40, 80), peopleOf('ad', 90)]);
    const parts = [peopleOf('a', 1_000, 80), peopleOf('b', 12, 80), peopleOf('ad', 10)];
    const short = shortfalls(known, sizeOf('me', parts), parts);
    expect(describeShortfalls(short)).toMatch(
      /^this read has 12 records of people, while the last read had 40 records \(sources\.b\): less than 80 % \(sources\.b\.complete\.atLeastPercent\)/u,
    );
    expect(short).toHaveLength(1);
    const twice = [peopleOf('a', 30, 80), peopleOf('a', 40, 80)];
    expect(sizeOf('me', twice).parts).toEqual([{ part: 'people', from: 'a', records: 70 }]);
  });
});
