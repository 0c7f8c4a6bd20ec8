import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/domain/errors.ts';
import type { Employees } from '../../src/domain/ports/service.ts';
import { answers, worlds, type Answer, type Seen } from './odd-server.ts';

const { ok, html, no, endless } = answers;
const { signal } = new AbortController();

const world = worlds();

const record = (username: string, more = {}) => ({
  id: `1${username.length}`,
  username,
  positions: [],
  org_code: 'acme',
  ...more,
});

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `user${n}`);
const askedOf = ({ query }: Seen): string[] => (query.get('query') ?? '').split(',');
const sizes = (seen: readonly Seen[]): readonly number[] => seen.map((one) => askedOf(one).length);
/** A service where these are employees, who are answered as `show` says. */
const holding =
  (here: (asked: readonly string[]) => readonly object[]): Answer =>
  (response, call) =>
    ok(here(askedOf(call)))(response, call);
const own = (username: string) => record(username);
const sister = (count: number) => names(count).map((name) => record(name, { org_code: 'sister' }));
const urlOf = ({ url }: Seen): number => 'http://127.0.0.1:65535'.length + url.length;
const users = (count: number) => Array.from({ length: count }, (_, n) => ({ user_id: n, username: `u${n}` }));
const spelled = ({ found }: Employees) => [...found].map(([asked, { username }]) => `${asked}: ${username}`);

describe('whose account it is', () => {
  test('an exact match wins; else the only one that is equal without case; other organizations are nobody', async () => {
    const { service, seen } = await world(
      holding(() => [
        record('ann'),
        record('ann'),
        record('ANN'),
        record('Bob'),
        record('annabel'),
        record('cid', { org_code: 'other' }),
        record('dan', { org_code: null }),
      ]),
    );
    const answer = await service.employees(['ann', 'bob', 'cid', 'dan'], signal);
    expect(spelled(answer)).toEqual(['ann: ann', 'bob: Bob', 'dan: dan']);
    expect(answer.found.get('ann')?.id).toBe('13');
    expect(answer.unclear.size).toBe(0);
    expect(Object.fromEntries(seen[0]!.query)).toMatchObject({
      domain_id: 'dom',
      type: 'username',
      matching: 'true',
      query: 'ann,bob,cid,dan',
    });
    expect(seen[0]?.url).toContain('query=ann,bob,cid,dan');
  });

  test('of several that are equal without case and none exactly nobody is taken, and all are named', async () => {
    const { service } = await world(holding(() => [record('User0'), record('user0')]));
    const { found, unclear } = await service.employees(['USER0', 'user0'], signal);
    expect([...found.keys()]).toEqual(['user0']);
    expect([...unclear]).toEqual([['USER0', expect.stringContaining('User0, user0')]]);
  });

  test('of several accounts of the very same username nobody is taken, and all are named by their ids', async () => {
    const { service } = await world(
      holding(() => [record('ann', { id: '1', locked: true }), record('ann', { id: '2', org_code: null })]),
    );
    const { found, unclear } = await service.employees(['ann', 'ANN'], signal);
    expect([...found.keys()]).toEqual([]);
    expect(unclear.get('ann')).toMatch(/\bann\b.* ids 1, 2:/u);
    expect([...unclear.keys()]).toEqual(['ann', 'ANN']);
  });

  test('one account twice is one, and it has not left where one of its records says so', async () => {
    const { service } = await world(
      holding(() => [record('ann', { id: '1', locked: true }), record('ann', { id: '1' })]),
    );
    const { found } = await service.employees(['ann'], signal);
    expect(found.get('ann')).toMatchObject({ id: '1', locked: false });
  });

  test('a username with a comma is asked for alone, by the search that takes no list', async () => {
    const all = [record('a,b'), record('xa,bx')];
    const { service, seen } = await world((response, call) =>
      ok(all.filter(({ username }) => username.includes(call.query.get('query') ?? '')))(response, call),
    );
    expect(spelled(await service.employees(['a,b'], signal))).toEqual(['a,b: a,b']);
    expect(Object.fromEntries(seen[0]!.query)).toMatchObject({ matching: 'false', query: 'a,b' });
  });
});

