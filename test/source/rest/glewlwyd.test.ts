import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { openSource } from '../../../src/source/open-source.ts';
import { load, SERVICE } from '../../config/config-file.ts';
import { startGlewlwyd, type GlewlwydUser } from '../../servers/glewlwyd.ts';
import { hasServer } from '../../servers/install.ts';
import { throughout } from '../../servers/throughout.ts';
import { problem } from '../problem.ts';
import { readAll, type ReadResult } from '../source-contract.ts';
import { startRest } from './rest-server.ts';

const USERS: readonly GlewlwydUser[] = Array.from({ length: 44 }, (_, at) => ({
  username: `user${at + 10}`,
  name: at === 7 ? '林 小雨 "\\' : `User ${at}`,
  email: `user${at}@example.com`,
  enabled: at !== 9,
  department: at < 20 ? 'sales/研发部' : 'lab',
  title: at === 3 ? '9007199254740993' : `Title ${at}`,
}));

/** Reads by a file with this source. */
async function readBy(source: Readonly<Record<string, unknown>>): Promise<ReadResult> {
  const { settings } = load(SERVICE + stringify({ source: { type: 'rest', ...source } }));
  return readAll(openSource(settings.source));
}

describe.runIf(hasServer('glewlwyd'))('users of a real identity provider', () => {
  const provider = throughout(startGlewlwyd);
  beforeAll(() => provider.add(USERS));

  const read = async (limit: number, secret = provider.apiKey): Promise<ReadResult> =>
    readBy({
      url: provider.url,
      auth: { header: { Authorization: { prefix: 'token ', secret } } },
      pages: { offset: 'offset', size: { limit } },
      units: { distinct: 'department', separator: '/' },
      people: {
        get: '/user/',
        where: "username != 'admin'",
        fields: {
          id: 'username',
          username: 'username',
          name: 'name',
          email: 'email',
          active: 'enabled',
          positions: [{ unit: 'department', job_title: 'title' }],
        },
      },
    });

  // The administrator is one more, and out of scope.
  test.each([1, 7, 44, 45, 46, 100])('all come in pages of %i', async (limit) => {
    const { units, people, refusals, evidence } = await read(limit);
    const [admin, ...others] = people;
    expect([admin?.id, admin?.active]).toEqual(['admin', null]);
    const shown = others.map(({ id, active, fields, positions: [place] }) => ({
      username: id,
      name: fields['name'],
      email: fields['email'],
      enabled: active,
      department: place?.unit,
      title: place?.fields['job_title'],
    }));
    expect(shown).toEqual(USERS);
    expect(units.map(({ id }) => id).toSorted()).toEqual(['lab', 'sales', 'sales/研发部']);
    expect(evidence.parts).toMatchObject([{ part: 'people', records: 45, end: 'offset: an empty page' }]);
    expect([refusals, evidence.unknown]).toEqual([[], []]);
  });

  test('a key that the provider does not know is refused once', async () => {
    await expect(read(10, 'another')).rejects.toThrow(problem('http-refused'));
  });
});

describe.runIf(hasServer('glewlwyd'))('a client of a real identity provider', () => {
  const provider = throughout(startGlewlwyd);
  const rows = Array.from({ length: 25 }, (_, at) => ({ id: at + 1, name: `U ${at}`, unit: 'u' }));
  const server = throughout(async () => {
    const rest = await startRest({ people: rows });
    return { url: rest.url, asked: rest.asked, stop: async () => rest.close() };
  });

  const read = async (place: 'basic' | 'body', more: Readonly<Record<string, string>> = {}) => {
    const { tokenUrl, clients, scope } = provider;
    const { id, secret } = clients[place];
    const oauth = { tokenUrl, clientId: id, clientSecret: secret, scope, in: place, ...more };
    return readBy({
      url: server.url,
      auth: { oauth },
      pages: { next: 'Link', size: { limit: 10 } },
      units: { distinct: 'unit' },
      people: { get: '/people', items: '/data', fields: { id: 'id', username: 'id', name: 'name' } },
    });
  };

  test.each(['basic', 'body'] as const)('it names itself in %s, and reads with one token', async (place) => {
    const before = server.asked.length;
    expect((await read(place)).people).toHaveLength(25);
    const tokens = new Set(server.asked.slice(before).map(({ headers }) => headers.authorization));
    expect(tokens.size).toBe(1);
    const [token = ''] = tokens;
    expect(await provider.knows(token.replace('Bearer ', ''), place)).toBe(true);
    expect(await provider.knows(`${token.replace('Bearer ', '')}x`, place)).toBe(false);
  });

  test.each([{ clientSecret: 'wrong' }, { clientId: 'nobody' }, { scope: 'none' }, { in: 'body' }])(
    'it gets no token with %o, and asks for no list',
    async (wrong) => {
      const before = server.asked.length;
      await expect(read('basic', wrong)).rejects.toThrow(problem('no-token'));
      expect(server.asked).toHaveLength(before);
    },
  );
});
