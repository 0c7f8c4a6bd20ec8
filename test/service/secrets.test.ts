import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { RollcallError, ServiceError } from '../../src/domain/errors.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { textScrubber } from '../../src/service/calls/client.ts';
import { fromCommand } from '../../src/lib/read-secret.ts';
import { Token } from '../../src/service/calls/token.ts';
import { answers, closing, oddServer, serviceFor, TOKEN, worlds, type Answer } from './odd-server.ts';

const { ok, raw, no, html, throttled, cutOff, droppedWithin, dropped, never } = answers;
const { signal } = new AbortController();
const SECRET = 'P4ssw0rd/of+Ann';

const open = closing();
const world = worlds(open);

/** Everything a logger could get out of an error. */
function everythingOf(error: unknown): string {
  const hidden = inspect(error, { depth: Infinity, showHidden: true, getters: true });
  const chain: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause)
    chain.push(at.message, String(at.stack), JSON.stringify(at));
  return [hidden, ...chain].join('\n');
}

function expectNoSecret(text: string): void {
  for (const secret of [TOKEN, SECRET]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(encodeURIComponent(secret));
  }
}

const calls: readonly ((service: Service) => Promise<unknown>)[] = [
  (service) => service.root(signal),
  (service) => service.organization('7', signal),
  (service) => service.employees(['ann'], signal),
  (service) => service.users(null, signal)[Symbol.asyncIterator]().next(),
  (service) => service.contents('7', signal),
  (service) => service.employee('7', signal),
  (service) => service.deleteOrganization('7', signal),
  (service) =>
    service.modifyEmployee('7', { fields: { name: 'Ann', id_card: SECRET }, positions: [] }, signal),
  (service) =>
    service.importEmployees(
      [
        {
          username: 'ann',
          fields: { name: 'Ann', password: SECRET, source_identifiers: { card: SECRET } },
          positions: [],
        },
      ],
      signal,
    ),
];

const talkative: Answer = (response, seen) =>
  raw(JSON.stringify({ status: 1, message: `bad: ${seen.url} ${seen.body}` }))(response, seen);
const echoing: Answer = (response, seen) =>
  ok({
    successes: {},
    failures: { ann: `no password like ${SECRET} with ${seen.query.get('access_token')}` },
  })(response, seen);

test.each([
  ['refuses', no(1, `no ${TOKEN}`)],
  ['repeats the request in its refusal', talkative],
  ['repeats the request in a framework error page', raw(`{"status":500,"message":"${TOKEN}"}`, 500)],
  ['does not know the token', no(10_011, `token ${TOKEN} not found.`)],
  ['answers with HTML', html()],
  [
    'redirects to a URL with the token',
    (response, seen) => html(302)(response.setHeader('location', `https://x/${seen.url}`), seen),
  ],
  ['answers 404', html(404)],
  ['throttles', throttled(429)],
  ['asks for an hour', throttled(503, '3600')],
  ['cuts its JSON off', cutOff()],
  ['drops its answer', droppedWithin()],
  ['drops the connection', dropped()],
  ['answers nothing', never()],
  ['answers another shape', ok({ unexpected: TOKEN })],
  ['answers with text', raw(`GET /v1/users?access_token=${TOKEN}`, 502)],
  ['repeats secrets in failures', echoing],
] as const satisfies readonly (readonly [string, Answer])[])(
  'a service that %s does not bring the token or a password into errors and reports',
  async (_, answer) => {
    const { service, reports } = await world(answer, { limits: { timeoutSeconds: 0.05 } });
    const ends = await Promise.allSettled(calls.map((call) => call(service)));
    const thrown = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    expect(thrown.length).toBeGreaterThan(0);
    for (const error of thrown) expect(error).toBeInstanceOf(RollcallError);
    expectNoSecret(JSON.stringify(ends));
    expectNoSecret(thrown.map(everythingOf).join('\n'));
    expectNoSecret(JSON.stringify(reports));
  },
);

