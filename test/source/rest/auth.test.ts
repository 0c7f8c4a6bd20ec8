import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SourceError } from '../../../src/domain/errors.ts';
import type { Raw } from '../../../src/schema/raw.ts';
import type { Source } from '../../../src/domain/reading/source.ts';
import { Refusals } from '../../../src/source/connect/refusals.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { FakeClock } from '../../doubles/fake-clock.ts';
import { makeClientCertificate, makePrivateCa, type PrivateCa } from '../../servers/private-ca.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { startProxy } from '../../service/proxy.ts';
import { restSource } from '../open-one.ts';
import { problem } from '../problem.ts';
import { readAll, type ReadResult } from '../source-contract.ts';
import { startRest, type Asked, type Reply, type RestServer } from './rest-server.ts';
import { crowdLists, crowdSettings } from './rest-world.ts';

const folder = scratchFolder('rest');
const file = join(folder, 'secret');
const SECRET = 'wörds of "a" s3cret';
const TOKEN = 'first-t0ken';

let server: RestServer;
beforeAll(async () => void (server = await startRest(crowdLists(25))));
beforeEach(() => {
  server.reset();
  server.secret = SECRET;
  server.token = TOKEN;
  writeFileSync(file, `${TOKEN}\n`);
});
afterAll(async () => {
  await server.close();
  removeFolder(folder);
});

const source = (auth: Raw, changes: Raw = {}): Source =>
  restSource(crowdSettings(server.url, 'offset', { auth, ...changes }), new FakeClock({ auto: true }));
const peopleOf = async (auth: Raw, changes?: Raw): Promise<number> =>
  (await readAll(source(auth, changes))).people.length;

const FILE = { command: ['cat', file] };
const login = (how: Raw): Raw => ({
  login: {
    post: '/login',
    body: { client_id: 'us', client_secret: '{secret}' },
    secret: SECRET,
    token: '/data/token',
    ...how,
  },
});
const oauth = (how: Raw): Raw => ({
  oauth: { tokenUrl: server.tokenUrl, clientId: 'us', clientSecret: SECRET, ...how },
});
const BY_GET = {
  post: undefined,
  body: undefined,
  get: '/gettoken',
  query: { appkey: 'us', appsecret: '{secret}' },
  token: '/access_token',
};

/** Each kind of credentials, and what a request shows of them. */
const KINDS: readonly [string, () => Raw, (asked: Asked) => unknown][] = [
  ['bearer', () => ({ bearer: FILE }), ({ headers }) => headers.authorization?.replace('Bearer ', '')],
  ['a header', () => ({ header: { 'X-Api-Key': FILE } }), ({ headers }) => headers['x-api-key']],
  [
    'a header with a prefix',
    () => ({ header: { Authorization: { prefix: 'Bearer ', secret: FILE } } }),
    ({ headers }) => headers.authorization?.replace('Bearer ', ''),
  ],
  [
    'basic',
    () => ({ basic: { user: 'us', password: FILE } }),
    ({ headers }) => Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString(),
  ],
  ['oauth', () => oauth({ scope: 'people' }), ({ headers }) => headers.authorization?.replace('Bearer ', '')],
  [
    'oauth in the body',
    () => oauth({ in: 'body' }),
    ({ headers }) => headers.authorization?.replace('Bearer ', ''),
  ],
  ['a login', () => login({ as: 'bearer' }), ({ headers }) => headers.authorization?.replace('Bearer ', '')],
  [
    'a login for a header',
    () => login({ as: { header: 'X-Api-Key' } }),
    ({ headers }) => headers['x-api-key'],
  ],
  [
    'a login for the query',
    () => login({ ...BY_GET, as: { query: 'access_token' } }),
    ({ values }) => values['access_token'],
  ],
];

describe.each(KINDS)('credentials as %s', (kind, auth, shownIn) => {
  const own = kind === 'basic' ? (token: string) => `us:${token}` : (token: string) => token;
  beforeEach(() => void (server.token = own(TOKEN)));

  test.each(['401', 'a code'])('are got anew if a read ends with them in its middle by %s', async (how) => {
    const ok = { at: '/code', is: ['0'], words: '/msg', renew: ['401'] };
    server.isEnveloped = how === 'a code';
    let isOver = false;
    server.before = ({ start }) => {
      if (isOver || start === 0) return;
      isOver = true;
      server.token = own('second-t0ken');
      writeFileSync(file, 'second-t0ken');
    };
    expect(await peopleOf(auth(), server.isEnveloped ? { ok } : {})).toBe(25);
    const shown = new Set(server.asked.map(shownIn));
    expect([shown.size, shown.has(server.token)]).toEqual([2, true]);
    expect(server.logins.length).toBe(/oauth|login/u.test(kind) ? 2 : 0);
  });

  test.each(['wrong', 'taken'])('that are %s stand in no word of a failure', async (how) => {
    if (how === 'wrong') [server.token, server.secret] = ['another', 'another'];
    server.twist = ({ url, headers, values, start }, { status = 200 }) => {
      if (status === 200 && start === 0) return null;
      const said = `${url} ${JSON.stringify({ ...headers, ...values })}`;
      return {
        status: status === 200 ? 400 : status,
        body: { message: said, error: said, error_description: said },
      };
    };
    const failure = await peopleOf(auth()).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      problem: expect.stringMatching(/^(?:http-refused|no-token|no-login)$/u) as string,
    });
    const told = `${String(failure)} ${JSON.stringify(failure)} ${(failure as Error).stack}`;
    const basic = Buffer.from(own(TOKEN)).toString('base64');
    const words = [SECRET, TOKEN, encodeURIComponent(SECRET), basic, 't0ken-1'];
    expect(words.filter((word) => told.includes(word))).toEqual([]);
  });
});

