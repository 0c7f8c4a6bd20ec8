import { problem } from '../../problem.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { SourceError } from '../../../../src/domain/errors.ts';
import type { ScimSettings } from '../../../../src/source/scim/kind.ts';
import { FakeClock } from '../../../doubles/fake-clock.ts';
import { never } from '../../source-contract.ts';
import type { Whole } from '../../world.ts';
import { onFilter, startScim, type Resource, type ScimServer, type Twist } from '../scim-server.ts';
import { HOUR, NOON, RULES, staffOf, usual, withPeople, type Staff } from './staff.ts';

let server: ScimServer;
beforeAll(async () => void (server = await startScim({})));
afterAll(() => server.close());

const staffed = (): Staff => staffOf(server);

const refusing = (status: number, detail: string): Twist =>
  onFilter(() => ({ status, body: { detail, scimType: 'invalidFilter' } }));

const unstamped = (meta?: Resource) => (staff: Staff) => staff.put('a5', { meta });
const withTwist = (twist: Twist) => () => void (server.twist = twist);
const ofIds =
  (twist: Twist): Twist =>
  (asked, list) =>
    asked.attributes.join() === 'id' ? twist(asked, list) : null;

describe('all people are read', () => {
  test.each<[string, (staff: Staff) => void, string]>([
    [
      'refuses the filter',
      withTwist(refusing(400, 'No such filter')),
      'the server refuses meta.lastModified in a filter (400: No such filter)',
    ],
    [
      'says that it takes no filters',
      withTwist(({ resource }) =>
        resource === 'ServiceProviderConfig' ? { body: { filter: { supported: false } } } : null,
      ),
      'the server takes no filters (ServiceProviderConfig: filter.supported is false)',
    ],
    [
      'says so in a text',
      withTwist(({ resource }) =>
        resource === 'ServiceProviderConfig' ? { body: { filter: { supported: 'False' } } } : null,
      ),
      'the server takes no filters (ServiceProviderConfig: filter.supported is false)',
    ],
    [
      'ignores the filter',
      () => void (server.takesFilters = false),
      'the server ignores meta.lastModified in a filter: it answers with a25, which was not changed since',
    ],
    [
      'finds nobody by the filter',
      withTwist(onFilter(() => ({ body: { totalResults: 0 } }))),
      'a filter for meta.lastModified finds 0 of 25 records',
    ],
    ['has users without the time', unstamped(), 'a filter for meta.lastModified finds 24 of 25 records'],
    [
      'writes times without a zone',
      ({ put }) => put('a5', { meta: { lastModified: '2026-03-29T11:59:00' } }),
      'meta.lastModified of a5 tells no time with its zone',
    ],
    [
      'does not tell the time',
      () => void (server.now = null),
      'the server does not show the time (Date): let the account read it',
    ],
    ['has nobody', () => void (server.lists = { Groups: [] }), 'the list is empty'],
  ])('where the server %s', async (_, change, why) => {
    const staff = staffed();
    change(staff);
    expect(await staff.follower.full(staff.source())).toBe(why);
  });

  test.each<[string, number, unknown]>([
    ['is not there', 404, {}],
    ['may not be read', 403, {}],
    ['is a page for people', 200, '<!doctype html>'],
    ['says that filters are taken', 200, { filter: { supported: true } }],
  ])('and not where the description of the server %s', async (_, status, body) => {
    const { follower, source } = staffed();
    server.twist = ({ resource }) => (resource === 'ServiceProviderConfig' ? { status, body } : null);
    expect(await follower.full(source())).toBe('scim');
  });

  test.each<[string, Partial<Whole<ScimSettings>['people']>, string]>([
    [
      'people show their groups',
      { rules: { ...RULES, positions: [{ unit: 'groups' }] } },
      'full-scim-groups',
    ],
    ['a rule reads them', { rules: { ...RULES, active: { expr: "groups != ''" } } }, 'full-scim-groups'],
    ['the filter does', { filter: 'userName sw "u" and groups.value eq "g"' }, 'full-scim-groups'],
    [
      'a rule reads the name of a manager',
      { rules: { ...RULES, fields: { name: 'enterprise.manager.displayName' } } },
      'full-computed',
    ],
  ])('where %s, which do not change with the people', async (_, people, why) => {
    const read = await staffed().source(withPeople(people)).open(never);
    expect(read.incremental).toEqual(problem(why));
    await read.close();
  });

  test.each<[string, Partial<Whole<ScimSettings>['people']>]>([
    ['in a value', { filter: 'userName eq "in \\"groups\\""' }],
    ['of another name', { filter: 'myGroups.value eq "g" or groupsize eq "1"' }],
  ])('and not where groups stand %s', async (_, people) => {
    const { follower, source, put } = staffed();
    put('a1', { userName: 'in "groups"', myGroups: { value: 'g' } });
    expect(await follower.full(source(withPeople(people)))).toBe('scim');
  });
});

