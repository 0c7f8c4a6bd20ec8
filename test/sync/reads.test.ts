import { describe, expect, test } from 'vitest';
import { ServiceError, SourceError } from '../../src/domain/errors.ts';
import { describeShortfalls, shortfalls, sizeOf } from '../../src/domain/ports/read-size.ts';
import type { Page, Service, User } from '../../src/domain/ports/service.ts';
import type { SourceMark, SourcePart } from '../../src/domain/reading/source-part.ts';
import type { SourceRead } from '../../src/domain/reading/source.ts';
import type { Breakage, MemoryWorld } from '../doubles/memory-source.ts';
import { but } from '../doubles/service-parts.ts';
import {
  at,
  loadedWorld,
  ofPeople,
  ofUnits,
  openWorld,
  person,
  SMALL,
  unit,
  type SyncOptions,
  type World,
} from './world.ts';

const TWICE = [false, true];
const REORGANIZED = { units: [unit('u1', null, { name: 'Renamed' })], people: [person('9'), person('2')] };
const crowd = (size: number) => Array.from({ length: size }, (_, index) => person(String(index + 1)));
const rows = (size: number) => crowd(size).map(({ id }) => ({ person: id, position: at('u1') }));

describe('a source that is not read to its end', () => {
  const QUERY = {
    units: SMALL.units,
    people: SMALL.people.map((one) => ({ ...one, positions: [] })),
    positions: rows(3),
  } as const satisfies MemoryWorld;
  const MOVED = { ...REORGANIZED, positions: [{ person: '9', position: at('u1') }] };

  test.each<readonly [string, Breakage | null, Partial<MemoryWorld>, string]>([
    ['the first unit', { part: 'units', after: 0 }, MOVED, 'brokeOff'],
    ['a later row of positions', { part: 'positions', after: 1 }, MOVED, 'brokeOff'],
    ['a later person', { part: 'people', after: 1 }, MOVED, 'brokeOff'],
    ['people, where there were some', null, { people: [] }, 'read-lost-all'],
    ['units, where there were some', null, { units: [] }, 'read-lost-all'],
    ['positions, where there were some', null, { positions: [] }, 'read-lost-all'],
  ])('without %s sends nothing and learns nothing', async (_, breakage, next, error) => {
    const world = await loadedWorld(QUERY);
    world.change(() => next);
    world.source.breakage = breakage;
    const ran = await world.runs({ later: 11 }, { exit: 1, error, sent: '' }, TWICE);
    expect(ran.lines.at(-1)?.fields).toMatchObject({ event: 'run.end', result: 'failed' });
    world.source.breakage = null;
    world.change(() => QUERY);
    await world.rests();
  });

  test('a root unit that is missing is an incomplete read', async () => {
    const world = await loadedWorld({ sync: { root: 'u1' } });
    await world.runs(ofUnits(unit('u2'), unit('u3')), { exit: 1, error: 'read-no-root', sent: '' }, TWICE);
    await world.run(ofUnits(...SMALL.units));
    await world.rests();
  });

  test('the first load of an empty source does nothing and is no failure', async () => {
    const world = await openWorld({ units: [], people: [] });
    await world.rests();
  });

  test('a table of lookups that is less than it was makes the read incomplete, until a full run is asked for', async () => {
    const world = await openWorld();
    const mark = { name: 'lookups.left.file line break', behind: 'lookups.left.file may be cut' };
    const tabled = (value: string, more: SyncOptions = {}): SyncOptions => {
      const tableMarks: readonly SourceMark[] = [{ ...mark, value }];
      return {
        ...more,
        from: (source) => Object.assign(Object.create(source) as typeof source, { tableMarks }),
      };
    };
    await world.run(tabled('yes'));
    for (const _ of [1, 2]) await world.run(tabled('no'), { exit: 1, sent: '', error: 'read-behind' });
    await world.run(tabled('yes'));
    await world.run(tabled('no', { full: true }));
    await world.run(tabled('no'));
  });

  test.each([
    ['once is read again, and the run goes on', { times: 1, isPassing: true }, 2, 0],
    ['twice is incomplete', { times: 2, isPassing: true }, 2, 1],
    ['for good is incomplete at once', { times: 1, isPassing: false }, 1, 1],
  ])('a source that changes while it is read %s', async (_, { times, isPassing }, reads, exit) => {
    const world = await openWorld();
    let opened = 0;
    const from: SyncOptions['from'] = (source) =>
      Object.assign(Object.create(source) as typeof source, {
        open: async (signal: AbortSignal): Promise<SourceRead> => {
          const read = await source.open(signal);
          opened += 1;
          if (opened > times) return read;
          const all = read.people.bind(read);
          const people = async function* (): ReturnType<SourceRead['people']> {
            yield* all();
            throw new SourceError('changed', { isPassing });
          };
          return Object.assign(read, { people });
        },
      });
    await world.run({ from }, { exit, error: exit === 0 ? '' : 'changed' });
    expect([opened, world.state().people.length]).toEqual([reads, exit === 0 ? 3 : 0]);
    await world.sync();
    await world.rests();
  });
});

