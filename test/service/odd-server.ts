import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import type { ServiceSettings } from '../../src/domain/settings.ts';
import type { CallReport } from '../../src/service/calls/call.ts';
import { createService, type ServiceDeps } from '../../src/service/create-service.ts';
import { FakeClock } from '../doubles/fake-clock.ts';

/** Returns a list: what a test puts in is closed when it has ended. */
export function closing(): { close(): Promise<void> }[] {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
  });
  return open;
}

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path and query as they came. */
  readonly url: string;
  readonly body: string;
  readonly connection: number;
}

export type Answer = (response: ServerResponse, seen: Seen) => unknown;

const MEGABYTE = Buffer.alloc(1_048_576, ' ');

/** Answers of a service that has its days. */
export const answers = {
  ok:
    (result: unknown): Answer =>
    (response) =>
      response.end(JSON.stringify({ status: 0, message: 'ok', result })),
  /** JSON as it stands, for numbers that no double holds. */
  raw:
    (body: string, http = 200): Answer =>
    (response) => {
      response.statusCode = http;
      response.end(body);
    },
  no:
    (status: number, message = 'no', http = 200): Answer =>
    (response) => {
      response.statusCode = http;
      response.end(JSON.stringify({ status, message }));
    },
  html:
    (http = 200): Answer =>
    (response) => {
      response.statusCode = http;
      response.setHeader('content-type', 'text/html').end('<html><body>Welcome</body></html>');
    },
  throttled:
    (http: number, retryAfter?: string, body = ''): Answer =>
    (response) => {
      response.statusCode = http;
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
      response.end(body);
    },
  /** The answer is complete, its JSON is not. */
  cutOff: (): Answer => (response) => response.end('{"status":0,"result":{"id":"1","na'),
  /** More was promised than came. */
  droppedWithin: (): Answer => (response) => {
    response.setHeader('content-length', 1000).write('{"status":0,"result":');
    setTimeout(() => response.destroy(), 20);
  },
  dropped: (): Answer => (response) => response.destroy(),
  /** More than is read of any answer; blanks before JSON mean nothing. */
  endless: (): Answer => (response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(MEGABYTE));
    };
    response.on('drain', more);
    more();
  },
  never: (): Answer => () => undefined,
  /** Bytes keep coming, the end does not. */
  drip: (): Answer => (response) => {
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  },
} as const;

export interface OddServer {
  readonly baseUrl: string;
  readonly seen: readonly Seen[];
  close(): Promise<void>;
}

/** Gives these answers one after the other, the last one again and again. */
export function oddServer(...script: readonly Answer[]): Promise<OddServer> {
  let turn = 0;
  return serverOf((response, seen) => {
    const answer = script[Math.min(turn, script.length - 1)];
    turn += 1;
    return answer?.(response, seen);
  });
}

export async function serverOf(answer: Answer): Promise<OddServer> {
  const seen: Seen[] = [];
  let connections = 0;
  const numbers = new WeakMap<object, number>();
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      const url = new URL(request.url ?? '/', 'http://here');
      const call: Seen = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        url: request.url ?? '',
        body,
        connection: numbers.get(request.socket) ?? 0,
      };
      seen.push(call);
      return answer(response, call);
    });
  });
  server.on('connection', (socket) => {
    connections += 1;
    numbers.set(socket, connections);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { baseUrl: `http://127.0.0.1:${port}`, seen, close };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export const TOKEN = 'T0ken+of/this=Test';

export interface SettingsPatch extends Partial<Omit<ServiceSettings, 'limits'>> {
  readonly limits?: Partial<ServiceSettings['limits']>;
}

export function settingsFor(baseUrl: string, patch: SettingsPatch = {}): ServiceSettings {
  const limits = {
    requestsPerSecond: 1000,
    concurrency: 4,
    unitsPerImport: 100,
    peoplePerImport: 200,
    timeoutSeconds: 5,
    pageSize: 1000,
    namesPerQuery: 200,
    ...patch.limits,
  };
  return { baseUrl, domainId: 'dom', orgCode: 'acme', token: TOKEN, ...patch, limits };
}

/** Returns how a test opens a service over a server with these answers; both are closed when it has ended. */
export function worlds(open = closing()) {
  return async (
    answer: Answer | readonly Answer[],
    patch: SettingsPatch = {},
    deps: Partial<ServiceDeps> = {},
  ) => {
    const server = await (typeof answer === 'function' ? serverOf(answer) : oddServer(...answer));
    const clock = new FakeClock({ auto: true });
    const reports: CallReport[] = [];
    const onCall = (report: CallReport): unknown => reports.push(report);
    const service = createService(settingsFor(server.baseUrl, patch), { clock, onCall, ...deps });
    open.push(server, service);
    return { server, service, clock, reports, seen: server.seen };
  };
}

/** A service that does not wait for real: its clock jumps. */
export function serviceFor(baseUrl: string, patch: SettingsPatch = {}, deps: Partial<ServiceDeps> = {}) {
  return createService(settingsFor(baseUrl, patch), { clock: new FakeClock({ auto: true }), ...deps });
}
