import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError, StoppedError } from '../../../src/domain/errors.ts';
import type { Raw } from '../../../src/schema/raw.ts';
import { FakeClock } from '../../doubles/fake-clock.ts';
import { restSource } from '../open-one.ts';
import { problem } from '../problem.ts';
import { collect, readAll, type ReadResult } from '../source-contract.ts';
import { digits, pageReply, startRest, type RestServer, type Row } from './rest-server.ts';
import {
  counting,
  crowd,
  crowdLists,
  crowdSettings,
  STYLE_NAMES,
  STYLES,
  type Changes,
  type Style,
} from './rest-world.ts';

let server: RestServer;
beforeAll(async () => void (server = await startRest()));
beforeEach(() => server.reset());
afterAll(() => server.close());

const clock = () => new FakeClock({ auto: true });
const read = (style: Style, changes?: Changes): Promise<ReadResult> =>
  readAll(restSource(crowdSettings(server.url, style, changes), clock()));

/** Proof of styles whose end is no proof by itself. */
const proofOf = (style: Style): Raw => (style === 'none' ? { complete: counting('people') } : {});

/** Reads people that are just these records: again, if a read shows only at its end what no record has. */
const readRows = async (rows: readonly Row[], changes: Changes = {}): Promise<ReadResult> => {
  server.lists = { people: rows, units: [] };
  const people = { complete: { trust: 'a test' }, ...changes.people };
  const source = restSource(crowdSettings(server.url, 'none', { ...changes, people }), clock());
  return readAll(source).catch((error: unknown) => {
    expect(error).toMatchObject({ problem: 'list-changed', isPassing: true });
    return readAll(source);
  });
};

describe.each(STYLE_NAMES)('a list by %s', (style) => {
  test.each([0, 1, 9, 10, 11, 100])('of %i records is whole in pages of 10', async (count) => {
    server.lists = crowdLists(count);
    const { people } = await read(style, { people: proofOf(style) });
    expect(people.map(({ id }) => id)).toEqual(crowd(count).map(({ id }) => id));
  });

  test('is whole in pages that are smaller than asked for', async () => {
    server.lists = crowdLists(25);
    server.mostPerPage = style === 'none' ? 100 : 7;
    const { people } = await read(style, { size: 500, people: proofOf(style) });
    expect(people).toHaveLength(25);
  });
});

test('each style shows how many records and pages came, and what proves that these are all', async () => {
  server.lists = crowdLists(25);
  const shown = async (name: string, style: Style, changes: Changes = {}): Promise<string> => {
    const { evidence } = await read(style, changes);
    const { records, pages, end, atLeastPercent = '' } = evidence.parts.at(-1) ?? {};
    return `${name}: ${records} in ${pages}, ${end} ${atLeastPercent}`.trim();
  };
  const [trust, has] = ['its vendor says so', ['1', '25']];
  const all = [
    ...STYLE_NAMES.map((style) => shown(style, style, { people: proofOf(style) })),
    ...(['cursor', 'link'] as const).map((style) => shown(`${style} at once`, style, { size: 50 })),
    shown('next without size', 'next', {
      pages: { next: '/next' },
      people: { complete: { ...counting('people'), has } },
    }),
    shown('none', 'none', { people: { complete: { trust } } }),
    shown('offset without total', 'offset', { pages: { offset: 'skip', size: { limit: 10 } } }),
  ];
  expect(await Promise.all(all)).toMatchInlineSnapshot(`
    [
      "offset: 25 in 5, offset: an empty page, total 25",
      "page: 25 in 4, page: an empty page, total 25",
      "cursor: 25 in 3, cursor: the last page names none that follows",
      "next: 25 in 3, next: the last page names none that follows",
      "link: 25 in 3, next: the last page names none that follows",
      "none: 25 in 1, one answer: count 25",
      "cursor at once: 25 in 1, cursor: one page; with one record to a page the server names those that follow",
      "link at once: 25 in 1, next: one page; with one record to a page the server names those that follow",
      "next without size: 25 in 1, next: one page, count 25, has all of complete.has",
      "none: 25 in 1, one answer: trusted: its vendor says so 80",
      "offset without total: 25 in 5, offset: an empty page",
    ]
  `);
});

