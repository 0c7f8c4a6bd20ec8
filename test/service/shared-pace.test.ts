import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { openTurns } from '../../src/service/pace/open-turns.ts';
import { SharedTurns, windowOf } from '../../src/service/pace/shared-turns.ts';
import { FakeClock } from '../doubles/fake-clock.ts';
import { compiled } from '../runtime/compiled.ts';
import { hasServer } from '../servers/install.ts';
import { REDIS_PASSWORD, startRedis, type Redis } from '../servers/redis.ts';
import { started, type Listening } from './file-server.ts';
import { settingsFor } from './odd-server.ts';

const PROCESSES = 2;
const CALLS = 15;
const A_SECOND = 20;

const { signal } = new AbortController();

const { limits: LIMITS } = settingsFor('https://im.example.com', { limits: { requestsPerSecond: 10 } });

/** Counts calls from the time on when all processes are ready. */
async function openCounter(): Promise<Listening & { readonly times: number[] }> {
  const waiting: ServerResponse[] = [];
  const times: number[] = [];
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/ready') === true) {
      waiting.push(response);
      if (waiting.length === PROCESSES) for (const one of waiting) one.end('{"status":0}');
      return;
    }
    times.push(performance.now());
    response.end('{"status":0}');
  });
  return { ...(await started(server)), times };
}

const turnsAt = ({ url }: Pick<Redis, 'url'>, requestsPerSecond = A_SECOND) => {
  const turns = openTurns(
    {
      baseUrl: 'https://im.example.com',
      limits: { ...LIMITS, requestsPerSecond, shared: { url } },
    },
    systemClock,
  );
  if (turns === null) throw new Error('nothing is shared');
  onTestFinished(async () => turns.close());
  return turns;
};

describe.skipIf(!hasServer('redis'))('a pace that is shared by Redis', () => {
  let program = '';
  let store: Redis;
  beforeAll(async () => {
    program = compiled(['src/domain', 'src/lib', 'src/interface', 'src/service', 'test/service/fixtures']);
    store = await startRedis();
  });
  afterAll(async () => store.stop());

  test('is kept by two processes together', async () => {
    const counter = await openCounter();
    onTestFinished(() => counter.close());
    const script = path.join(program, 'test/service/fixtures/paced.js');
    const numbers = [String(CALLS), String(A_SECOND)];
    const args = [script, `http://127.0.0.1:${counter.port}`, ...numbers, store.url];
    await Promise.all(Array.from({ length: PROCESSES }, () => promisify(execFile)(process.execPath, args)));
    expect(counter.times).toHaveLength(PROCESSES * CALLS);
    const took = (counter.times.at(-1) ?? 0) - (counter.times[0] ?? 0);
    // No machine is so slow that it would be faster; each for itself they would take half of it.
    expect(took).toBeGreaterThan(((PROCESSES * CALLS - 1) / A_SECOND) * 1000 * 0.85);
  });

  test('holds everybody where the service asks one of them to wait', async () => {
    const [one, other] = [turnsAt(store, 1000), turnsAt(store, 1000)];
    await other.take(signal);
    const begun = performance.now();
    await one.pause(2000);
    await other.take(signal);
    expect(performance.now() - begun).toBeGreaterThan(1500);
  });
});

describe.skipIf(!hasServer('redis'))('a store that does not answer', () => {
  test('is waited for, and goes on where it comes back', async () => {
    const first = await startRedis();
    const turns = turnsAt(first);
    await turns.take(signal);
    await first.kill();
    const taken = turns.take(signal);
    const second = await startRedis(first.port);
    onTestFinished(() => second.stop());
    await expect(taken).resolves.toBeUndefined();
  });

  test('for long ends the run with what to do, and without its password', async () => {
    const clock = new FakeClock({ auto: true });
    const url = `redis://:${encodeURIComponent(REDIS_PASSWORD)}@127.0.0.1:1`;
    const turns = openTurns(
      { baseUrl: 'https://im.example.com', limits: { ...LIMITS, shared: { url } } },
      clock,
    );
    const error = await turns?.take(signal).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      problem: 'service-no-shared-pace',
      message: expect.stringContaining(' redis://127.0.0.1:1 ') as string,
    });
    expect(String(error)).not.toMatch(/turns-p/u);
  });
});

describe('a store that is out of reach', () => {
  const urlOf: Readonly<Record<string, (port: number) => string>> = {
    redis: (port) => `redis://127.0.0.1:${port}`,
    postgres: (port) => `postgres://u:p@127.0.0.1:${port}/db`,
  };
  test.each(Object.keys(urlOf))(
    'is given up in time though %s is silent, and for a while at once',
    async (name) => {
      const silent = createTcpServer().listen(0, '127.0.0.1');
      onTestFinished(() => void silent.close());
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      const shared = { url: urlOf[name]?.(port) ?? '' };
      const turns = openTurns(
        { baseUrl: 'https://im.example.com', limits: { ...LIMITS, shared } },
        systemClock,
        1_000,
      );
      const begun = performance.now();
      await expect(turns?.take(signal)).rejects.toMatchObject({ problem: 'service-no-shared-pace' });
      const first = performance.now() - begun;
      await expect(turns?.take(signal)).rejects.toMatchObject({ problem: 'service-no-shared-pace' });
      expect(first).toBeLessThan(8_000);
      expect(performance.now() - begun - first).toBeLessThan(500);
    },
  );
});

test('a pause that is too long is not waited for', async () => {
  const limiter = {
    consume: () => Promise.reject(Object.assign(new Error('no turn'), { msBeforeNext: 3_600_000 })),
  };
  const turns = new SharedTurns({
    open: async () => ({ limiter: limiter as never, close: async () => undefined }),
    window: windowOf(10),
    name: 'n',
    place: 'p',
    clock: new FakeClock({ auto: true }),
  });
  await expect(turns.take(signal)).rejects.toMatchObject({ ms: 3_600_000 });
});

test.each([
  [0.5, { points: 1, ms: 2000 }],
  [10, { points: 1, ms: 100 }],
  [25, { points: 2, ms: 80 }],
  [1000, { points: 100, ms: 100 }],
])('%s a second are handed out in windows of whole milliseconds', (rate, window) => {
  expect(windowOf(rate)).toEqual(window);
});
