import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { FakeClock } from '../../doubles/fake-clock.ts';
import { scimSource } from '../open-one.ts';
import { readAll } from '../source-contract.ts';
import {
  onFilter,
  startScim,
  type Answer,
  type Resource,
  type ScimServer,
  type Twist,
} from './scim-server.ts';
import { membersSettings, users } from './scim-world.ts';
import { problem } from '../problem.ts';

const CUT = 100;
const USERS = users(120);
const FIRST = { totalResults: CUT, Resources: USERS.slice(0, CUT) };

let server: ScimServer;
beforeAll(async () => void (server = await startScim({})));
afterAll(() => server.close());

const WHY = { trust: 'its vendor says so' };

interface World {
  readonly people?: number;
  readonly pageSize?: number;
  readonly complete?: { readonly trust: string };
  readonly filter?: string;
}

/** Returns the number of people that a read brings; groups are read as they should be. */
async function read(twist: Twist, { people = 120, filter, ...changes }: World = {}): Promise<number> {
  server.lists = { Groups: [{ id: 'g1', displayName: 'G' }], Users: USERS.slice(0, people) };
  server.twist = (asked, list) => (asked.resource === 'Users' ? twist(asked, list) : null);
  (server.asked as unknown[]).length = 0;
  const settings = { ...membersSettings(server.url, { filter }), positions: undefined, ...changes };
  return (await readAll(scimSource(settings, new FakeClock({ auto: true })))).people.length;
}

const resourcesOf = (list: Answer): readonly Resource[] => list.Resources as readonly Resource[];
const refused = (status: number) => ({ status, body: { detail: 'No' } });

/** Answers as the usual server does, with what a server makes of a question that it takes. */
const ignoring =
  (...ignored: readonly ('startIndex' | 'count' | 'filter')[]): Twist =>
  (asked) => {
    const startIndex = ignored.includes('startIndex') ? 1 : asked.startIndex;
    const count = ignored.includes('count') ? CUT : Math.min(asked.count, CUT);
    const known = server.lists['Users'] ?? [];
    const all = ignored.includes('filter') || asked.filter === null ? known : without(known, asked.filter);
    return {
      body: { totalResults: all.length, Resources: all.slice(startIndex - 1, startIndex - 1 + count) },
    };
  };

/** Returns the records that `id ne "…"` leaves. */
const without = (all: readonly Resource[], filter: string): readonly Resource[] =>
  all.filter(({ id }) => !filter.includes(`id ne "${String(id)}"`));

/** Counts no more than this server gives, whatever else it does. */
const cutting =
  (twist: Twist): Twist =>
  (asked, list) => {
    const { body, status } = twist(asked, list) ?? { body: list };
    const { totalResults, Resources } = body as Answer;
    const kept = (Resources as readonly Resource[]).slice(0, Math.max(0, CUT + 1 - asked.startIndex));
    return {
      ...(status !== undefined && { status }),
      body: { totalResults: Math.min(CUT, Number(totalResults)), Resources: kept },
    };
  };

describe('a server that gives 100 of 120 and says 100', () => {
  test.each<[string, Twist, boolean]>([
    ['whatever it is asked', () => ({ body: FIRST }), false],
    [
      'and as few as it is asked for, from the first one on',
      ({ count }) => ({ body: { ...FIRST, Resources: FIRST.Resources.slice(0, count) } }),
      false,
    ],
    [
      'and refuses every other question',
      ({ startIndex, filter, count }) =>
        startIndex > 1 || filter !== null || count === 1 ? refused(400) : { body: FIRST },
      false,
    ],
    [
      'which is the number of those in the answer',
      (asked, list) => {
        const { body } = ignoring('startIndex', 'filter')(asked, list) ?? { body: list };
        return { body: { ...(body as Answer), totalResults: resourcesOf(body as Answer).length } };
      },
      false,
    ],
    [
      'unless it is asked for fewer',
      (asked, list) => (asked.count > CUT ? { body: FIRST } : ignoring('filter')(asked, list)),
      true,
    ],
    ['and takes filters, and gives the same for each page', cutting(ignoring('startIndex')), true],
    ['and takes filters, and pages within these', cutting(ignoring()), true],
  ])('%s is incomplete', async (_, twist, isPassing) => {
    const failure = await read(twist).catch((error: unknown) => error);
    expect(failure).toMatchObject({ problem: 'list-incomplete', isPassing });
  });

  test('is believed once an administrator says so', async () => {
    expect(await read(() => ({ body: FIRST }), { complete: WHY })).toBe(CUT);
  });
});