async function* eachPage<T>(
  pages: AsyncIterable<Page<T>>,
  change: (page: Page<T>) => Partial<Page<T>>,
): AsyncGenerator<Page<T>> {
  for await (const page of pages) yield { ...page, ...change(page) };
}

/** The last page says that there is one more than came. */
const short = <T>(page: Page<T>): Partial<Page<T>> => ({ totalCount: page.totalCount + 1 });
/** The first record comes twice, and another one not at all. */
const doubled = <T>({ records }: Page<T>): Partial<Page<T>> => ({
  records: records.map((one, index) => (index === 1 ? records[0]! : one)),
});

const LISTS: readonly (readonly [string, (service: Service) => Partial<Service>])[] = [
  short,
  doubled,
].flatMap((change) => [
  [
    'organizations',
    (service) => ({ organizations: (...asked) => eachPage(service.organizations(...asked), change) }),
  ],
  ['users', (service) => ({ users: (...asked) => eachPage(service.users(...asked), change) })],
]);

describe('a service that is not read to its end', () => {
  test.each(LISTS)('in the list of %s sends nothing', async (_, list) => {
    const world = await loadedWorld();
    const before = world.state();
    const ran = { change: () => REORGANIZED, full: true, through: but(list) };
    await world.run(ran, { exit: 1, error: 'service-list-incomplete', sent: '' });
    expect(world.state()).toEqual(before);
    await world.run({});
  });

  test('once is no trouble: somebody changed something in between', async () => {
    const world = await openWorld();
    let reads = 0;
    const through = but(({ organizations }) => ({
      organizations: (...asked) =>
        (reads += 1) === 1 ? eachPage(organizations(...asked), short) : organizations(...asked),
    }));
    await world.run({ through });
    await world.rests();
  });

  test.each([false, true])('as the list grows with each page ends the run, full: %s', async (full) => {
    const world = await loadedWorld();
    let pages = 0;
    const growing = async function* (): AsyncGenerator<Page<User>> {
      for (let skip = 0; ; skip += 100) {
        pages += 1;
        const names = Array.from({ length: 100 }, (_, index) => `g${skip + index}`);
        const records = names.map((userId) => ({ userId, username: userId, disabled: false }));
        yield await Promise.resolve({ skip, totalCount: skip + 1_100, records });
      }
    };
    await world.run(
      { full, later: 15, through: but({ users: growing }) },
      { exit: 1, error: 'service-list-endless', sent: '' },
    );
    expect(pages).toBeLessThan(40);
  });

  const CROWD = { readings: ['namesRead=37'], people: crowd(120) };

  test('as it looks only at the first names of a question is found out, once: nobody is taken for new', async () => {
    const world = await loadedWorld(CROWD);
    const said = ({ lines }: Awaited<ReturnType<World['sync']>>) =>
      lines.flatMap(({ fields }) => fields['namesPerQuery'] ?? []);
    expect(said(await world.sync({ full: true }))).toEqual([37]);
    const next = await world.run({ full: true }, { sent: '' });
    expect(next.calls.filter(({ operation }) => operation === 'listEmployees')).toHaveLength(4);
    expect(said(next)).toEqual([]);
    world.loseLedger();
    const { planned } = await world.plan();
    expect(planned.filter((words) => !words.startsWith('adopt'))).toEqual([]);
  });
});

describe('a node that is to be removed', () => {
  const down = (): Promise<never> => Promise.reject(new ServiceError('no answer to this one'));
  const withoutUnit = async (): Promise<World> => {
    const world = await loadedWorld({ units: [...SMALL.units, unit('u3')], people: [person('1')] });
    world.change(ofUnits(unit('u1')));
    return world;
  };

  test('waits, named, if its view never comes, and the other one goes', async () => {
    const world = await withoutUnit();
    const { id } = world.organization('u2');
    const through = but(({ contents }) => ({
      contents: (...asked) => (asked[0] === id ? down() : contents(...asked)),
    }));
    await world.run({ through }, { exit: 4, error: '', sent: 'deleteOrganization', listed: 'u2 occupied' });
    await world.run({}, { listed: '' });
    await world.rests();
  });

  test('ends the run if the service is down', async () => {
    const world = await withoutUnit();
    let isDown = false;
    const through = but(({ root }) => ({
      contents: () => {
        isDown = true;
        return down();
      },
      root: (signal) => (isDown ? down() : root(signal)),
    }));
    await world.run({ through }, { exit: 1, error: 'no answer to this one' });
  });

  test('waits for nodes below it, which are named', async () => {
    const world = await withoutUnit();
    world.sandbox.edit.addOrganization(world.organization('u2').id, 'Guests');
    const ran = await world.run({}, { exit: 4, listed: 'u2 occupied' });
    expect(ran.listed.join()).toMatch(/units Guests \(\d+\)$/u);
    const { plan } = await world.plan();
    expect([plan?.flowing, plan?.counts.units.remove, plan?.occupied.length]).toEqual([0, 0, 1]);
  });
});