describe('the number of questions is bounded', () => {
  test.each<[string, number, (asked: readonly string[]) => readonly object[]]>([
    ['spells everybody in another case', 2, (asked) => asked.map((name) => record(name.toUpperCase()))],
    ['adds people of a sister organization', 2, (asked) => [...sister(60), ...asked.slice(9).map(own)]],
    [
      'adds strangers who may be ours',
      2,
      (asked) => [...names(60).map((n) => record(`x${n}`)), ...asked.map(own)],
    ],
    ['gives everybody, whatever was asked', 2, () => names(1000).map(own)],
    ['gives the same few, whatever was asked', 3, () => names(50).map(own)],
    ['gives everybody twice', 2, (asked) => [...asked, ...asked].map(own)],
    ['knows nobody', 2, () => []],
    ['has others alone', 2, () => sister(60)],
    ['looks at the first 50 alone', 7, (asked) => asked.slice(0, 50).map(own)],
  ])('where a service %s', async (_, most, show) => {
    const { service, seen } = await world(holding(show));
    await service.employees(
      names(2000).map((name) => `U${name.slice(1)}`),
      signal,
    );
    expect(seen.length).toBeLessThanOrEqual(10 * most);
  });

  test('a service that cuts lists short is noticed, and everybody is found', async () => {
    const { service } = await world(holding((asked) => asked.slice(0, 50).map((name) => record(name))));
    expect((await service.employees(names(300), signal)).found.size).toBe(300);
  });

  test('a list that is cut short does not make somebody of another case of one who is there', async () => {
    const here = [...names(11).map((name) => record(name.toUpperCase())), ...names(11).map(own)];
    const { service } = await world(
      holding((asked) =>
        here
          .filter(({ username }) => asked.some((name) => name.toLowerCase() === username.toLowerCase()))
          .slice(0, 12),
      ),
    );
    const { found } = await service.employees(names(11), signal);
    expect([...found].filter(([asked, { username }]) => asked !== username)).toEqual([]);
  });

  test('a service that gives whole lists is not asked twice again and again', async () => {
    const here = new Set(names(3000).filter((_, n) => n % 2 === 0));
    const { service, seen } = await world(
      holding((asked) => asked.filter((name) => here.has(name)).map((name) => record(name))),
    );
    expect((await service.employees(names(3000), signal)).found.size).toBe(1500);
    expect(seen.length).toBeLessThanOrEqual(15 + 10);
  });

  test('one question that fails makes the whole answer fail', async () => {
    const { service } = await world((response, call) =>
      (call.query.get('query')?.includes('user1500') === true ? html(404) : ok([]))(response, call),
    );
    await expect(service.employees(names(2000), signal)).rejects.toBeInstanceOf(ServiceError);
  });
});

describe('limits that nobody told', () => {
  const everybody = holding((asked) => asked.map((name) => record(name)));

  test('no URL is longer than 4,000 bytes, however the names are spelled and however long the token is', async () => {
    const { service, seen } = await world(
      holding(() => []),
      { token: 't/'.repeat(300) },
    );
    const odd = Array.from({ length: 900 }, (_, n) => `${'ä中 &'.repeat(n % 40)}${n}`);
    await service.employees([...odd, 'x'.repeat(5000)], signal);
    expect(Math.max(...seen.map(urlOf))).toBeLessThanOrEqual(4000);
    expect(seen.flatMap(askedOf)).toHaveLength(900);
  });

  test('no more names stand in one question than the configuration says', async () => {
    const { service, seen } = await world(everybody, { limits: { namesPerQuery: 7 } });
    expect((await service.employees(names(20), signal)).found.size).toBe(20);
    expect(Math.max(...seen.map((call) => askedOf(call).length))).toBeLessThanOrEqual(7);
    expect(seen.length).toBeLessThanOrEqual(4);
  });

  test('whole questions of many names are counted as they are asked: full ones, or all there are', async () => {
    const { service, seen } = await world(everybody, { limits: { namesPerQuery: 7 } });
    await service.employees(names(20), signal);
    const whole = service.wholeQuestions(names(20));
    expect([whole, service.wholeQuestions(names(3))]).toEqual([18, 3]);
    const before = seen.length;
    await service.employees(names(whole), signal);
    expect(seen.length - before).toBe(3);
  });

  test.each<[string, Answer]>([
    ['an address longer than 1 KB with 414', refusing((call) => urlOf(call) > 1024, html(414))],
    [
      'an address longer than 1 KB with an envelope',
      refusing((call) => urlOf(call) > 1024, no(9, 'too long')),
    ],
    ['more than 20 names with 400', refusing((call) => askedOf(call).length > 20, html(400))],
    ['more than 20 names with an envelope', refusing((call) => askedOf(call).length > 20, no(9, 'too many'))],
    [
      'to be short where more than 20 names are asked for: 64 MB and more',
      refusing((call) => askedOf(call).length > 20, endless()),
    ],
    ['more than one name', refusing((call) => askedOf(call).length > 1, no(9, 'one by one'))],
  ])(
    'where a service refuses %s, everybody is found, and later questions are that short',
    async (_, answer) => {
      const { service, seen } = await world(answer);
      expect((await service.employees(names(400), signal)).found.size).toBe(400);
      const before = seen.length;
      expect((await service.employees(names(400), signal)).found.size).toBe(400);
      const perName = service.listLimits().namesPerQuery === 1;
      expect(seen.length - before).toBeLessThanOrEqual(perName ? 400 : 50);
      const { seen: next, service: process } = await world(answer);
      process.keepTo(service.listLimits());
      await process.employees(names(400), signal);
      expect(next.length).toBeLessThanOrEqual(seen.length - before + 1);
    },
  );

  test('one name that spoils every question is unclear, with the words of the service; nothing is kept', async () => {
    const { service, seen } = await world(
      refusing((call) => askedOf(call).includes('user77'), no(9, 'illegal name')),
    );
    const { found, unclear } = await service.employees(names(200), signal);
    expect([found.size, [...unclear.keys()]]).toEqual([199, ['user77']]);
    expect(unclear.get('user77')).toContain('illegal name');
    expect(service.listLimits()).toEqual({});
    const before = seen.length;
    await service.employees(names(200), signal);
    expect(seen.length - before).toBe(2);
  });

  test('many names that are refused stop nobody else', async () => {
    const { service, seen } = await world(
      refusing((call) => askedOf(call).some((name) => name.endsWith('7')), no(9, 'seven')),
    );
    const { found, unclear } = await service.employees(names(200), signal);
    expect([found.size, unclear.size]).toEqual([180, 20]);
    expect(seen.length).toBeLessThanOrEqual(200);
  });

  test.each([
    ['an envelope', no(9, 'go away')],
    ['an HTML page with 400', html(400)],
  ])('a service that refuses every question with %s ends it after a few', async (_, answer) => {
    const { service, seen } = await world(answer);
    await expect(service.employees(names(2000), signal)).rejects.toMatchObject({
      problem: 'service-refuses-questions',
    });
    expect(seen.length).toBeLessThan(100);
  });

  function refusing(refuses: (call: Seen) => boolean, refusal: Answer): Answer {
    return (response, call) => (refuses(call) ? refusal : everybody)(response, call);
  }
});