test('nor does a service that is not there, or whose TLS is not trusted', async () => {
  const server = await oddServer(ok(null));
  await server.close();
  for (const baseUrl of [server.baseUrl, server.baseUrl.replace('http', 'https'), 'http://nobody.invalid']) {
    const service = serviceFor(baseUrl);
    open.push(service);
    const ends = await Promise.all(calls.map((call) => call(service).catch(everythingOf)));
    expect(ends.join('\n')).toContain('ServiceError');
    expectNoSecret(ends.join('\n'));
  }
});

test('the service’s words become one line of bearable length', () => {
  expect(textScrubber([])(' two\nlines\u0007 ')).toBe('two lines');
  expect(textScrubber([])('x'.repeat(2000)).length).toBeLessThan(600);
});

const HARD = 'P"q\\z<Z>\'é &/+1001';
const inHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
const inAscii = (text: string): string =>
  text.replaceAll(/[<>&'\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

test.each([
  ['plain', HARD],
  ['JSON', JSON.stringify(HARD).slice(1, -1)],
  ['JSON in JSON', JSON.stringify(JSON.stringify(HARD)).slice(3, -3)],
  ['JSON of ASCII alone', inAscii(JSON.stringify(HARD)).slice(1, -1)],
  [
    'JSON with escaped slashes',
    JSON.stringify(HARD)
      .slice(1, -1)
      .replaceAll('/', String.raw`\/`),
  ],
  ['HTML', inHtml(HARD)],
  ['a URL', encodeURIComponent(HARD)],
  ['a form', new URLSearchParams({ '': HARD }).toString().slice(1)],
  ['Base64', Buffer.from(HARD).toString('base64')],
  ['Base64 of a URL', Buffer.from(HARD).toString('base64url')],
  ['Base64 in a URL', encodeURIComponent(Buffer.from(HARD).toString('base64'))],
] as const)('a secret that is spelled as in %s is hidden', (_, spelled) => {
  expect(textScrubber([HARD])(`no "${spelled}" here`)).toBe('no "(secret)" here');
});

test('Base64 of more than the secret shows nothing of it', () => {
  for (const before of ['', 'a', 'ab', 'abc']) {
    const all = Buffer.from(`${before}${SECRET}xyz`).toString('base64');
    const left = textScrubber([SECRET])(all).replace('(secret)', ' ');
    expect(left.length).toBeLessThan(12);
  }
});

test('secrets within secrets, and those that overlap, leave no rest', () => {
  expect(textScrubber(['1001-19', 'pw1001-19'])('has pw1001-19.')).toBe('has (secret).');
  expect(textScrubber(['first-mid', 'mid-last'])('has first-mid-last.')).toBe('has (secret).');
  expect(textScrubber(['abab'])('has ababab.')).toBe('has (secret).');
});

test('a short secret is hidden where it stands alone, and leaves other words whole', () => {
  const clean = textScrubber(['17', 'a', '']);
  expect(clean('id_card 17 of ann2017, {"id_card":"17"}, 17, MTc=')).toBe(
    'id_card (secret) of ann2017, {"id_card":"(secret)"}, (secret), (secret)',
  );
});

test.each([
  [String.raw`{"id_card": "x\"y", "password":"P4ss`, '{"id_card": "(secret)", "password":"(secret)"'],
  ['{"source_identifiers":{"a":"x}y","b":"z"},"name":"A"}', '{"source_identifiers":"(secret)","name":"A"}'],
  ['{"source_identifiers": {"a":"hal', '{"source_identifiers": "(secret)"'],
  ['{"source_credentials":"c","city":"X"}', '{"source_credentials":"(secret)","city":"X"}'],
])('what stands under the name of a secret is hidden, also where it is cut off: %s', (words, shown) => {
  expect(textScrubber([])(`bad ${words}`)).toBe(`bad ${shown}`);
});

test('a token comes from a command, trimmed; what the command says stays unsaid', async () => {
  await expect(new Token({ command: ['/bin/echo', ' from-echo '] }).get()).resolves.toBe('from-echo');
  const failing = new Token({ command: ['/bin/sh', '-c', `echo ${SECRET}; echo ${SECRET} >&2; exit 3`] });
  const error = await failing.get().catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('/bin/sh, failed (3)');
  expectNoSecret(everythingOf(error));
  const missing = new Token({ command: ['/nowhere/get-token', SECRET] });
  const gone = await missing.get().catch((thrown: unknown) => thrown);
  expect(String(gone)).toContain('ENOENT');
  expectNoSecret(everythingOf(gone));
});

const shell = (script: string): readonly string[] => ['/bin/sh', '-c', script];

test.each([
  ['prints two lines', `printf '${SECRET}\\nx'`, 'has several lines'],
  ['prints JSON', `echo '{"access_token":"${SECRET}"}'`, 'is JSON'],
  ['prints without end', `yes ${SECRET}`, 'prints more than 65536 bytes'],
  ['is killed', 'kill -KILL $$', 'failed (SIGKILL)'],
])('a command for the token that %s is named by what is wrong', async (_, script, words) => {
  const error = await new Token({ command: shell(script) }).get().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ServiceError);
  expect(String(error)).toContain(words);
  expectNoSecret(everythingOf(error));
});

describe('a command for the token', () => {
  test('that ignores SIGTERM ends at the limit, and what it has started as well', async () => {
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'token-')), 'pids');
    const script = `trap '' TERM HUP; sleep 60 & echo $! > ${file}; wait`;
    await expect(fromCommand(shell(script), 500)).rejects.toThrow(/ 0\.5 s\b/u);
    const started = (await readFile(file, 'utf8')).trim();
    await expect.poll(() => isAlive(started)).toBe(false);
  });

  test('that leaves somebody behind who holds its output open answers all the same', async () => {
    await expect(fromCommand(shell('sleep 60 & echo token'), 5_000)).resolves.toBe('token\n');
  });
});