/** Takes filters of one part alone; the first person passes none. */
const ignoringLong: Twist = ({ startIndex, count, filter }) => {
  const all = filter === 'active eq true' || filter?.includes(' and ') === true ? USERS.slice(1) : USERS;
  return { body: { totalResults: all.length, Resources: all.slice(startIndex - 1, startIndex - 1 + count) } };
};

const behind =
  (twist: Twist, besides: Twist = () => null): Twist =>
  (asked, list) =>
    asked.startIndex > USERS.length ? twist(asked, list) : besides(asked, list);

describe('a server that gives all', () => {
  test.each<[string, Twist]>([
    ['and pages and takes filters', () => null],
    ['and ignores filters', ignoring('filter')],
    ['and refuses filters', onFilter(() => refused(400))],
    ['and forbids filters', onFilter(() => refused(403))],
    ['and finds nothing by such a filter', onFilter(() => ({ body: { totalResults: 0, Resources: [] } }))],
    [
      'and takes such a filter as its opposite',
      onFilter(() => ({ body: { totalResults: 1, Resources: [USERS[0]] } })),
    ],
    [
      'and refuses the page behind the last one, and filters',
      behind(
        () => refused(400),
        onFilter(() => refused(400)),
      ),
    ],
    [
      'and gives the last page again, and refuses filters',
      behind(
        () => ({ body: { totalResults: USERS.length, Resources: USERS.slice(CUT) } }),
        onFilter(() => refused(400)),
      ),
    ],
    [
      'in each answer, and takes filters',
      ({ filter }) => {
        const Resources = filter === null ? USERS : without(USERS, filter);
        return { body: { totalResults: Resources.length, Resources } };
      },
    ],
  ])('%s is whole', async (_, twist) => {
    expect(await read(twist)).toBe(USERS.length);
  });

  test('and ignores filters is incomplete with a filter, unless it leaves somebody out', async () => {
    const filter = 'active eq true';
    await expect(read(ignoring('filter'), { filter })).rejects.toThrow(
      problem('list-incomplete', '/Users: ', '120 records', ' where; '),
    );
    expect(await read(ignoring('filter'), { filter, complete: WHY })).toBe(USERS.length);
    expect(await read(ignoringLong, { filter })).toBe(USERS.length - 1);
    const wanting: Twist = (asked, list) =>
      asked.filter === null ? refused(400) : ignoring('filter')(asked, list);
    expect(await read(wanting, { filter })).toBe(USERS.length);
  });

  test('and is one person is whole', async () => {
    const one = { totalResults: 1, Resources: USERS.slice(0, 1) };
    expect(await read(() => ({ body: one }), { people: 1 })).toBe(1);
  });

  test('is asked no more than two questions beside its pages', async () => {
    await read(() => null, { pageSize: 5 });
    expect(server.asked.filter(({ resource }) => resource === 'Users')).toHaveLength(30 + 2);
  });

  test('in each answer, and nothing else, is believed once an administrator says so', async () => {
    const all = { totalResults: USERS.length, Resources: USERS };
    await expect(read(() => ({ body: all }))).rejects.toThrow(
      problem('list-incomplete', ' behind ', 'source.complete.trust'),
    );
    expect(await read(() => ({ body: all }), { complete: WHY })).toBe(USERS.length);
  });
});
