import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FakeClock } from '../../doubles/fake-clock.ts';
import { restSource } from '../open-one.ts';
import { readAll, type ReadResult } from '../source-contract.ts';
import { pageReply, startRest, type Page, type RestServer, type Row, type Twist } from './rest-server.ts';
import { counting, crowd, crowdLists, crowdSettings, type Changes, type Style } from './rest-world.ts';

/** The first token of a server. */
const TOKEN = 't0ken-1';
let server: RestServer;
let other: RestServer;
beforeAll(async () => {
  server = await startRest();
  other = await startRest(crowdLists(25));
});
beforeEach(() => {
  server.reset();
  server.lists = crowdLists(25);
});
afterAll(async () => {
  await server.close();
  await other.close();
});

/** Reads with a token in the query of each request. */
async function read(style: Style, twist: Twist, changes: Changes = {}): Promise<ReadResult> {
  server.twist = (asked, usual) => (['units', 'gettoken'].includes(asked.list) ? null : twist(asked, usual));
  const [query, as] = [{ s: '{secret}' }, { query: 'access_token' }];
  const auth = { login: { get: '/gettoken', query, secret: server.secret, token: '/access_token', as } };
  const settings = { ...crowdSettings(server.url, style, { auth, ...changes }), timeoutSeconds: 0.5 };
  return readAll(restSource(settings, new FakeClock({ auto: true })));
}

const onPeople =
  (twist: Twist): Twist =>
  (asked, usual) =>
    asked.list === 'people' ? twist(asked, usual) : null;
const withPage = (change: (page: Page) => object): Twist =>
  onPeople((_, usual) => ({ ...usual, body: { ...(usual.body as Page), ...change(usual.body as Page) } }));
/** Twists answers from this record on, from 0. */
const from = (start: number, twist: Twist): Twist =>
  onPeople((asked, usual) => (asked.start >= start ? twist(asked, usual) : null));
/** Twists one page, from 1. */
const onPage = (page: number, twist: Twist): Twist =>
  onPeople((asked, usual) => (Number(asked.values['page']) === page ? twist(asked, usual) : null));
const body =
  (given: unknown, headers = {}): Twist =>
  () => ({ body: given, headers });
const refusing =
  (status: number, headers = {}, given: unknown = {}): Twist =>
  () => ({ status, headers, body: given });
/** Gives pages of other records than it has. */
const giving = (rowsAt: (number: number) => readonly Row[]): Twist =>
  onPeople((asked) => pageReply(rowsAt(asked.number), asked));
const counted =
  (n: unknown): Twist =>
  (asked) =>
    asked.list === 'people' ? null : { body: { n } };
const linking = (next: (usual: string, here: string) => string): Twist =>
  withPage((page) => ({ next: page.next === null ? null : next(page.next, server.url) }));
const cut = (behind: string): Twist =>
  from(10, (_, usual) => ({ body: JSON.stringify(usual.body).replace(/\}\].*/u, behind) }));
const endless = onPeople(({ number }) => ({ body: { data: [], next: `${server.url}/people?n=${number}` } }));

/** One of the first page goes after that was given, so that one of the next page is missed. */
const goingMeanwhile: Twist = (asked, usual) => {
  const isGone = server.asked.some(({ list, start }) => list === 'people' && start >= 10);
  const rows = isGone ? crowd(25).slice(1) : crowd(25);
  return asked.list === 'people' ? pageReply(rows, asked) : { ...usual, body: { n: rows.length } };
};

const COUNT = { people: { complete: counting('people') } };
const HAS = { people: { complete: { has: ['3', '24'] } } };
const NO_TOTAL = { pages: { offset: 'skip', size: { limit: 10 } } };
const OF_25 = { cursor: '/cursor', param: 'after', size: { limit: 10 }, total: '/of' };
const BARE = { pages: { cursor: '/cursor', param: 'after', size: { limit: 10 } } };
const BY_PAGE_ALONE = { pages: { page: 'page', size: { limit: 10 } } };
const HTML = { 'content-type': `text/html; for=${TOKEN}` };
const place = (row: Row, number: number): number => (Number(row['id']) * (number + 3)) % 29;
const shuffled = (number: number): readonly Row[] =>
  crowd(25).toSorted((a, b) => place(a, number) - place(b, number));
const shifted =
  (by: number) =>
  (number: number): readonly Row[] =>
    number > 2 ? crowd(25 + by).slice(by) : crowd(25);
const withoutKey = ({ data }: Page): object => ({ data: data.map((one) => ({ ...one, id: undefined })) });

type Case = [what: string, style: Style, twist: Twist, changes?: Changes];