const peopleOf = (from: string, records: number, more: Partial<SourcePart> = {}): SourcePart => ({
  part: 'people',
  from,
  records,
  pages: 1,
  end: 'end of file',
  ...more,
});
const of = (...sizes: readonly number[]) => sizes.map((records, index) => ({ base: `ou=${index}`, records }));

describe('a read of far fewer records than the last one', () => {
  const loaded = async (): Promise<World> => {
    const world = await openWorld({ people: crowd(100) });
    world.source.atLeastPercent = 80;
    await world.run({});
    return world;
  };
  const read = (size: number): SyncOptions => ({ change: ofPeople(...crowd(size)), later: 11 });

  test('is incomplete: nothing is sent, and nobody is missed', async () => {
    const world = await loaded();
    for (const _ of [1, 2, 3]) await world.run(read(79), { exit: 1, error: 'read-lost-part', planned: '' });
    await world.run(read(100));
    await world.rests();
  });

  test('counts units and rows of positions too', async () => {
    const units = Array.from({ length: 10 }, (_, index) => unit(`u${index + 1}`));
    const people = crowd(20).map((one) => ({ ...one, positions: [] }));
    const world = await openWorld({ units, people, positions: rows(20) });
    world.source.atLeastPercent = 80;
    await world.sync();
    const change = () => ({ units: units.slice(0, 4), positions: rows(13) });
    const { error } = await world.run({ change }, { exit: 1, error: 'read-lost-part' });
    expect(error).toMatch(/ 4 .*\bunits\b.* 10 .* 13 .*\bpositions\b.* 20 /u);
  });

  test('is let through by a full run by hand, and from another source; what guards hold is held', async () => {
    const world = await loaded();
    await world.run({ ...read(40), full: true });
    world.source.identity = 'another file';
    await world.run(read(20), { exit: 3, held: 'source 1/0' });
  });

  test('is measured for each of several sources alone', () => {
    const share = { atLeastPercent: 80 };
    const known = sizeOf('me', [peopleOf('a', 1_000, share), peopleOf('b', 40, share), peopleOf('ad', 90)]);
    const parts = [peopleOf('a', 1_000, share), peopleOf('b', 12, share), peopleOf('ad', 10)];
    const few = shortfalls(known, sizeOf('me', parts), parts);
    const about = expect.stringMatching(/^12 .* 40 /u) as string;
    expect(few).toEqual([{ kind: 'few', about, percent: 80, from: 'b' }]);
    expect(describeShortfalls(few)).toContain(' (sources.b)');
    const twice = [peopleOf('a', 30, share), peopleOf('a', 40, share)];
    expect(sizeOf('me', twice).parts).toEqual([{ part: 'people', from: 'a', records: 70 }]);
  });

  test.each([
    ['had a few', of(3, 3), of(3, 0), ['ou=1']],
    ['had two, who may have left', of(3, 2), of(3, 0), []],
    ['had nobody', of(3, 0), of(3, 0), []],
    ['has fewer', of(3, 2), of(3, 1), []],
    ['is not asked any more', of(3, 2), of(3), []],
    ['is new', of(3), of(3, 0), []],
  ])('has nobody of a base, which is hidden if it %s', (_, before, after, bases) => {
    const part = (list: typeof before): SourcePart => peopleOf('ad', 9, { bases: list });
    const few = shortfalls(sizeOf('i', [part(before)]), sizeOf('i', [part(after)]), [part(after)]);
    expect(few.flatMap((one) => (one.kind === 'bases' ? one.bases : []))).toEqual(bases);
  });

  test('has nobody of a base: nobody is missed', async () => {
    const world = await openWorld({ people: crowd(10) });
    world.source.bases = of(6, 4);
    await world.run({});
    world.source.bases = of(6, 0);
    for (const _ of [1, 2, 3]) await world.run(read(6), { exit: 1, error: 'read-lost-part', planned: '' });
  });
});