const SIZE = { size: { limit: 10 } };

test.each<[what: string, name: string, pages: Raw, asked: readonly string[]]>([
  ['offsets from 1', 'o', { offset: 'o', from: 1, ...SIZE }, ['1', '10', '19', '25', '26']],
  ['numbers from 0', 'p', { page: 'p', from: 0, ...SIZE }, ['0', '1', '2', '3', '4']],
  ['cursors', 'after', { cursor: '/cursor', param: 'after', first: 'c0', ...SIZE }, ['c0', 'c10', 'c20']],
])('%s begin where the server begins', async (...[, name, pages, expected]) => {
  server.lists = crowdLists(25);
  server.twist = ({ values: { o, p }, list, ...asked }) => {
    if (list === 'units' || name === 'after') return null;
    return pageReply(crowd(25), { ...asked, start: o === undefined ? Number(p) * 10 : Number(o) - 1 });
  };
  expect((await read('none', { pages })).people).toHaveLength(25);
  const people = server.asked.filter(({ list }) => list === 'people');
  expect(people.map(({ values }) => values[name])).toEqual(expected);
});

test('a count may be the whole answer to another question', async () => {
  server.lists = crowdLists(25);
  server.twist = ({ list }) => (list === 'people/count' ? { body: '25' } : null);
  const count = { post: '/people/count', body: { only: ['active'] } };
  expect((await read('none', { people: { complete: { count } } })).people).toHaveLength(25);
  expect(server.asked.at(-1)).toMatchObject({ method: 'POST', values: count.body });
});

describe('a list that is asked for by POST', () => {
  test.each<[Style, string]>([
    ['offset', 'skip'],
    ['page', 'page'],
    ['cursor', 'after'],
  ])('has the parameters of %s in its body, and numbers stay numbers', async (style, name) => {
    server.lists = crowdLists(25);
    const body = { fields: ['id'], active: true };
    const { people } = await read(style, { people: { get: undefined, post: '/people', body } });
    expect(people).toHaveLength(25);
    const second = server.asked.find(({ list, start }) => list === 'people' && start > 0);
    expect(second).toMatchObject({ method: 'POST', values: { ...body, limit: 10 } });
    expect(typeof second?.values[name]).toBe(style === 'cursor' ? 'string' : 'number');
    expect(new URL(second?.url ?? '').search).toBe('');
  });
});

test('a blank in the query is no plus sign, and a plus sign is none', async () => {
  server.lists = crowdLists(1);
  await read('offset', { people: { query: { $filter: "name eq 'a b+c'" } } });
  const asked = server.asked.find(({ list }) => list === 'people');
  expect(asked?.values['$filter']).toBe("name eq 'a b+c'");
  expect(new URL(asked?.url ?? '').search).not.toContain('+');
});

const matching = (pattern: RegExp): string => expect.stringMatching(pattern) as string;

