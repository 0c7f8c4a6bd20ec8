import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { StoppedError } from '../../../src/domain/errors.ts';
import type { ScimSettings } from '../../../src/source/scim/kind.ts';
import { scimSource } from '../open-one.ts';
import { FakeClock } from '../../doubles/fake-clock.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { collect, readAll, type ReadResult } from '../source-contract.ts';
import { startScim, type Answer, type ScimServer, type Twist } from './scim-server.ts';
import { scimSettings, users } from './scim-world.ts';
import type { Whole } from '../world.ts';
import { problem } from '../problem.ts';

const GROUPS = [
  {
    id: 'g1',
    displayName: 'Sales',
    members: [{ value: 'a1' }, { value: 'a2', type: 'User' }, { value: 'g2', type: 'Group' }],
  },
  { id: 'g2', displayName: 'EMEA', members: [{ value: 'a2' }] },
  { id: 'g3', displayName: 'Empty' },
];
let server: ScimServer;
beforeAll(async () => void (server = await startScim({})));
afterAll(() => server.close());

interface Run {
  readonly clock: FakeClock;
  readonly read: (changes?: Partial<Whole<ScimSettings>>) => Promise<ReadResult>;
}

/** Twenty-five users in pages of ten. */
function twisted(twist: Twist = () => null): Run {
  server.lists = { Groups: GROUPS, Users: users(25) };
  server.mostPerPage = 10;
  server.twist = twist;
  (server.asked as unknown[]).length = 0;
  const clock = new FakeClock({ auto: true });
  const read: Run['read'] = (changes) => readAll(scimSource(settings(changes), clock));
  return { clock, read };
}

function settings(changes: Partial<Whole<ScimSettings>> = {}): Whole<ScimSettings> {
  const { people, ...rest } = scimSettings(server.url);
  const rules: Whole<ScimSettings>['people']['rules'] = {
    ...people.rules,
    fields: { name: 'displayName' },
    positions: [{ unit: 'groups' }],
  };
  return { ...rest, people: { ...people, rules }, ...changes };
}

/** Twists the answer to the second page of users, or to those from one start on. */
const onPage =
  (start: number, twist: (list: Answer) => unknown): Twist =>
  ({ resource, startIndex }, list) =>
    resource === 'Users' && startIndex === start ? { body: twist(list) } : null;

describe('a SCIM server', () => {
  test('that caps its pages is read to the end', async () => {
    const { read } = twisted();
    const { people, evidence } = await read({ pageSize: 500 });
    expect(people).toHaveLength(25);
    expect(evidence.parts.at(-1)).toEqual({
      part: 'people',
      records: 25,
      pages: 3,
      end: 'totalResults 25, one less without one of them',
    });
    expect(
      server.asked
        .filter(({ resource }) => resource === 'Users')
        .map(({ startIndex, count }) => [startIndex, count]),
    ).toEqual([
      [1, 500],
      [10, 500],
      [19, 500],
      // Nothing stands behind the last one, and without one of them it is one less.
      [26, 500],
      [1, 1],
    ]);
  });

  test('is asked for what the filter leaves', async () => {
    const { people, units } = settings();
    await twisted().read({
      people: { ...people, filter: 'active eq true' },
      units: { ...units, filter: 'displayName sw "S"' },
    });
    expect(new Set(server.asked.map(({ resource, filter }) => `${resource} ${filter}`))).toEqual(
      new Set([
        'Groups displayName sw "S"',
        'Groups (displayName sw "S") and (id ne "g1")',
        'Users active eq true',
      ]),
    );
  });

  test('that writes numbers as text, names no start and no empty list is understood', async () => {
    const { read } = twisted(({ resource }, list) => ({
      body:
        resource === 'Groups'
          ? { totalResults: 0 }
          : { totalResults: String(list.totalResults), Resources: list.Resources },
    }));
    const { units, people } = await read();
    expect([units.length, people.length]).toEqual([0, 25]);
  });

  test('without active has active people; with active false they have left', async () => {
    twisted();
    server.lists = {
      Groups: [],
      Users: [...users(1), { ...users(2)[1], active: false }, { ...users(3)[2], active: 'False' }],
    };
    const { people } = await readAll(scimSource(settings()));
    expect(people.map(({ active }) => active)).toEqual([true, false, false]);
  });

  test('whose groups show their members gives a position for each member that is no group', async () => {
    const { read } = twisted();
    const { people } = settings();
    const { rows, evidence } = await read({
      people: { ...people, rules: { ...people.rules, positions: [] } },
      positions: { resource: 'Groups', rules: { person: 'member', unit: 'id', job_title: 'displayName' } },
    });
    expect(
      rows.map(
        ({ person, position }) =>
          `${person} ${position.unit} ${JSON.stringify(position.fields['job_title'])}`,
      ),
    ).toEqual(['a1 g1 "Sales"', 'a2 g1 "Sales"', 'a2 g2 "EMEA"']);
    expect(evidence.parts.find(({ part }) => part === 'positions')).toMatchObject({ records: 3, pages: 1 });
  });
});