test.each<[string, () => Raw]>([
  ['a login', () => login({ as: 'bearer' })],
  ['basic', () => ({ basic: { user: 'us', password: SECRET } })],
])('a secret of %s that was refused is not tried each minute', async (_, auth) => {
  server.secret = 'another';
  const from = source(auth());
  await expect(readAll(from)).rejects.toThrow(SourceError);
  const before = server.asked.length + server.logins.length;
  expect(before).toBe(1);
  await expect(readAll(from)).rejects.toThrow(problem('source-secret-early'));
  expect(server.asked.length + server.logins.length).toBe(before);
});

test('a login with a mistake is tried at once when that is corrected', async () => {
  const refusals = new Refusals(() => Date.now());
  const readBy = (how: Raw): Promise<ReadResult> =>
    readAll(openSource(crowdSettings(server.url, 'offset', { auth: login(how) }), { refusals }));
  const wrong = { as: 'bearer', body: { id: 'another' } };
  await expect(readBy(wrong)).rejects.toThrow(problem('no-login'));
  await expect(readBy(wrong)).rejects.toThrow(problem('source-secret-early'));
  expect((await readBy({ as: 'bearer' })).people).toHaveLength(25);
});

const SLOW = { body: { code: 'slow' } };

test.each<[what: string, problem: string, answer: Reply]>([
  [
    'a page for people',
    'login-failed',
    { body: '<!doctype html>', headers: { 'content-type': 'text/html' } },
  ],
  ['a redirect', 'login-failed', { status: 302, headers: { location: '/' }, body: {} }],
  ['no token', 'login-failed', { body: { code: '0' } }],
  ['a code that wants a pause', 'login-failed', SLOW],
  ['a server that is down', 'http-server', { status: 503, body: {} }],
])('a login that is answered by %s refuses no secret', async (_, code, answer) => {
  const ok = { at: '/code', is: ['0', ''], wait: ['slow'] };
  const from = source(login({ as: 'bearer' }), { ok });
  server.twist = ({ list }) => (list === 'login' ? answer : null);
  await expect(readAll(from)).rejects.toThrow(problem(code));
  expect(server.logins.length).toBe(answer === SLOW ? 5 : 1);
  server.twist = () => null;
  expect((await readAll(from)).people).toHaveLength(25);
});

describe('a server with a certificate of a private authority', () => {
  let ca: PrivateCa;
  let secure: RestServer;
  const environment = { ...process.env };
  beforeAll(async () => {
    ca = makePrivateCa(folder);
    secure = await startRest(crowdLists(5), { ...ca, clientCa: ca.caFile });
  });
  beforeEach(() => secure.reset());
  afterEach(() => void (process.env = { ...environment }));
  afterAll(() => secure.close());

  const read = async (tls: Raw): Promise<number> => {
    const settings = crowdSettings(secure.url, 'offset', { tls, auth: { bearer: TOKEN } });
    return (await readAll(restSource(settings, new FakeClock({ auto: true })))).people.length;
  };

  test('is read with the authority and a certificate of the client, also through a proxy', async () => {
    const tls = { caFile: ca.caFile, ...makeClientCertificate(folder, 'client') };
    expect(await read(tls)).toBe(5);
    const proxy = await startProxy();
    Object.assign(process.env, { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: '', no_proxy: '' });
    expect(await read(tls)).toBe(5);
    await proxy.close();
    expect(new Set(proxy.asked.map(({ target }) => `https://${target}/api`))).toEqual(new Set([secure.url]));
  });

  test('gets no token if either is missing', async () => {
    await expect(read({})).rejects.toThrow(problem('http-server', 'source.tls.caFile'));
    await expect(read({ caFile: ca.caFile })).rejects.toThrow(problem('http-server'));
    expect(secure.asked).toEqual([]);
  });
});
