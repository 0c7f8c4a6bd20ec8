import { describe, expect, test } from 'vitest';
import type { Page, Service, User } from '../../src/domain/ports/service.ts';
import type { Breakage, MemoryWorld } from '../doubles/memory-source.ts';
import { at, loadedWorld, openWorld, person, SMALL, unit, type World } from './world.ts';

const QUERY = {
  units: SMALL.units,
  people: SMALL.people.map((one) => ({ ...one, positions: [] })),
  positions: SMALL.people.map(({ id }) => ({ person: id, position: at('u1') })),
} as const satisfies MemoryWorld;

const REORGANIZED = {
  units: [unit('u1', null, { name: 'Renamed' })],
  people: [person('9'), person('2')],
} as const satisfies MemoryWorld;

/** Nothing was sent and nothing was learnt: the next complete run does what the first one would have done. */
async function expectNothing(world: World, sentence: RegExp): Promise<void> {
  const before = world.state();
  for (const full of [false, true]) {
    const ran = await world.sync({ later: 11, full });
    expect(ran.exitCode).toBe(1);
    expect(ran.error).toMatch(sentence);
    expect(ran.changing).toEqual([]);
    expect(ran.lines.at(-1)?.fields).toMatchObject({ event: 'run.end', result: 'failed' });
  }
  expect(world.state()).toEqual(before);
}

const growingUser = (number: number): User => ({
  userId: `g${number}`,
  username: `grown${number}`,
  disabled: false,
});

describe('a source that is not read to its end', () => {
  const MOVED = { ...REORGANIZED, positions: [{ person: '9', position: at('u1') }] };

  test.each<readonly [string, Breakage | null, Partial<MemoryWorld>, RegExp]>([
    ['the first unit', { part: 'units', after: 0 }, MOVED, /broke off/u],
    ['a later row of positions', { part: 'positions', after: 1 }, MOVED, /broke off/u],
    ['a later person', { part: 'people', after: 1 }, MOVED, /broke off/u],
    ['people, where there were some', null, { people: [] }, /no person \(rollcall manages 3\)/u],
    ['units, where there were some', null, { units: [] }, /no unit \(rollcall manages 2\)/u],
    ['positions, where there were some', null, { positions: [] }, /no row of source\.positions/u],
  ])('without %s sends nothing', async (_, breakage, next, says) => {
    const world = await loadedWorld(QUERY);
    world.change(() => next);
    world.source.breakage = breakage;
    await expectNothing(world, says);
    world.source.breakage = null;
    expect((await world.syncAfter(() => QUERY)).changing).toEqual([]);
  });

  test('a root unit that is missing is an incomplete read', async () => {
    const world = await loadedWorld({ sync: { root: 'u1' } });
    world.change(() => ({ units: [unit('u2'), unit('u3')] }));
    await expectNothing(world, /sync\.root/u);
    expect(world.state().people).toHaveLength(3);
  });

  test('the first load of an empty source does nothing and is no failure', async () => {
    const world = await openWorld({ units: [], people: [] });
    const ran = await world.sync();
    expect([ran.exitCode, ran.changing]).toEqual([0, []]);
  });
});

/** The last page says that there is one more than came. */
async function* short<T>(pages: AsyncIterable<Page<T>>): AsyncGenerator<Page<T>> {
  for await (const page of pages) yield { ...page, totalCount: page.totalCount + 1 };
}

/** The first record comes twice, and another one not at all. */
async function* doubled<T>(pages: AsyncIterable<Page<T>>): AsyncGenerator<Page<T>> {
  for await (const page of pages) {
    yield { ...page, records: page.records.map((one, index) => (index === 1 ? page.records[0]! : one)) };
  }
}

const THROUGH: Readonly<Record<string, (service: Service) => Service>> = {
  'organizations: fewer than total_count': (service) => ({
    ...service,
    organizations: (since, signal) => short(service.organizations(since, signal)),
  }),
  'organizations: one twice': (service) => ({
    ...service,
    organizations: (since, signal) => doubled(service.organizations(since, signal)),
  }),
  'users: fewer than total_count': (service) => ({
    ...service,
    users: (since, signal) => short(service.users(since, signal)),
  }),
  'users: one twice': (service) => ({
    ...service,
    users: (since, signal) => doubled(service.users(since, signal)),
  }),
};

describe('a service that is not read to its end', () => {
  test.each(Object.entries(THROUGH))('%s: read again, then nothing is sent', async (_, through) => {
    const world = await loadedWorld();
    world.change(() => REORGANIZED);
    const before = world.state();
    const ran = await world.sync({ full: true, through });
    expect(ran.exitCode).toBe(1);
    expect(ran.error).toMatch(/incomplete.*total_count/u);
    expect(ran.changing).toEqual([]);
    expect(world.state()).toEqual(before);
    expect((await world.sync()).exitCode).toBe(0);
  });

  test('once is no trouble: somebody changed something in between', async () => {
    const world = await openWorld();
    let reads = 0;
    const ran = await world.sync({
      through: (service) => ({
        ...service,
        organizations: (since, signal) => {
          reads += 1;
          const pages = service.organizations(since, signal);
          return reads === 1 ? short(pages) : pages;
        },
      }),
    });
    expect(ran.exitCode).toBe(0);
  });

  test.each([false, true])('a list that grows with each page ends the run, full: %s', async (full) => {
    const world = await loadedWorld();
    world.minutes(15);
    let pages = 0;
    const growing = async function* () {
      for (let skip = 0; ; skip += 100) {
        pages += 1;
        const records = Array.from({ length: 100 }, (_, index) => growingUser(skip + index));
        yield await Promise.resolve({ skip, totalCount: skip + 1_100, records });
      }
    };
    const ran = await world.sync({ full, through: (service) => ({ ...service, users: growing }) });
    expect([ran.exitCode, ran.changing]).toEqual([1, []]);
    expect(ran.error).toMatch(/the list of users has no end: 3300 were shown/u);
    expect(pages).toBeLessThan(40);
  });
});