describe('all people are read after an increment has begun', () => {
  test.each<[string, (staff: Staff) => void, string]>([
    ['the one that was changed last is gone', ({ remove }) => remove('a1'), 'full-restored'],
    [
      'the one that was changed last is a little older',
      ({ put }) => put('a1', { meta: { lastModified: usual(NOON - HOUR - 60_000) } }),
      'full-restored',
    ],
    ['the clock of the server is behind', ({ minutes }) => minutes(-120), 'full-clock'],
    [
      'the server takes no filter by ids',
      () =>
        void (server.twist = (asked, list) =>
          asked.filter?.includes('id eq') === true ? refusing(400, 'no')(asked, list) : null),
      'full-filter',
    ],
    [
      'the server ignores the filter by ids',
      () =>
        void (server.twist = ({ filter, startIndex }) =>
          filter?.includes('id eq') === true
            ? { body: { totalResults: 1, Resources: startIndex > 1 ? [] : [{ id: 'a22' }] } }
            : null),
      'full-ignored',
    ],
    [
      'the server finds no longer who was changed',
      () =>
        void (server.twist = ({ filter, count }) =>
          filter !== null && count > 100 ? { body: { totalResults: 0 } } : null),
      'full-restored',
    ],
    [
      'the server finds more than was changed',
      () =>
        void (server.twist = ({ filter, count, startIndex }) =>
          filter !== null && count > 100
            ? {
                body: {
                  totalResults: 1,
                  Resources:
                    startIndex > 1 ? [] : [{ id: 'a9', meta: { lastModified: usual(NOON - 9 * HOUR) } }],
                },
              }
            : null),
      'full-ignored',
    ],
  ])('where %s', async (_, change, why) => {
    const staff = staffed();
    await staff.follower.full(staff.source());
    staff.minutes(1);
    change(staff);
    await expect(staff.follower.told(staff.source(), ['a20'])).rejects.toThrow(problem(why));
  });

  test('where the clock of the server was ahead, and is right again', async () => {
    const { follower, source, minutes, put } = staffed();
    const ours = new FakeClock({ now: NOON });
    minutes(60);
    await follower.full(source({}, ours));
    put('a7', { meta: { lastModified: usual(NOON + HOUR / 2) }, displayName: 'New' });
    minutes(60);
    ours.set(NOON + 2 * HOUR);
    expect(await follower.increment(source({}, ours))).toEqual(problem('full-clock'));
  });

  test('where the filter or the server is another one', async () => {
    const { follower, source } = staffed();
    await follower.full(source());
    const other = source(withPeople({ filter: 'userName sw "user"' }));
    expect(await follower.increment(other)).toEqual(problem('full-people'));
    const [version, mark] = JSON.parse(follower.mark?.text ?? '');
    follower.mark = {
      how: 'scim',
      text: JSON.stringify([version, { ...mark, asked: ['another', mark.asked[1]] }]),
    };
    expect(await follower.increment(source())).toEqual(problem('full-server'));
    follower.mark = { how: 'scim', text: '[0]' };
    expect(await follower.increment(source())).toEqual(problem('full-mark'));
  });
});

describe('an increment that is not whole', () => {
  test.each<[string, Twist, RegExp]>([
    [
      'with a page of ids missing',
      ofIds(({ startIndex }, list) => (startIndex === 10 ? { body: { ...list, Resources: [] } } : null)),
      /a page is empty after 10 of 25/u,
    ],
    [
      'with a server that has enough in the middle',
      ofIds(({ startIndex }) => (startIndex === 10 ? { status: 403, body: { detail: 'Enough' } } : null)),
      /answers 403: Enough/u,
    ],
    [
      'with a page of changes missing',
      ({ filter, startIndex }, list) =>
        filter !== null && startIndex === 10 ? { body: { ...list, Resources: [] } } : null,
      /a page is empty after 10 of 20/u,
    ],
  ])('%s counts for nothing', async (_, twist, sentence) => {
    const { follower, source, minutes, put } = staffed();
    await follower.full(source());
    for (let at = 1; at <= 20; at += 1) put(`a${at}`);
    minutes(1);
    server.twist = twist;
    const failure = await follower.told(source()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SourceError);
    expect(failure).toMatchObject({ message: expect.stringMatching(sentence) as string });
  });

  test('is asked for again after the pause that the server wants', async () => {
    const { follower, source, minutes } = staffed();
    await follower.full(source());
    minutes(1);
    let left = 1;
    server.twist = ({ filter }) =>
      filter !== null && left-- > 0 ? { status: 429, headers: { 'retry-after': '0' }, body: '' } : null;
    expect((await follower.told(source())).came).toEqual(['a1']);
  });
});