/** The numbers are those of cases that were agreed on. */
const INCOMPLETE: readonly Case[] = [
  ['44: nowhere', 'next', linking(() => 'http://[')],
  ['22: the cursor is hidden', 'cursor', withPage(() => ({ cursor: undefined })), BARE],
  ['22: the address is hidden', 'next', withPage(() => ({ next: undefined }))],
  ['22: the header is hidden', 'link', (_, usual) => ({ body: usual.body })],
  ['23: the address is always null', 'next', withPage(() => ({ next: null }))],
  ['23: there is never more', 'cursor', withPage(() => ({ more: false, cursor: null }))],
  ['23: whether there is more is not said', 'cursor', withPage(() => ({ more: undefined }))],
  ['23: there is more, and no cursor', 'cursor', withPage(() => ({ more: true, cursor: null }))],
  [
    '23: whether there is more is said once',
    'cursor',
    from(
      10,
      withPage(() => ({ more: undefined })),
    ),
  ],
  ['26: the same cursor again', 'cursor', withPage(() => ({ cursor: 'c10', more: true }))],
  ['26: the same address again', 'next', linking((_, here) => `${here}/people?limit=10&after=c10`)],
  ['29: a cap with a matching total', 'page', giving(() => crowd(20)), HAS],
  ['30: and there is no total', 'offset', from(18, body({ data: [] })), { ...NO_TOTAL, ...COUNT }],
  ['31: a code', 'offset', from(10, body({ errcode: 40_001, errmsg: 'no' }))],
  ['31: a text', 'cursor', from(10, body('"an error"'))],
  ['31: an error as a record', 'page', withPage(({ data }) => ({ data: [...data, { error: 'no' }] }))],
  ['32: a record in place of a list', 'offset', withPage(({ data }) => ({ data: data[0], total: 1 }))],
  ['33: no list, but null', 'none', withPage(() => ({ data: null })), COUNT],
  ['33: no list', 'page', from(10, body({ total: 25 }))],
  ['33: no content at once', 'offset', refusing(204, {}, '')],
  ['35: people who have to be there are not', 'cursor', giving(() => crowd(23)), HAS],
  ['records have no key', 'offset', withPage(withoutKey)],
  ['no total', 'page', withPage(() => ({ total: undefined }))],
  ['no count', 'cursor', counted(null), COUNT],
  ['48: empty pages without end', 'next', endless],
  [
    '48: the same records without end',
    'cursor',
    withPage(({ data }) => ({ data, more: true, cursor: `${data.length}` })),
  ],
];

const CHANGED: readonly Case[] = [
  ['24: a page in the middle is empty', 'page', onPage(2, body({ data: [] })), BY_PAGE_ALONE],
  ['21: all before, now 10 an answer', 'none', giving(() => crowd(10)), COUNT],
  ['29: a cap with a matching total', 'offset', giving(() => crowd(20)), COUNT],
  ['30: pages behind some depth are empty', 'page', from(20, body({ data: [], total: 25 }))],
  ['33: an empty answer in the middle', 'page', from(10, body(''))],
  ['a total of more', 'offset', withPage(() => ({ total: 26 }))],
  ['a total of fewer', 'page', withPage(() => ({ total: 24 }))],
  [
    'a last page that is short of the total',
    'cursor',
    withPage((page) => ({ ...page, of: 26 })),
    { pages: OF_25 },
  ],
  ['27: one goes meanwhile, and the count too', 'cursor', goingMeanwhile, COUNT],
  ['a count of more', 'cursor', counted(26), COUNT],
  ['27: one goes and one comes', 'offset', giving(shifted(1))],
  ['27: two go and two come, and there is no total', 'offset', giving(shifted(2)), NO_TOTAL],
  [
    'another total in the middle',
    'page',
    onPage(
      2,
      withPage(() => ({ total: 26 })),
    ),
  ],
  ['28: another order each time', 'offset', giving(shuffled)],
  ['28: another order each time', 'page', giving(shuffled)],
  [
    'another total on a later page',
    'page',
    from(
      10,
      withPage(() => ({ total: 24 })),
    ),
  ],
];

