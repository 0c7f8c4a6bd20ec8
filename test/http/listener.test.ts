import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '../../src/domain/errors.ts';
import {
  healthRoutes,
  openListener,
  type Health,
  type Listener,
  type Routes,
} from '../../src/http/listener.ts';

const LOOPBACK = { listen: { host: '127.0.0.1', port: 0 } };
const open: Listener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function listen(...routes: readonly Routes[]): Promise<string> {
  const listener = await openListener(LOOPBACK, routes);
  open.push(listener);
  return listener.address;
}

const echo: Routes = (app) => {
  app.post('/echo', (asked) => ({ got: asked.body }));
  app.get('/broken', () => {
    throw new Error('the password is hunter2');
  });
};

async function statusOf(address: string): Promise<number | undefined> {
  const asked = request(address, { agent: false }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

describe('a listener', () => {
  test('tells neither what it is nor why it failed, and knows no other paths', async () => {
    const address = await listen(echo);
    const none = await fetch(`${address}/nothing`);
    expect([none.status, await none.json()]).toEqual([404, { error: 'not found' }]);
    expect([...none.headers.keys()].toSorted()).not.toContain('server');
    expect(JSON.stringify([...none.headers])).not.toMatch(/fastify|node|rollcall/iu);
    const broken = await fetch(`${address}/broken`);
    expect([broken.status, await broken.json()]).toEqual([500, { error: 'failed' }]);
  });

  test('takes no body above 64 KB', async () => {
    const address = await listen(echo);
    const send = (bytes: number): Promise<Response> =>
      fetch(`${address}/echo`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify('x'.repeat(bytes)),
      });
    expect((await send(60_000)).status).toBe(200);
    expect((await send(10_000_000)).status).toBe(413);
  });

  test('hangs up where a request does not come to its end, and stops all the same', async () => {
    const address = new URL(await listen(echo));
    const socket = connect(Number(address.port), address.hostname);
    await once(socket, 'connect');
    socket.resume().on('error', () => undefined);
    socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n');
    const closed = new Promise((resolve) => socket.once('close', () => resolve('closed')));
    await open.splice(0)[0]?.close();
    await expect(closed).resolves.toBe('closed');
  });

  test('says what to do where it cannot listen', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const bound = taken.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
    await expect(openListener({ listen: { host: '127.0.0.1', port } }, [])).rejects.toThrow(
      new ConfigError(
        `http.listen: 127.0.0.1:${port} is in use by another program; stop it, or choose another port.`,
      ),
    );
    await expect(openListener({ listen: { host: '203.0.113.7', port: 0 } }, [])).rejects.toThrow(
      'is no address of this machine',
    );
    taken.close();
  });
});

/** Opens connections from one address of this machine, each of which says this and nothing more. */
async function crowd(address: string, { from, says }: Crowd): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(address);
  const sockets = Array.from({ length: 150 }, () =>
    connect({ host: hostname, port: Number(port), localAddress: from }).on('error', () => undefined),
  );
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.resume().write(says);
  return sockets;
}

const trouble = (): ReturnType<Health['trouble']> => ({ otherDaemon: true, reloadRefused: false });

interface Crowd {
  readonly from: string;
  readonly says: string;
}

describe('150 connections', () => {
  const SLOW_BODY = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n1';
  test.each([
    ['that are silent', '127.0.0.2', ''],
    ['that are silent, from the address that asks', '127.0.0.1', ''],
    ['with half of the headers', '127.0.0.2', 'GET /healthz HTTP/1.1\r\nHo'],
    ['with half of a body', '127.0.0.2', SLOW_BODY],
  ])('%s keep nobody out, and are closed', async (_, from, says) => {
    const health = healthRoutes({ isAlive: () => true, lastResult: () => 'ok', trouble });
    const listener = await openListener(LOOPBACK, [health, echo]);
    open.push(listener);
    const begun = performance.now();
    const sockets = await crowd(listener.address, { from, says });
    for (let n = 0; n < 3; n += 1) expect(await statusOf(`${listener.address}/healthz`)).toBe(200);
    expect(performance.now() - begun).toBeLessThan(3_000);
    for (const socket of sockets) if (!socket.closed) await once(socket, 'close');
    expect(performance.now() - begun).toBeLessThan(says === SLOW_BODY ? 12_000 : 7_000);
  });
});

test('a connection that has asked is closed where it asks nothing more', async () => {
  const { hostname, port } = new URL(await listen(echo));
  const socket = connect(Number(port), hostname);
  socket.resume().write('GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n');
  const begun = performance.now();
  await once(socket, 'close');
  expect(performance.now() - begun).toBeLessThan(6_000);
});

test('a host that nobody knows is named as what it is', async () => {
  const nowhere = { host: 'no.such.host.invalid', port: 0 };
  await expect(openListener({ ...LOOPBACK, listen: nowhere }, [])).rejects.toThrow(
    /http\.listen: .* is no host that is known/u,
  );
});

test('an address that is none is answered without the name of a program', async () => {
  const listener = await openListener(LOOPBACK, []);
  open.push(listener);
  const answer = await fetch(`${listener.address}/%`);
  expect([answer.status, await answer.text()]).toEqual([400, '{"error":"bad request"}']);
});

async function ask(health: Health): Promise<readonly unknown[]> {
  const address = await listen(healthRoutes(health));
  const answers = await Promise.all(['healthz', 'readyz'].map((path) => fetch(`${address}/${path}`)));
  const bodies = await Promise.all(answers.map((answer) => answer.json()));
  return [...answers.map(({ status }) => status), ...bodies];
}

describe('health', () => {
  test.each([
    [true, null, 200, 503],
    [true, 'ok', 200, 200],
    [true, 'held', 200, 200],
    [true, 'failed', 200, 503],
    [true, 'stopped', 200, 503],
    [false, 'ok', 503, 200],
  ])('alive %s, last run %s: %i and %i', async (alive, lastRun, healthz, readyz) => {
    const answers = await ask({ isAlive: () => alive, lastResult: () => lastRun, trouble });
    expect(answers).toEqual([healthz, readyz, { alive }, { ready: readyz === 200, lastRun, ...trouble() }]);
  });
});