describe('values', () => {
  const byState = { fields: { id: 'id', username: 'login', name: 'name', active: 'state' } };

  test('a field of active that no record has makes nobody active', async () => {
    const { people } = await readRows(crowd(2), { people: byState });
    expect(people.map(({ active }) => active)).toEqual([null, null]);
  });

  test('an object in place of a value stops the value of its record alone', async () => {
    const [one, two] = crowd(2).map((row) => ({ ...row, mail: 'a@b.c', state: 'true' }));
    const rows = [{ ...one, state: { v: 'true' }, mail: { v: 'a@b.c' } }, two as Row];
    const fields = { ...byState.fields, email: 'mail' };
    const { people, evidence } = await readRows(rows, { people: { fields } });
    expect(people.map(({ active, fields: { email } }) => [active, email])).toEqual([
      [null, undefined],
      [true, 'a@b.c'],
    ]);
    expect(evidence).toMatchObject({ unknown: [], warnings: [/ state, /u, / mail, /u].map(matching) });
  });

  test('a name in sparse that no rule reads is a mistake', () => {
    const settings = crowdSettings(server.url, 'offset', { people: { sparse: ['nmae'] } });
    expect(() => restSource(settings)).toThrow(ConfigError);
  });

  test('people are active if their field of active is empty', async () => {
    const [one, two, three] = crowd(3);
    const rows = [{ ...one, state: null }, { ...two, state: false }, three as Row];
    const { people } = await readRows(rows, { people: byState });
    expect(people.map(({ active }) => active)).toEqual([true, false, true]);
  });

  test('numbers keep their digits, as id, as value and in a cursor', async () => {
    const long = '9007199254740993123';
    server.lists = { people: [{ ...crowd(1)[0], id: digits(long) }, ...crowd(2).slice(1)], units: [] };
    server.twist = ({ values, list }, { body }) => {
      if (list !== 'people') return null;
      const page = body as { readonly data: readonly Row[] };
      if (values['after'] === undefined)
        return { body: { data: page.data.slice(0, 1), cursor: digits(long) } };
      return { body: { data: page.data.slice(1), cursor: null } };
    };
    const { people } = await read('cursor', { pages: { ...STYLES.cursor(10).pages, more: undefined } });
    expect(people.map(({ id }) => id)).toEqual([long, '2']);
    expect(server.asked.some(({ values }) => values['after'] === long)).toBe(true);
  });

  test.each<[path: string, record: Row, values: readonly string[]]>([
    ['a.b', { a: { b: 'x' } }, ['x']],
    ['/a.b', { 'a.b': 'x' }, ['x']],
    ['/a~1b', { 'a/b': 'x' }, ['x']],
    ['a.b', { a: [{ b: 'x' }, { b: 'y' }] }, ['x', 'y']],
    ['a', { a: ['x', 'y'] }, ['x', 'y']],
    ['a.b.c', { a: [{ b: [{ c: 'x' }] }, { b: { c: 'y' } }] }, ['x', 'y']],
    [
      'a[t=w].v',
      {
        a: [
          { t: 'h', v: 'x' },
          { t: 'w', v: 'y' },
        ],
      },
      ['y'],
    ],
    ['a[t=w]', { a: { t: 'w' } }, []],
    ['a', { A: 'x' }, []],
    ['a', { a: null }, []],
    ['a', { a: false }, ['false']],
    ['a', { a: 0 }, ['0']],
    ['a', { a: { b: 'x' } }, []],
  ])('%s of %o is %o', async (path, record, values) => {
    const fields = { id: 'id', username: 'login', name: 'name', positions: [{ unit: path }] };
    const rows = crowd(1).map((one) => ({ ...one, ...record }));
    const { people } = await readRows(rows, { people: { fields } });
    expect(people[0]?.positions.map(({ unit }) => unit).filter((unit) => unit !== null)).toEqual(values);
  });

  test.each(['a[t].v', 'a[t=w', 'a..b', '.a', 'a.', 'a[]', '[t=w]', 'a]b'])(
    '%s is no path of a field',
    (path) => {
      const fields = { id: 'id', username: 'login', name: 'name', email: path };
      expect(() => restSource(crowdSettings(server.url, 'offset', { people: { fields } }))).toThrow(
        ConfigError,
      );
    },
  );

  test('a field that no record has is unknown, and is not mapped', async () => {
    const fields = { id: 'id', username: 'login', name: 'name', email: 'mail', mobile: 'phone' };
    const rows = [
      { ...crowd(1)[0], phone: null },
      { ...crowd(2)[1], phone: '+49 30 123456' },
    ];
    const { evidence } = await readRows(rows, { people: { fields } });
    expect(evidence.unknown).toMatchObject([
      { part: 'people', name: 'mail', places: ['source.people.fields.email'] },
    ]);
  });

  test('a kind of entries that no record has is unknown, unless all lists of them are empty', async () => {
    const fields = { id: 'id', username: 'login', name: 'name', email: 'mails[type=Work].value' };
    const mails = [[{ type: 'home', value: 'a@b.c' }], []];
    const unknown = async (rows: readonly (readonly object[] | null)[]) => {
      const people = rows.map((own, n) => ({ ...crowd(2)[n], mails: own }));
      return (await readRows(people, { people: { fields } })).evidence.unknown.map(({ name }) => name);
    };
    expect([await unknown(mails), await unknown([[], null])]).toEqual([['mails[type=Work].value'], []]);
  });

  test('a field that the server leaves out where it is empty is so if no record has it', async () => {
    const fields = { id: 'id', username: 'login', name: 'name', active: { expr: "left == ''" } };
    const { evidence, people } = await readRows(crowd(2), { people: { fields, sparse: ['left'] } });
    expect([evidence.unknown, people.map(({ active }) => active)]).toEqual([[], [true, true]]);
  });
});

