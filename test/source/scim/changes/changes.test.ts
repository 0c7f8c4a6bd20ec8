import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { SourceError } from '../../../../src/domain/errors.ts';
import type { Source } from '../../../../src/domain/reading/source.ts';
import type { ScimSettings } from '../../../../src/domain/source-settings.ts';
import { Follower } from '../../ldap/changes/follower.ts';
import { scimSource } from '../../open-one.ts';
import { never } from '../../source-contract.ts';
import type { Whole } from '../../world.ts';
import { startScim, type Resource, type ScimServer, type Twist } from '../scim-server.ts';
import { scimSettings } from '../scim-world.ts';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-03-29T12:00:00Z');

type Stamp = (time: number) => string;
const usual: Stamp = (time) => new Date(time).toISOString();

let server: ScimServer;
beforeAll(async () => void (server = await startScim({})));
afterAll(() => server.close());

interface Staff {
  readonly follower: Follower;
  readonly source: (changes?: Partial<Whole<ScimSettings>>) => Source;
  /** Lets time pass, on both clocks of the server. */
  readonly minutes: (minutes: number) => void;
  /** Changes a user, or adds one. */
  readonly put: (id: string, parts?: Resource) => void;
  readonly remove: (id: string) => void;
}

interface Clocks {
  /** By how much the clock that stamps records is ahead of the one that the server tells. */
  readonly ahead?: number;
  readonly stamp?: Stamp;
}

/** Users with a capped page size, changed an hour ago and before. */
function staffed({ ahead = 0, stamp = usual }: Clocks = {}, count = 25): Staff {
  let time = NOON;
  let users: readonly Resource[] = [];
  const show = (): void => void (server.lists = { Groups: [{ id: 'g1', displayName: 'G' }], Users: users });
  const put: Staff['put'] = (id, parts = {}) => {
    const meta = { lastModified: stamp(time + ahead) };
    const before = users.find((one) => one['id'] === id) ?? { id, userName: `user-${id}`, displayName: id };
    const now = { ...before, meta, ...parts };
    users = users.includes(before) ? users.map((one) => (one === before ? now : one)) : [...users, now];
    show();
  };
  for (let at = count; at > 0; at -= 1) {
    time = NOON - at * HOUR;
    put(`a${at}`);
  }
  time = NOON;
  server.now = () => time;
  server.mostPerPage = 10;
  server.takesFilters = true;
  server.twist = () => null;
  (server.asked as unknown[]).length = 0;
  return {
    follower: new Follower(),
    source: (changes) => scimSource(settings(changes)),
    minutes: (minutes) => void (time += minutes * 60_000),
    put,
    remove: (id) => {
      users = users.filter((one) => one['id'] !== id);
      show();
    },
  };
}

function settings(changes: Partial<Whole<ScimSettings>> = {}): Whole<ScimSettings> {
  const { people, ...rest } = scimSettings(server.url, { changes: 'auto' });
  const rules = {
    ...people.rules,
    active: undefined,
    fields: { name: 'displayName' },
    positions: [{ unit: { const: 'g1' } }],
  };
  return { ...rest, people: { ...people, rules }, ...changes };
}

const withPeople = (parts: Partial<Whole<ScimSettings>['people']>): Partial<Whole<ScimSettings>> => ({
  people: { ...settings().people, ...parts },
});

const SAME = 'as a full read finds it';

