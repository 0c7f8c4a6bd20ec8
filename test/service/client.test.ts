import { setMaxListeners } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AmbiguousError, RefusedError, ServiceError, StoppedError } from '../../src/domain/errors.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { answers, closing, serviceFor, worlds } from './odd-server.ts';

const { ok, raw, no, html, throttled, cutOff, droppedWithin, dropped, never, drip } = answers;
const { signal } = new AbortController();
setMaxListeners(0, signal);
const NODE = { id: '7', name: 'Root', type: 'CORP', org_code: 'acme', domain_id: 'dom' };

const open = closing();

const world = worlds(open);

const read = (service: Service) => service.organization('7', signal);
const change = (service: Service) => service.disableEmployee('9', signal);

test.each([
  ['an HTML page', html()],
  ['cut-off JSON', cutOff()],
  ['a body that ends too early', droppedWithin()],
  ['a dropped connection', dropped()],
  ['HTTP 500', raw('', 500)],
  ['429', throttled(429)],
  ['an envelope with 500', no(40_001, 'oops', 500)],
  ['a framework error page', raw('{"status":500,"error":"Internal Server Error"}', 500)],
])('a read goes on after %s', async (_, answer) => {
  const { service, seen } = await world([answer, answer, ok(NODE)]);
  await expect(read(service)).resolves.toMatchObject({ id: '7' });
  expect(seen).toHaveLength(3);
  expect(service.stats()).toMatchObject({ requests: 3, retries: 2 });
});

test.each([
  ['an HTML page', html(), 'service-foreign-answer'],
  ['cut-off JSON', cutOff(), 'service-foreign-answer'],
  ['a dropped connection', dropped(), 'service-cut-off'],
  ['a dropped answer', droppedWithin(), 'service-cut-off'],
  ['HTTP 502', raw('Bad Gateway', 502), 'service-foreign-answer'],
  ['a framework error page', no(500, 'oops', 500), 'service-in-trouble'],
])('a read that meets %s five times ends the run', async (_, answer, problem) => {
  const { service, seen } = await world([answer]);
  await expect(read(service)).rejects.toMatchObject({
    code: 'SERVICE',
    problem,
    message: expect.stringMatching(/^GET \/v1\/admin\/organizations\/acme\/7: /u) as string,
  });
  expect(seen).toHaveLength(5);
});

test('an answer of more than 64 MB is not read to its end, and not asked for again', async () => {
  const megabyte = ' '.repeat(1_048_576);
  let written = 0;
  const { service, seen } = await world([
    (response) => {
      const more = (): void => {
        for (let goesOn = true; goesOn && written < 200; written += 1) goesOn = response.write(megabyte);
        if (written < 200) response.once('drain', more);
        else response.end('{}');
      };
      more();
    },
  ]);
  await expect(read(service)).rejects.toMatchObject({ problem: 'service-answer-too-long' });
  expect([seen.length, written < 100]).toEqual([1, true]);
});

test.each([
  ['an HTML page', html()],
  ['a body that ends too early', droppedWithin()],
  ['a dropped connection', dropped()],
  ['429', throttled(429)],
  ['an HTML page with 302', html(302)],
])('a change that meets %s is sent once and ambiguous', async (_, answer) => {
  const { service, seen, reports } = await world([answer, ok(null)]);
  await expect(change(service)).rejects.toBeInstanceOf(AmbiguousError);
  expect(seen).toHaveLength(1);
  expect(reports).toMatchObject([{ outcome: 'failed', changing: true, retryInMs: null, attempt: 1 }]);
});

test.each([
  ['an envelope', no(208_507, 'organization still has employees'), 208_507],
  ['an envelope with HTTP 400', no(40_001, 'bad', 400), 40_001],
  ['an envelope with HTTP 500', no(40_001, 'bad', 500), 40_001],
  ['413 from a proxy', html(413), 413],
])('a change that is refused by %s was not done', async (_, answer, status) => {
  const { service, seen } = await world([answer]);
  const error = await service.deleteOrganization('7', signal).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RefusedError);
  expect(error).toMatchObject({ status });
  expect(seen).toHaveLength(1);
});

test('an answer that takes too long is no answer, also where bytes keep coming', async () => {
  const limits = { timeoutSeconds: 0.15 };
  for (const answer of [never(), drip()]) {
    const { service, seen } = await world([answer, ok(NODE)], { limits });
    await expect(change(service)).rejects.toMatchObject({
      problem: 'service-cut-off',
      message: expect.stringMatching(/ 0\.15 s\b/u) as string,
    });
    await expect(read(service)).resolves.toMatchObject({ id: '7' });
    expect(seen).toHaveLength(2);
  }
});