describe('a list that is not whole', () => {
  test.each<[string, Twist, string, boolean]>([
    [
      'with more in totalResults than comes',
      (_, list) => ({ body: { ...list, totalResults: 26 } }),
      'list-incomplete',
      false,
    ],
    [
      'with less in totalResults than comes',
      (_, list) => ({ body: { ...list, totalResults: 15 } }),
      'list-changed',
      true,
    ],
    [
      'of which one goes and one comes, so that a third moves between pages,',
      ({ resource, startIndex }, list) =>
        resource === 'Users' && startIndex > 1
          ? { body: { ...list, Resources: users(26).slice(startIndex, startIndex + 10) } }
          : null,
      'list-changed',
      true,
    ],
    [
      'with the number of a page in totalResults',
      (_, list) => ({ body: { ...list, totalResults: (list.Resources as unknown[]).length } }),
      'list-incomplete',
      false,
    ],
    [
      'with one more behind the last one',
      onPage(26, (list) => ({ ...list, totalResults: 26, Resources: users(26).slice(25) })),
      'list-changed',
      true,
    ],
    [
      'with another total on a later page',
      onPage(10, (list) => ({ ...list, totalResults: 24 })),
      'list-changed',
      true,
    ],
    [
      'with a total that counts from startIndex',
      ({ resource, startIndex }, list) =>
        resource === 'Users' ? { body: { ...list, totalResults: 26 - startIndex } } : null,
      'list-changed',
      true,
    ],
    [
      'with the first page again',
      ({ resource, startIndex }, list) =>
        resource === 'Users' && startIndex > 1 ? { body: { ...list, Resources: users(10) } } : null,
      'list-incomplete',
      false,
    ],
    [
      'with a user without id',
      onPage(10, (list) => ({ ...list, Resources: [{ userName: 'x' }] })),
      'list-incomplete',
      false,
    ],
    ['without totalResults', onPage(10, ({ Resources }) => ({ Resources })), 'list-incomplete', false],
    [
      'answered by a page for people',
      ({ resource }) =>
        resource === 'Users' ? { body: '<!doctype html>', headers: { 'content-type': 'text/html' } } : null,
      'http-refused',
      false,
    ],
  ])('%s is incomplete', async (_, twist, code, isPassing) => {
    const { read } = twisted(({ ...asked }, list) =>
      asked.resource === 'Groups' ? null : twist(asked, list),
    );
    const failure = await read().catch((error: unknown) => error);
    expect(failure).toMatchObject({ problem: code, isPassing });
  });
});

const refusedBehind =
  (last: number, status = 400): Twist =>
  ({ resource, startIndex }) =>
    resource === 'Users' && startIndex > last ? { status, body: { detail: 'No such page' } } : null;

describe('behind the last record of a list', () => {
  test.each<[string, number, Twist]>([
    ['a server that has nothing counts nothing', 10, onPage(26, (list) => ({ ...list, totalResults: 0 }))],
    ['a server refuses to be asked after several pages', 25, refusedBehind(25)],
    ['a server fails after several pages', 25, refusedBehind(25, 500)],
    ['a server refuses to be asked after a page of fewer than it was asked for', 500, refusedBehind(25)],
  ])('%s: the list is whole', async (_, pageSize, twist) => {
    const { read } = twisted(twist);
    expect((await read({ pageSize })).people).toHaveLength(25);
  });

  test('a server is in trouble: the list is not whole', async () => {
    const { read } = twisted(({ resource, startIndex }) =>
      resource === 'Users' && startIndex > 25 ? { status: 403, body: {} } : null,
    );
    await expect(read()).rejects.toThrow(/\/Users answers 403/u);
  });
});

