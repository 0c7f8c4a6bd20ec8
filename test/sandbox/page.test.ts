import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { shownBody } from '../../src/sandbox/http/call-log.ts';
import { developer } from './developer.ts';
import { open, person, type Wire } from './wire-client.ts';

interface Told {
  readonly http: number;
  readonly text: string;
}

/** Sends a request with headers that `fetch` does not let a test choose. */
async function ask(
  { sandbox }: Wire,
  path: string,
  { method = 'GET', headers = {}, body = '' } = {},
): Promise<Told> {
  const sent = request(new URL(path, sandbox.baseUrl), { method, headers });
  const answered = new Promise<Told>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      void text(response).then((whole) => resolve({ http: response.statusCode ?? 0, text: whole }));
    });
  });
  sent.end(body);
  return answered;
}

const see = async (wire: Wire, path: string): Promise<Record<string, unknown>> =>
  JSON.parse((await ask(wire, `/sandbox/${path}`)).text) as Record<string, unknown>;

test('the page lets in its own files only, and is no call of the interface', async () => {
  const { sandbox } = await open({ faults: 'rate=1,kinds=500' });
  const response = await fetch(sandbox.baseUrl);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self';/u,
  );
  expect(await response.text()).not.toMatch(/https?:|style=|\bon\w+=|<script>/u);
  expect(sandbox.calls).toEqual([]);
});

test.each([
  '/sandbox/script/../sandbox.ts',
  '/sandbox/script/sandbox/sandbox.ts',
  '/sandbox/toString',
  '/sandbox/media?id=..',
])('there is nothing at %s', async (path) => {
  const wire = await open();
  expect((await ask(wire, path)).http).toBe(404);
});

test.each([
  ['localhost', 200],
  ['127.0.0.1:1', 200],
  ['[::1]:80', 200],
  ['evil.example', 403],
  ['127.0.0.1.evil.example', 403],
])('a request to the host "%s" is answered with %d', async (host, http) => {
  const wire = await open();
  expect((await ask(wire, '/sandbox/people', { headers: { host } })).http).toBe(http);
  expect((await ask(wire, '/', { headers: { host } })).http).toBe(http);
});

test('people are found by name, username and id, page by page', async () => {
  const wire = await open();
  const names = Array.from({ length: 120 }, (_, index) => `user${index}`);
  const ids = await wire.people(wire.sandbox.rootId, ...names, 'ann');
  expect(await see(wire, 'people?search=name+OF+ANN')).toMatchObject({
    total: 1,
    rows: [{ username: 'ann', name: 'Name of ann', locked: false, positions: ['/Root'] }],
  });
  expect(await see(wire, `people?search=${ids['user7']}`)).toMatchObject({ rows: [{ username: 'user7' }] });
  const last = await see(wire, 'people?page=99');
  expect(last).toMatchObject({ total: 121, page: 2, pages: 3 });
  expect(last['rows']).toHaveLength(21);
});

test('calls are shown with their bodies, but without a secret', async () => {
  const wire = await open();
  const more = {
    password: 'S3cret',
    source_credentials: 'Cr3dential',
    id_card: '1234567',
    source_identifiers: { card: '00471' },
  };
  await wire.post(`${wire.org}/import-employees`, [person('ann', wire.sandbox.rootId, more)]);
  const [call] = JSON.parse((await ask(wire, '/sandbox/calls')).text) as [Record<string, unknown>];
  expect(call).toMatchObject({ number: 1, operation: 'importEmployees', outcome: '200, status 0' });
  expect(call['ms']).toBeTypeOf('number');
  const bodies = await see(wire, 'call?number=1');
  expect(bodies['request']).toContain('"username":"ann"');
  expect(bodies['answer']).toContain('"status":0');
  const all = await Promise.all(
    ['calls', 'call?number=1', 'people', 'overview', 'units'].map((path) => ask(wire, `/sandbox/${path}`)),
  );
  const everything = all.map((one) => one.text).join('');
  expect(everything).not.toMatch(/S3cret|Cr3dential|1234567|00471|sandbox-token|sandbox-app-token/u);
});

test('characters that nobody sees are escaped as on the page of a plan, and a username is sent back as it is', async () => {
  const wire = await open();
  const blank = 'a\u2800b\u3164c\u00ADd\u202Ee';
  const seen = String.raw`a\u2800b\u3164c\xadd\u202ee`;
  const root = wire.sandbox.rootId;
  await wire.post(`${wire.org}/import-employees`, [person(blank, root, { name: blank })]);
  await wire.node(blank);
  const body = { type: 'text', body: { content: `${blank}\n2` }, usernames: [blank] };
  await wire.post('/v1/apps/mbox', body);
  expect((await see(wire, 'people'))['rows']).toMatchObject([{ username: seen, name: seen }]);
  expect((await see(wire, `units?of=${root}`))['rows']).toMatchObject([{ name: seen }]);
  expect((await see(wire, 'messages'))['rows']).toMatchObject([
    { shown: `${seen}\n2`, recipients: [{ username: seen, sentAs: blank }] },
  ]);
  expect((await see(wire, 'call?number=1'))['request']).toContain(seen);
});