describe('a SCIM server tells by meta.lastModified', () => {
  test('who changed, came and left since the last read', async () => {
    const { follower, source, minutes, put, remove } = staffed();
    expect(await follower.full(source())).toBe('scim');
    minutes(60);
    put('a7', { displayName: 'New' });
    put('b1');
    remove('a9');
    const told = await follower.told(source());
    expect(told).toEqual({ came: ['a1', 'a7', 'b1'], left: 1, how: 'scim', isListed: true });
    minutes(60);
    expect((await follower.told(source())).came).toEqual(['a7', 'b1']);
    put('a7', { displayName: 'Newer' });
    expect(await follower.outcome(source())).toBe(SAME);
  });

  test('more people than a page has', async () => {
    const { follower, source, minutes, put } = staffed({}, 65);
    await follower.full(source());
    minutes(60);
    for (let at = 1; at <= 33; at += 1) put(`a${at}`, { displayName: 'New' });
    expect((await follower.told(source())).came).toHaveLength(33);
    expect(await follower.outcome(source())).toBe(SAME);
  });

  test('some who are asked for again, by their ids, and not those who are gone', async () => {
    const { follower, source, minutes, remove } = staffed({}, 65);
    await follower.full(source());
    minutes(60);
    remove('a9');
    const again = [...follower.keys].filter((key) => key !== 'a2');
    const { came, left } = await follower.told(source(), again);
    expect([came.length, came.includes('a2'), left]).toEqual([63, false, 1]);
    // Whoever was changed has come already, and is not asked for again.
    const ids = server.asked.flatMap(({ filter }) => filter?.match(/id eq "(\w+)"/gu) ?? []);
    expect([new Set(ids).size, ids.includes('id eq "a1"')]).toEqual([63, false]);
  });

  test('within the filter of the settings: whoever leaves it is gone, though asked for again', async () => {
    const { follower, source, minutes, put } = staffed();
    const here = withPeople({ filter: 'status eq "here" or status eq "away"' });
    for (const id of ['a1', 'a2', 'a3']) put(id, { status: 'here' });
    await follower.full(source(here));
    minutes(60);
    put('a2', { status: 'left' });
    put('a4', { status: 'away' });
    expect(await follower.told(source(here), ['a2', 'a3'])).toMatchObject({
      came: ['a1', 'a3', 'a4'],
      left: 1,
    });
    expect(await follower.outcome(source(here))).toBe(SAME);
  });

  test('whoever is listed, and was changed at no time that counts', async () => {
    const { follower, source, minutes, put } = staffed();
    await follower.full(source());
    minutes(60);
    put('b1', { meta: { lastModified: '2020-01-01T00:00:00Z' } });
    expect((await follower.told(source())).came).toEqual(['a1']);
    expect(follower.keys).toContain('b1');
  });

  test('and is not asked for everybody', async () => {
    const { follower, source, minutes, put } = staffed({}, 100);
    await follower.full(source());
    minutes(600);
    put('a5', { displayName: 'New' });
    await follower.told(source());
    (server.asked as unknown[]).length = 0;
    minutes(1);
    await follower.told(source());
    const whole = server.asked.filter(({ resource, filter, attributes, count }) => {
      return resource === 'Users' && filter === null && attributes.length === 0 && count > 1;
    });
    expect(whole).toEqual([]);
  });
});

describe('the clocks of a SCIM server', () => {
  const zoned =
    (hours: number, zone: string): Stamp =>
    (time) =>
      new Date(time + hours * HOUR).toISOString().replace('Z', zone);
  test.each<[string, Clocks]>([
    ['are one', {}],
    ['write whole seconds', { stamp: (time) => `${usual(time).slice(0, 19)}Z` }],
    ['write more of a second', { stamp: (time) => usual(time).replace('Z', '1234Z') }],
    ['write the time of a zone', { stamp: zoned(8, '+08:00') }],
    ['write the time of a zone in another way', { stamp: zoned(-8, '-0800') }],
    ['stamp records some minutes late', { ahead: -4 * 60_000 }],
    ['stamp records hours late, as in local time', { ahead: -8 * HOUR }],
    ['stamp records some minutes early', { ahead: 4 * 60_000 }],
    ['stamp records hours early', { ahead: 8 * HOUR }],
  ])('%s: what changed is told', async (_, clocks) => {
    const { follower, source, minutes, put } = staffed(clocks);
    expect(await follower.full(source())).toBe('scim');
    for (const id of ['a7', 'a8', 'a9']) {
      minutes(1);
      put(id, { displayName: 'New' });
      minutes(30);
      expect((await follower.told(source())).came).toContain(id);
      expect(await follower.outcome(source())).toBe(SAME);
    }
  });

  test('of its machines differ by minutes: what is shown late is told', async () => {
    const { follower, source, minutes, put } = staffed();
    await follower.full(source());
    minutes(60);
    put('a7', { meta: { lastModified: usual(NOON - HOUR - 4 * 60_000) }, displayName: 'Late' });
    put('a8', { meta: { lastModified: usual(NOON - HOUR - 6 * 60_000) }, displayName: 'Too late' });
    expect((await follower.told(source())).came).toEqual(['a1', 'a7']);
  });

  test('are not ours', async () => {
    const { follower, source, minutes, put } = staffed();
    minutes(-40 * 365 * 24 * 60);
    for (const id of ['a1', 'a2', 'a3']) put(id);
    minutes(60);
    await follower.full(source());
    put('a7', { displayName: 'New' });
    expect((await follower.told(source())).came).toContain('a7');
    expect(await follower.outcome(source())).toBe(SAME);
  });

  test('go on where a record is of the future', async () => {
    const { follower, source, minutes, put } = staffed();
    put('a3', { meta: { lastModified: '2099-01-01T00:00:00Z' } });
    await follower.full(source());
    minutes(10);
    put('a7', { displayName: 'New' });
    minutes(10);
    expect((await follower.told(source())).came).toEqual(['a3', 'a7']);
  });
});