/** Whether a process runs; one that has ended may wait for its parent to take note. */
async function isAlive(pid: string): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State:\tX');
  return !/^State:\t[XZ]/mu.test(status);
}

test('a token that is empty or cannot be read ends the run with a sentence', async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'token-')), 'token');
  await expect(new Token({ file }).get()).rejects.toMatchObject({
    problem: 'service-token-unreadable',
    message: expect.stringContaining(`${file} cannot`) as string,
  });
  await writeFile(file, ' \n');
  await expect(new Token({ file }).get()).rejects.toMatchObject({
    problem: 'service-token-unreadable',
    message: expect.stringContaining('is empty') as string,
  });
  const service = serviceFor('http://127.0.0.1:1', { token: { file } });
  open.push(service);
  await expect(service.root(signal)).rejects.toBeInstanceOf(ServiceError);
  expect(service.stats().requests).toBe(0);
});

test('a token that could not be read is read again for the next call', async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'token-')), 'token');
  const { service } = await world(ok({ id: '1' }), { token: { file } }, { clock: systemClock });
  await expect(service.root(signal)).rejects.toBeInstanceOf(ServiceError);
  await writeFile(file, 'now');
  await expect(service.root(signal)).resolves.toMatchObject({ id: '1' });
});

test('one reading that many calls were refused with is made anew once, even where it brings the same token', async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'token-')), 'token');
  await writeFile(file, 'old');
  const token = new Token({ file });
  const [first, second] = [token.get(), token.get()];
  await first;
  token.renew(first);
  const again = token.get();
  await expect(again).resolves.toBe('old');
  await writeFile(file, 'new');
  token.renew(second);
  expect(token.get()).toBe(again);
  token.renew(again);
  await expect(token.get()).resolves.toBe('new');
});