describe('a SCIM server in trouble', () => {
  test.each([429, 503])('that answers %s is asked again after the pause that it names', async (status) => {
    let left = 2;
    const { read, clock } = twisted(() =>
      left-- > 0 ? { status, headers: { 'retry-after': '7' }, body: '' } : null,
    );
    expect((await read()).people).toHaveLength(25);
    expect(clock.slept).toEqual([7_000, 7_000]);
  });

  test('that wants hours is not waited for', async () => {
    const { read, clock } = twisted(() => ({ status: 503, headers: { 'retry-after': '7200' }, body: '' }));
    await expect(read()).rejects.toThrow(problem('http-server', ' 7200 s; '));
    expect(clock.slept).toEqual([]);
  });

  test.each([
    [429, { detail: 'Slow down' }, /\/Groups answers 429: Slow down; it is asked again at the next run/u, 5],
    [
      400,
      { detail: 'Bad filter', scimType: 'invalidFilter' },
      /answers 400: Bad filter; check the filter; if the server takes none/u,
      1,
    ],
    [
      403,
      { detail: 'good-token may not' },
      /answers 403: \[secret\] may not; the token may not read this/u,
      1,
    ],
    [404, {}, /answers 404; check source\.url and resource/u, 1],
    [401, { detail: 'Expired' }, /answers 401: Expired; check source\.token/u, 1],
  ])('that answers %s to the end is named in its own words', async (status, body, sentence, times) => {
    const { read } = twisted(() => ({ status, body }));
    await expect(read()).rejects.toThrow(sentence);
    expect(server.asked).toHaveLength(times);
  });

  test('that sends us elsewhere is not followed', async () => {
    const { read } = twisted(() => ({ status: 302, headers: { location: 'https://other/scim' }, body: '' }));
    await expect(read()).rejects.toThrow(
      problem('http-refused', ' 302 to https://other/scim; ', 'source.url'),
    );
  });

  test('that is not there is named', async () => {
    const other = await startScim({});
    await other.close();
    const { read } = twisted();
    await expect(read({ url: other.url })).rejects.toThrow(
      problem('http-server', `${other.url}: `, 'ECONNREFUSED'),
    );
  });

  test('that is silent is given up', async () => {
    const silent = await startScim({});
    onTestFinished(() => silent.close());
    silent.isSilent = true;
    const { read } = twisted();
    const hanging = read({ url: silent.url, timeoutSeconds: 0.05 });
    await expect(hanging).rejects.toThrow(problem('http-server', ' 0.05 s; '));
  });

  test('is not asked further once we are told to stop', async () => {
    const controller = new AbortController();
    twisted(() => ({ status: 503, headers: { 'retry-after': '60' }, body: '' }));
    const read = await scimSource(settings()).open(controller.signal);
    const reading = collect(read.people());
    setTimeout(() => controller.abort(), 50);
    await expect(reading).rejects.toBeInstanceOf(StoppedError);
    await read.close();
  });
});

function tokenFile(text: string): { readonly file: string; readonly write: (text: string) => void } {
  const folder = scratchFolder('scim');
  onTestFinished(() => removeFolder(folder));
  const file = join(folder, 'token');
  const write = (one: string): void => writeFileSync(file, one);
  write(text);
  return { file, write };
}

describe('the token', () => {
  test('of a file is read again once where it is refused', async () => {
    const { file, write } = tokenFile('old\n');
    const { read } = twisted(({ resource, token, startIndex }) => {
      const isSecond = resource === 'Users' && startIndex > 1;
      if (isSecond) write('new');
      return isSecond && token === 'old' ? { status: 401, body: {} } : null;
    });
    expect((await read({ token: { file } })).people).toHaveLength(25);
    expect(server.asked.filter(({ resource }) => resource === 'Users').map(({ token }) => token)).toEqual([
      'old',
      'old',
      'new',
      'new',
      'new',
      'new',
    ]);
  });

  test('that is refused again ends the read, with two questions', async () => {
    const { file } = tokenFile('old');
    const { read } = twisted(() => ({ status: 401, body: {} }));
    await expect(read({ token: { file } })).rejects.toThrow(
      problem('http-refused', ' 401; ', 'source.token'),
    );
    expect(server.asked).toHaveLength(2);
  });

  test('of a command is what it prints', async () => {
    const { read } = twisted();
    await read({ token: { command: ['printf', 'printed\\n'] } });
    expect(new Set(server.asked.map(({ token }) => token))).toEqual(new Set(['printed']));
  });

  test.each<[string, Whole<ScimSettings>['token'], RegExp]>([
    [
      'a missing file',
      { file: '/nowhere/token' },
      /source\.token: \/nowhere\/token cannot be read: give a readable file/u,
    ],
    [
      'a failing command',
      { command: ['sh', '-c', 'echo secret-words; exit 3'] },
      /source\.token: the command, sh, failed \(\d+\): try it by hand/u,
    ],
    ['several lines', 'a\nb', /source\.token: has blanks or other characters/u],
    ['nothing', { command: ['true'] }, /source\.token: what true prints is empty/u],
  ])('from %s is told without what it is', async (_, token, sentence) => {
    const failure = await twisted()
      .read({ token })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringMatching(sentence) as string });
    expect(`${String(failure)}${JSON.stringify(failure)}`).not.toContain('secret-words');
  });
});

const identity = (changes: Partial<Whole<ScimSettings>>): unknown =>
  JSON.parse(scimSource(settings(changes)).identity);

describe('the identity of a SCIM server', () => {
  test('is its address, its lists and the rules of the ids', () => {
    expect(identity({ url: 'https://idp.example.com/scim/v2', pageSize: 1 })).toEqual({
      kind: 'scim',
      place: 'idp.example.com/scim/v2',
      unitId: 'Groups id',
      personId: 'Users id',
    });
  });
});