test('nobody listens: the change never left, so it is tried again, and then the service is down', async () => {
  const { server, service } = await world([ok(null)]);
  await server.close();
  open.splice(0, 1);
  await expect(change(service)).rejects.toMatchObject({ code: 'SERVICE', problem: 'service-unreachable' });
  expect(service.stats()).toMatchObject({ requests: 5, retries: 4 });
});

test('an unknown host is named as such', async () => {
  const service = serviceFor('http://nobody.invalid');
  open.push(service);
  await expect(read(service)).rejects.toMatchObject({ problem: 'service-unreachable' });
});

test('TLS where none is spoken is a mistake of the configuration, and not tried again', async () => {
  const { server } = await world([ok(null)]);
  const service = serviceFor(server.baseUrl.replace('http:', 'https:'));
  open.push(service);
  await expect(read(service)).rejects.toMatchObject({ problem: 'service-no-tls' });
  expect(service.stats().requests).toBe(1);
});

test('Retry-After in seconds holds back every call', async () => {
  const { service, clock, reports } = await world([throttled(429, '7'), ok(NODE)]);
  const begin = clock.now();
  await read(service);
  expect(clock.now() - begin).toBeGreaterThanOrEqual(7000);
  expect(reports).toMatchObject([
    { outcome: 'failed', attempt: 1, call: 'GET /v1/admin/organizations/{org_code}/{id}' },
    { outcome: 'done', attempt: 2, retryInMs: null },
  ]);
});

test('who asks to be left alone for an hour is left alone: the run ends', async () => {
  const { service, seen } = await world([throttled(503, '3600'), ok(NODE)]);
  await expect(read(service)).rejects.toMatchObject({ problem: 'service-long-pause' });
  await expect(read(service)).rejects.toBeInstanceOf(ServiceError);
  expect(seen).toHaveLength(1);
});

test('changes that are throttled stay in doubt, however many: the service is well', async () => {
  const { service } = await world([throttled(429)]);
  for (let call = 0; call < 8; call += 1)
    await expect(change(service)).rejects.toMatchObject({ code: 'AMBIGUOUS', throttled: true });
});

test('a change that gets a 429 was not done, and one that gets a 503 perhaps: the sentence says which', async () => {
  const { service } = await world([throttled(429), throttled(503)]);
  const words = await Promise.all(
    [1, 2].map(() => change(service).catch((error: unknown) => (error as Error).message)),
  );
  const text = words.toSorted((a, b) => String(a).localeCompare(String(b))).join('\n');
  await expect(text.replaceAll(/127\.0\.0\.1:\d+/gu, 'SERVICE')).toMatchFileSnapshot('screens/throttled.txt');
});

test.each([
  ['https://kim:pw@other.example/im/x?access_token=T0ken#f', 'to https://other.example/im/x, and'],
  ['/login?back=/v1', 'to /login, and'],
  ['//other.example/x', 'to http://other.example/x, and'],
  [undefined, 'to no address, and'],
])('a redirect to %s is called one, and says where it leads', async (location, words) => {
  const { service, seen } = await world([
    (response) => response.writeHead(302, location === undefined ? {} : { location }).end('<html></html>'),
  ]);
  const error = await read(service).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    problem: 'service-redirects',
    message: expect.stringContaining(words) as string,
  });
  expect(String(error)).not.toMatch(/pw|T0ken/u);
  expect(seen).toHaveLength(1);
});

test('after a 429 all calls go at half the pace', async () => {
  const { service, clock } = await world([throttled(429), ok(NODE)], { limits: { requestsPerSecond: 10 } });
  await read(service);
  const begin = clock.now();
  for (let call = 0; call < 10; call += 1) await read(service);
  expect(clock.now() - begin).toBeGreaterThanOrEqual(1700);
});

test('an error page of HTTP is told apart from a no of the service itself', async () => {
  const { service } = await world([raw('<html></html>', 403), no(1)]);
  await expect(change(service)).rejects.toMatchObject({ unheard: true });
  await expect(change(service)).rejects.toMatchObject({ unheard: false });
});

test('a token from the configuration that is refused ends the run', async () => {
  const { service, seen } = await world([no(10_011, 'token not found.')]);
  await expect(change(service)).rejects.toMatchObject({ problem: 'service-token-unknown' });
  expect(seen).toHaveLength(1);
});