const onFilter =
  (twist: Twist): Twist =>
  (asked, list) =>
    asked.filter === null ? null : twist(asked, list);
const refusing = (status: number, detail: string): Twist =>
  onFilter(() => ({ status, body: { detail, scimType: 'invalidFilter' } }));

describe('all people are read', () => {
  const unstamped = (meta?: Resource) => (staff: Staff) => staff.put('a5', { meta });
  const withTwist = (twist: Twist) => () => void (server.twist = twist);
  test.each<[string, (staff: Staff) => void, string]>([
    [
      'refuses the filter',
      withTwist(refusing(400, 'No such filter')),
      'the server refuses meta.lastModified in a filter (400: No such filter)',
    ],
    [
      'knows no filters',
      withTwist(refusing(501, 'Not there')),
      'the server refuses meta.lastModified in a filter (501: Not there)',
    ],
    [
      'says that it takes no filters',
      withTwist(({ resource }) =>
        resource === 'ServiceProviderConfig' ? { body: { filter: { supported: false } } } : null,
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
    ['does not tell the time', () => void (server.now = null), 'the server tells no time (Date)'],
    [
      'has nobody',
      () => void (server.lists = { Groups: [] }),
      'nobody is there to whom anything could be added',
    ],
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
      { rules: { ...settingsRules(), positions: [{ unit: 'groups' }] } },
      'groups of people change',
    ],
    [
      'a rule reads them',
      { rules: { ...settingsRules(), active: { expr: "groups != ''" } } },
      'groups of people change',
    ],
    ['the filter does', { filter: 'userName sw "u" and groups.value eq "g"' }, 'groups of people change'],
    [
      'a rule reads the name of a manager',
      { rules: { ...settingsRules(), fields: { name: 'enterprise.manager.displayName' } } },
      'displayName of a manager change',
    ],
  ])('where %s, which do not change with the people', async (_, people, why) => {
    const read = await staffed().source(withPeople(people)).open(never);
    expect(read.incremental).toEqual({ why: expect.stringContaining(why) as string });
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

  function settingsRules(): Whole<ScimSettings>['people']['rules'] {
    return {
      id: 'id',
      username: 'userName',
      fields: { name: 'displayName' },
      properties: {},
      tag_names: {},
      source_identifiers: {},
      positions: [{ unit: { const: 'g1' } }],
    };
  }
});

describe('all people are read after an increment has begun', () => {
  test.each<[string, (staff: Staff) => void, string]>([
    [
      'the one that was changed last is gone',
      ({ remove }) => remove('a1'),
      'changed last is older now, or gone',
    ],
    [
      'the one that was changed last is older',
      ({ put }) => put('a1', { meta: { lastModified: usual(NOON - 90 * 60_000) } }),
      'changed last is older now, or gone',
    ],
    [
      'the clock of the server is behind',
      ({ minutes }) => minutes(-120),
      'the clock of the server went back',
    ],
    [
      'the server takes no filter by ids',
      () =>
        void (server.twist = (asked, list) =>
          asked.filter?.includes('id eq') === true ? refusing(400, 'no')(asked, list) : null),
      'the server refuses id in a filter (400: no)',
    ],
    [
      'the server ignores the filter by ids',
      () =>
        void (server.twist = ({ filter, startIndex }) =>
          filter?.includes('id eq') === true
            ? { body: { totalResults: 1, Resources: startIndex > 1 ? [] : [{ id: 'a22' }] } }
            : null),
      'the server ignores id in a filter',
    ],
    [
      'the server finds no longer who was changed',
      () =>
        void (server.twist = ({ filter, count }) =>
          filter !== null && count > 100 ? { body: { totalResults: 0 } } : null),
      'changed last is older now, or gone',
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
      'the server ignores meta.lastModified in a filter: it answers with a9',
    ],
  ])('where %s', async (_, change, why) => {
    const staff = staffed();
    await staff.follower.full(staff.source());
    staff.minutes(1);
    change(staff);
    const told = await staff.follower
      .told(staff.source(), ['a20'])
      .catch((error: unknown) => (error instanceof Error ? error.message : ''));
    expect(told).toContain(why);
  });

  test('where the filter or the server is another one', async () => {
    const { follower, source } = staffed();
    await follower.full(source());
    const other = source(withPeople({ filter: 'userName sw "user"' }));
    expect(await follower.increment(other)).toEqual({
      why: 'resource or filter of source.people is another',
    });
    const { text = '' } = follower.mark ?? {};
    follower.mark = { how: 'scim', text: text.replace('127.0.0.1', '127.0.0.2') };
    expect(await follower.increment(source())).toEqual({ why: `another server answers: ${server.url}` });
    follower.mark = { how: 'scim', text: '[0]' };
    expect(await follower.increment(source())).toEqual({
      why: 'the mark of the last read is not of this version',
    });
  });
});

describe('an increment that is not whole', () => {
  const ofIds =
    (twist: Twist): Twist =>
    (asked, list) =>
      asked.attributes.join() === 'id' ? twist(asked, list) : null;
  test.each<[string, Twist, RegExp, boolean]>([
    [
      'with a page of ids missing',
      ofIds(({ startIndex }, list) => (startIndex === 11 ? { body: { ...list, Resources: [] } } : null)),
      /a page is empty after 10 of 25/u,
      false,
    ],
    [
      'with the number of a page in place of that of all ids',
      ofIds((_, list) => ({ body: { ...list, totalResults: (list.Resources as unknown[]).length } })),
      /totalResults is 10, and more records come behind/u,
      false,
    ],
    [
      'with an id on two pages',
      ofIds(({ startIndex }, list) =>
        startIndex === 11 ? { body: { ...list, Resources: [{ id: 'a25' }] } } : null,
      ),
      /a25 came twice/u,
      true,
    ],
    [
      'with a server that has enough in the middle',
      ofIds(({ startIndex }) => (startIndex === 11 ? { status: 403, body: { detail: 'Enough' } } : null)),
      /answers 403: Enough/u,
      false,
    ],
    [
      'with a page of changes missing',
      ({ filter, startIndex }, list) =>
        filter !== null && startIndex === 11 ? { body: { ...list, Resources: [] } } : null,
      /a page is empty after 10 of 20/u,
      false,
    ],
    [
      'with the number of a page in place of that of all changes',
      ({ filter, count }, list) =>
        filter !== null && count > 100
          ? { body: { ...list, totalResults: (list.Resources as unknown[]).length } }
          : null,
      /totalResults is 10, and more records come behind/u,
      false,
    ],
  ])('%s counts for nothing', async (_, twist, sentence, isPassing) => {
    const { follower, source, minutes, put } = staffed();
    await follower.full(source());
    for (let at = 1; at <= 20; at += 1) put(`a${at}`);
    minutes(1);
    server.twist = twist;
    const failure = await follower.told(source()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SourceError);
    expect(failure).toMatchObject({ message: expect.stringMatching(sentence) as string, isPassing });
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