test('the bodies of 200 calls are kept, not of more', async () => {
  const wire = await open();
  for (let number = 1; number <= 205; number += 1) await wire.get(`${wire.org}/view`);
  expect(JSON.parse((await ask(wire, '/sandbox/calls')).text)).toHaveLength(200);
  expect((await ask(wire, '/sandbox/call?number=5')).http).toBe(404);
  expect((await ask(wire, '/sandbox/call?number=6')).http).toBe(200);
});

test.each([
  ['{"password": {"a": [1, "x"]}, "b": "y"}', '{"password":"[secret]", "b": "y"}'],
  [String.raw`{"pass\u0077ord":"x"}`, String.raw`{"pass\u0077ord":"[secret]"}`],
  ['[{"a":{"app_token":"x","c":2}}]', '[{"a":{"app_token":"[secret]","c":2}}]'],
  ['{"a":"password","b":"\\"c"}', '{"a":"password","b":"\\"c"}'],
  ['{"source_identifiers":{"card":"00123"}}', '{"source_identifiers":"[secret]"}'],
  ['{"sourceIdentifiers":["00123"],"b":1}', '{"sourceIdentifiers":"[secret]","b":1}'],
  ["{'password': 'x'}", '(no JSON, 17 characters)'],
  ['password=x', '(no JSON, 10 characters)'],
  ['', ''],
])('of the body %s is shown %s', (body, seen) => {
  expect(shownBody(body)).toBe(seen);
});

test('a long body is cut, also within a secret', () => {
  const cut = shownBody(`{"a":"${'x'.repeat(9000)}"}`);
  expect(cut).toHaveLength(4096 + ' … (9008 characters)'.length);
  expect(shownBody(`{"a":"${'x'.repeat(4050)}","password":"${'y'.repeat(99)}"}`)).not.toContain('yy');
});

const JSON_TYPE = { 'content-type': 'application/json' };

test('what a person answers goes to the callback address, whole', async () => {
  const { came, url } = await developer(202);
  const wire = await open({ callback: { url, mode: 'plain' } });
  await wire.people(wire.sandbox.rootId, 'ann');
  const headers = { ...JSON_TYPE, origin: wire.sandbox.baseUrl, 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ username: 'ann', text: ' approve 1a2b3c…\n"<ok>" ' });
  const told = await ask(wire, '/sandbox/answer', { method: 'POST', headers, body });
  expect(JSON.parse(told.text)).toEqual({ http: 202, reply: '{"status":0,"message":"ok"}' });
  const { message } = JSON.parse(came[0]?.body ?? '') as { message: string };
  expect(JSON.parse(message)).toMatchObject({
    msg_type: 'text',
    from_user_name: 'ann',
    from_user: wire.sandbox.state.user('ann')?.id,
    content: ' approve 1a2b3c…\n"<ok>" ',
  });
});

test.each([
  ['another site', { ...JSON_TYPE, origin: 'http://evil.example' }],
  ['another port', { ...JSON_TYPE, origin: 'http://127.0.0.1:1' }],
  ['nobody', JSON_TYPE],
  ['a form', { 'content-type': 'text/plain', origin: 'own' }],
  ['a browser that says so', { ...JSON_TYPE, origin: 'own', 'sec-fetch-site': 'cross-site' }],
])('an answer that comes from %s is not sent', async (_, given) => {
  const { came, url } = await developer();
  const wire = await open({ callback: { url } });
  const origin = 'origin' in given && given.origin !== 'own' ? given.origin : wire.sandbox.baseUrl;
  const headers = 'origin' in given ? { ...given, origin } : given;
  const body = '{"username":"ann","text":"approve"}';
  expect((await ask(wire, '/sandbox/answer', { method: 'POST', headers, body })).http).toBe(403);
  expect(came).toEqual([]);
});

test.each([
  '',
  '{"username":"ann"}',
  '{"username":"","text":"x"}',
  'null',
  `{"text":"${'x'.repeat(70_000)}"}`,
])('an answer without username or text is told so: %#', async (body) => {
  const wire = await open({ callback: { url: 'http://127.0.0.1:9/' } });
  const headers = { ...JSON_TYPE, origin: wire.sandbox.baseUrl };
  const told = await ask(wire, '/sandbox/answer', { method: 'POST', headers, body });
  expect(JSON.parse(told.text)).toEqual({ problem: 'An answer needs a username and a text.' });
  expect(wire.sandbox.callbacks).toEqual([]);
});