test('a refused token is read again, once for all calls that were refused with it, and changes are repeated', async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'token-')), 'token');
  await writeFile(file, 'old\n');
  const { server, service } = await world(
    (response, seen) =>
      (seen.query.get('access_token') === 'new' ? ok(NODE) : no(10_011, 'token not found.', 401))(
        response,
        seen,
      ),
    { token: { file } },
  );
  await expect(read(service)).rejects.toMatchObject({ problem: 'service-token-unknown' });
  await writeFile(file, '  new \n');
  await expect(Promise.all([change(service), change(service), read(service)])).resolves.toBeDefined();
  const tokens = server.seen.map(({ query }) => query.get('access_token'));
  expect(tokens).toEqual(['old', 'old', 'old', 'old', 'old', 'new', 'new', 'new']);
});

test('a stop ends waiting and reading at once, but lets a change in flight come to its end', async () => {
  const { server, service } = await world(
    (response, seen) => (seen.method === 'GET' ? undefined : setTimeout(() => ok(null)(response, seen), 100)),
    { limits: { concurrency: 2 } },
    { clock: systemClock },
  );
  const stop = new AbortController();
  const changing = service.disableEmployee('1', stop.signal);
  const reading = service.organization('2', stop.signal);
  const waiting = service.disableEmployee('3', stop.signal);
  const ends = Promise.allSettled([changing, reading, waiting]);
  await systemClock.sleep(50, signal);
  stop.abort();
  const [changed, ...stopped] = await ends;
  expect(changed.status).toBe('fulfilled');
  for (const end of stopped) expect(end).toMatchObject({ reason: expect.any(StoppedError) as unknown });
  expect(server.seen).toHaveLength(2);
});

test('a signal that carries an error of ours throws that one', async () => {
  const { service, seen } = await world([ok(NODE)]);
  const lost = new ServiceError('The lease is lost.');
  await expect(service.root(AbortSignal.abort(lost))).rejects.toBe(lost);
  expect(seen).toHaveLength(0);
});

test('no more requests in flight at the server than the concurrency, no more in a second than the rate', async () => {
  let active = 0;
  let most = 0;
  const times: number[] = [];
  const limits = { requestsPerSecond: 40, concurrency: 2 };
  const { service } = await world(
    (response, seen) => {
      times.push(performance.now());
      active += 1;
      most = Math.max(most, active);
      setTimeout(() => {
        active -= 1;
        ok(NODE)(response, seen);
      }, 60);
    },
    { limits },
    { clock: systemClock },
  );
  await Promise.all(Array.from({ length: 60 }, () => read(service)));
  expect(most).toBe(2);
  const busiest = Math.max(
    ...times.map((t) => times.filter((other) => other >= t && other < t + 1000).length),
  );
  expect(busiest).toBeLessThanOrEqual(41);
});

test('a server that closes idle connections at any moment costs no change', async () => {
  const { server, service } = await world(
    (response, seen) => {
      ok(null)(response, seen);
      setTimeout(() => response.socket?.destroy(), 3);
    },
    { limits: { requestsPerSecond: 300, concurrency: 1 } },
    { clock: systemClock },
  );
  for (let call = 0; call < 100; call += 1) await change(service);
  expect(server.seen).toHaveLength(100);
});

test('reads share connections, a change has its own', async () => {
  const { service, seen } = await world([ok(NODE)], { limits: { concurrency: 1 } });
  for (const call of [read, read, change, read, change]) await call(service);
  expect(seen.map(({ connection }) => connection)).toEqual([1, 1, 2, 1, 3]);
});

test("the time is the service's, by the Date of its last answer", async () => {
  const date = 'Sat, 21 Nov 2020 06:00:00 GMT';
  const { service, clock } = await world([
    (response, seen) => ok(NODE)(response.setHeader('date', date), seen),
  ]);
  expect(service.now()).toBe(clock.now());
  await read(service);
  expect(service.now()).toBe(Date.parse(date));
  clock.set(clock.now() + 5000);
  expect(service.now()).toBe(Date.parse(date) + 5000);
});

test('a base URL with a path keeps it', async () => {
  const { server } = await world([ok(NODE)]);
  const service = serviceFor(`${server.baseUrl}/im/api/`);
  open.push(service);
  await service.root(signal);
  expect(server.seen[0]?.path).toBe('/im/api/v1/admin/organizations/acme');
});