const REFUSED: readonly Case[] = [
  ['31: an error beside an empty list', 'cursor', from(10, body({ data: [], more: false, errors: ['x'] }))],
  ['31: an error', 'cursor', from(10, body({ error: { message: 'no' } }))],
  ['31: a page for people', 'offset', body('<!doctype html>', HTML)],
  ['31: cut in the last record', 'next', cut('')],
  ['31: an error behind a record', 'next', cut('},{"error":"unknown_error"}')],
  ['a right is missing', 'offset', from(10, refusing(403))],
  ['it is not there', 'offset', refusing(404)],
  ['it is not there any more, and there is no total', 'page', from(20, refusing(404)), BY_PAGE_ALONE],
  [
    '45: a redirect',
    'offset',
    (asked) => refusing(307, { location: `${other.url}/${TOKEN}?${asked.url}` }, '')(asked, { body: '' }),
  ],
  [
    '46: the token in an error',
    'offset',
    ({ url }) => ({ status: 400, body: { message: url, error: TOKEN } }),
  ],
  ['47: a pause of -5 s', 'offset', refusing(429, { 'retry-after': '-5' })],
  ['47: a pause until 1970', 'offset', refusing(503, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' })],
];

const STOPPED: readonly Case[] = [
  ['44: the next page on another host', 'next', linking((next) => next.replace(server.url, other.url))],
  ['44: on an address of a cloud', 'next', linking(() => 'http://169.254.169.254/latest/meta-data')],
  ['44: by another scheme', 'next', linking((next) => next.replace('http:', 'https:'))],
  [
    '44: behind what looks like a user',
    'next',
    linking((next) => next.replace('127.0.0.1', '127.0.0.1@localhost')),
  ],
  ['44: in a file', 'next', linking(() => 'file:///etc/passwd')],
  ['47: a pause of a day', 'offset', refusing(429, { 'retry-after': '86400' })],
  ['names are not in UTF-8', 'offset', body((to: ServerResponse) => void to.end(LATIN))],
  ['49: an answer of 65 MB', 'offset', body((to: ServerResponse) => writeMuch(to, 65))],
  ['49: an answer that does not end', 'offset', body((to: ServerResponse) => void to.write('{"data": ['))],
];

const LATIN = Buffer.from(
  '{"data": [{"id": "1", "login": "zoe", "name": "Zo\u00eb"}], "total": 1}',
  'latin1',
);

function writeMuch(to: ServerResponse, megabytes: number): void {
  if (megabytes === 0) return void to.end();
  to.write(' '.repeat(1_048_576), () => writeMuch(to, megabytes - 1));
}

describe.each([
  ['list-incomplete', INCOMPLETE],
  ['list-changed', CHANGED],
  ['http-refused', REFUSED],
  ['http-server', STOPPED],
])('a read ends with %s', (code, rows) => {
  test.each(rows)('%s (%s)', async (_, style, twist, changes) => {
    const failure = await read(style, twist, changes).catch((error: unknown) => error);
    expect(failure).toMatchObject({ problem: code, ...(code === 'list-changed' && { isPassing: true }) });
    expect(`${String(failure)} ${JSON.stringify(failure)}`).not.toContain(TOKEN);
    expect(other.asked).toEqual([]);
  });
});

const short: Twist = onPeople((asked) => pageReply(crowd(25), { ...asked, size: asked.start > 5 ? 4 : 10 }));
const behind = (start: number, status: number): Twist => from(start, refusing(status, {}, ''));
const hiding = withPage(({ data }) => ({
  data: data.filter(({ id }) => Number(id) < 12 || Number(id) > 17),
}));
const emptied = withPage(({ data, ...page }) => ({ ...page, data: data[0]?.['id'] === '11' ? [] : data }));

const pathOf = (url: string): string => url.replace(/^https?:..[^/]+/u, '');
const linked = (header: (next: string) => string): Twist =>
  onPeople((_, { headers, body: rows }) => {
    const next = /<([^>]*)>; rel="next"/u.exec(headers?.['link'] ?? '')?.[1];
    return { headers: next === undefined ? {} : { link: header(next) }, body: rows };
  });

describe('a list is whole', () => {
  test.each<readonly [string, Style, Twist, Changes, number]>([
    ['24: with a short page in the middle', 'offset', short, {}, 25],
    ['24: with a short page in the middle', 'page', hiding, BY_PAGE_ALONE, 19],
    ['25: with an empty page and an address', 'next', emptied, {}, 15],
    ['25: with an empty page and a cursor', 'cursor', emptied, {}, 15],
    ['with no content behind it', 'page', behind(30, 204), {}, 25],
    ['with an empty answer behind it', 'page', behind(30, 200), {}, 25],
    ['with a refusal behind it', 'page', behind(30, 404), {}, 25],
    ['with a refusal behind it', 'page', behind(30, 416), {}, 25],
    ['with a refusal behind it', 'page', behind(30, 422), {}, 25],
    ['with who has to be there', 'offset', () => null, HAS, 25],
    ['with addresses without a host', 'next', linking((next) => pathOf(next)), {}, 25],
    [
      'with links of several kinds',
      'link',
      linked((next) => `</a>; title="rel=next", <${next}>; x=1; rel=next`),
      {},
      25,
    ],
    [
      'with a link that is next in several words',
      'link',
      linked((next) => `<${pathOf(next)}>;REL="last next"`),
      {},
      25,
    ],
  ])('%s (%s)', async (...[, style, twist, changes, count]) => {
    expect((await read(style, twist, changes)).people).toHaveLength(count);
  });
});

test.each(['../../admin?x=1&limit=999#', '%2e%2e/%00', 'a\r\nX-Y: z', 'ü 🎈 &after=c0'])(
  '43: %j as a cursor is one value of the query',
  async (cursor) => {
    const twist = onPeople(({ values }) => {
      const isFirst = values['after'] === undefined;
      const data = isFirst ? crowd(10) : crowd(25).slice(10);
      return { body: { data, cursor: isFirst ? cursor : null } };
    });
    expect((await read('cursor', twist, BARE)).people).toHaveLength(25);
    expect(server.asked.at(-1)?.values).toEqual({ after: cursor, limit: '10', access_token: TOKEN });
    expect(new Set(server.asked.map(({ list }) => list))).toEqual(new Set(['units', 'people']));
  },
);