const paged =
  (most: number, refusal: Answer): Answer =>
  (response, call) => {
    const [skip, limit] = [Number(call.query.get('skip')), Number(call.query.get('limit'))];
    if (limit > most) return refusal(response, call);
    return ok({ total_count: 250, users: users(250).slice(skip, skip + limit) })(response, call);
  };

describe('pages that are too long', () => {
  test.each([
    ['an envelope', no(9, 'limit is at most 100')],
    ['an HTML page', html(400)],
    ['an answer of more than 64 MB', endless()],
  ])('%s: halved until it passes, and kept to', async (_, refusal) => {
    const { service, seen } = await world(paged(100, refusal));
    let count = 0;
    for await (const { records } of service.users(null, signal)) count += records.length;
    expect(count).toBe(250);
    expect(seen.map(({ query }) => query.get('limit'))).toEqual([
      '1000',
      '500',
      '250',
      '125',
      '63',
      '63',
      '63',
      '63',
    ]);
    expect(service.listLimits()).toEqual({ pageSize: 63 });
  });

  test('a list that is refused altogether ends in a few questions, and nothing is kept', async () => {
    const { service, seen } = await world(paged(0, no(9, 'no lists today')));
    const read = service.users(null, signal)[Symbol.asyncIterator]().next();
    await expect(read).rejects.toMatchObject({ code: 'REFUSED', status: 9 });
    expect([seen.length, service.listLimits()]).toEqual([11, {}]);
  });
});

describe('how many names a question has', () => {
  const ALL = { limits: { namesPerQuery: 5_000 } };

  test('twice as many are tried where the service reads all of them, within an address of 8 kB', async () => {
    const { service, seen } = await world(
      holding((asked) => asked.map(own)),
      ALL,
    );
    for (let round = 0; round < 4; round += 1) await service.employees(names(900), signal);
    expect(Math.max(...sizes(seen.slice(0, 4)))).toBeLessThanOrEqual(200);
    expect(Math.max(...sizes(seen))).toBeGreaterThan(600);
    expect(Math.max(...seen.map(urlOf))).toBeLessThan(8_000);
    expect(service.listLimits()).toEqual({});
  });

  test.each([
    ['breaks the connection', answers.dropped],
    ['answers with trouble of its own', () => answers.html(502)],
    ['refuses', () => no(7, 'too many')],
  ])('where the service %s for more, everybody is found, and no more is tried again', async (_, trouble) => {
    const { service, seen } = await world((response, call) => {
      const asked = askedOf(call);
      return (asked.length > 250 ? trouble() : ok(asked.map(own)))(response, call);
    }, ALL);
    for (let round = 0; round < 2; round += 1)
      expect((await service.employees(names(900), signal)).found.size).toBe(900);
    expect(service.listLimits().namesPerQuery).toBeLessThanOrEqual(250);
    const before = seen.length;
    await service.employees(names(900), signal);
    expect(Math.max(...sizes(seen.slice(before)))).toBeLessThanOrEqual(250);
  });
});