test('a server that wants no more than some questions a second gets no more', async () => {
  server.lists = crowdLists(95);
  const time = clock();
  await readAll(restSource(crowdSettings(server.url, 'page', { rate: { perSecond: 4 } }), time));
  const waited = time.slept.reduce((sum, ms) => sum + ms, 0);
  expect(waited).toBeGreaterThanOrEqual(((server.asked.length - 4) * 1_000) / 4);
});

test('a clock that is set back by an hour delays no question', async () => {
  server.lists = crowdLists(95);
  const time = clock();
  server.before = ({ number }) => {
    if (number === 3) time.set(time.now() - 3_600_000);
  };
  await readAll(restSource(crowdSettings(server.url, 'page', { rate: { perSecond: 4 } }), time));
  expect(Math.max(...time.slept)).toBe(250);
});

test.each([
  ['epoch', (now: number) => Math.floor(now / 1_000) + 40],
  ['seconds', () => 40],
] as const)('a pause that a header of the server names in %s is kept', async (as, value) => {
  server.lists = crowdLists(5);
  const time = clock();
  server.now = () => time.now();
  server.twist = ({ number }) =>
    number === 1
      ? {
          status: 429,
          headers: { 'x-reset': String(value(time.now())) },
          body: {},
        }
      : null;
  const rate = { reset: { header: 'X-Reset', as } };
  await readAll(restSource(crowdSettings(server.url, 'offset', { rate }), time));
  expect(time.slept).toEqual([40_000]);
});

test.each<[what: string, code: number, times: number]>([
  ['that wants a pause is asked again five times', -1, 5],
  ['that is no good one ends the read', 40_014, 1],
])('a code with HTTP 200 %s', async (_, code, times) => {
  server.lists = crowdLists(5);
  server.twist = ({ list }) => (list === 'people' ? { body: { code, msg: 'not now' } } : null);
  const ok = { at: '/code', is: [0], words: '/msg', wait: [-1] };
  server.isEnveloped = true;
  await expect(read('offset', { ok })).rejects.toThrow(problem('http-refused', String(code), 'not now'));
  expect(server.asked.filter(({ list }) => list === 'people')).toHaveLength(times);
});

test('a read that is stopped in a pause of a minute ends at once', async () => {
  server.lists = crowdLists(5);
  server.twist = () => ({ status: 503, headers: { 'retry-after': '60' }, body: '' });
  const controller = new AbortController();
  const opened = await restSource(crowdSettings(server.url, 'offset')).open(controller.signal);
  const reading = collect(opened.people());
  setTimeout(() => controller.abort(), 50);
  await expect(reading).rejects.toBeInstanceOf(StoppedError);
  await opened.close();
});
