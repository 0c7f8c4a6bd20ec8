import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { codeOf, ConfigError, sentenceOf } from '../domain/errors.ts';
import type { HttpSettings } from '../domain/settings.ts';
import { groupBy } from '../domain/text/group-by.ts';

/** Largest accepted body, bytes. */
const MOST_BYTES = 64 * 1024;
/** Milliseconds for a whole request. */
const REQUEST_MS = 10_000;
/** Milliseconds for headers, and from one request to the next. */
const IDLE_MS = 4_000;
/** How often Node looks for connections that are too slow, ms. */
const LOOK_MS = 500;
/** Connections at once: who asks is a probe, a scraper, and the service. */
const MOST_CONNECTIONS = 100;

/** What answers at one path. */
export type Routes = (app: FastifyInstance) => void;

export interface Listener {
  /** As `http://127.0.0.1:8080`. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Listens for HTTP. Limits bodies, time and connections: what is silent is closed
 * within five seconds. Answers tell neither the program nor its version. Throws a ConfigError where it cannot listen there.
 */
export async function openListener(settings: HttpSettings, routes: readonly Routes[]): Promise<Listener> {
  const app = fastify({
    bodyLimit: MOST_BYTES,
    requestTimeout: REQUEST_MS,
    forceCloseConnections: true,
    return503OnClosing: false,
    exposeHeadRoutes: true,
    // An address that is none: Fastify's own answer would tell its name.
    frameworkErrors: (_error, _request, reply) => {
      reply.hijack();
      reply.raw.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"bad request"}');
    },
    serverFactory: serverOf,
  });
  app.setNotFoundHandler((_, reply) => reply.code(404).send({ error: 'not found' }));
  app.setErrorHandler((error: { readonly statusCode?: number }, _, reply) => {
    const code = error.statusCode ?? 500;
    return reply.code(code).send({ error: code < 500 ? 'bad request' : 'failed' });
  });
  for (const route of routes) route(app);
  const { host, port } = settings.listen;
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw cannotListen(settings, error);
  }
  const bound = app.server.address();
  const at = bound === null || typeof bound === 'string' ? port : bound.port;
  const name = host.includes(':') ? `[${host}]` : host;
  return { address: `http://${name}:${at}`, close: () => app.close() };
}

type Handler = Parameters<typeof createServer>[1];

const LIMITS = {
  headersTimeout: IDLE_MS,
  keepAliveTimeout: IDLE_MS,
  requestTimeout: REQUEST_MS,
  connectionsCheckingInterval: LOOK_MS,
} as const;

function serverOf(handler: Handler): Server {
  const server = createServer(LIMITS, handler);
  const open = new Set<Socket>();
  return server.on('connection', (socket: Socket) => {
    if (open.size >= MOST_CONNECTIONS) makeRoom(open);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

/** Closes the oldest connection of the address that has the most of them: no address can keep the others out. */
function makeRoom(open: Set<Socket>): void {
  const byAddress = [...groupBy(open, ({ remoteAddress }) => remoteAddress).values()];
  const [oldest] = byAddress.toSorted((one, other) => other.length - one.length)[0] ?? [];
  if (oldest === undefined) return;
  open.delete(oldest);
  oldest.destroy();
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program; stop it, or choose another port',
  EACCES: 'may not be used by this user; choose a port above 1023',
  EADDRNOTAVAIL: 'is no address of this machine; use 127.0.0.1 or 0.0.0.0',
  ENOTFOUND: 'is no host that is known here; use an address, as 127.0.0.1 or 0.0.0.0',
  EAI_AGAIN: 'is no host that is known here; use an address, as 127.0.0.1 or 0.0.0.0',
};

function cannotListen({ listen: { host, port } }: HttpSettings, error: unknown): ConfigError {
  const why = LISTEN_PROBLEMS[codeOf(error)] ?? `cannot be listened on: ${sentenceOf(error)}`;
  return new ConfigError(`http.listen: ${host}:${port} ${why}.`, { cause: error });
}

export interface Health {
  /** Returns whether the heartbeat is younger than two minutes, as `status --health`. */
  readonly isAlive: () => boolean;
  /** Returns how the last run ended; `null`: none has ended yet. */
  readonly lastResult: () => string | null;
  /** What an administrator has to know, though runs do their work: the answer of `/readyz` names it. */
  readonly trouble: () => { readonly otherDaemon: boolean; readonly reloadRefused: boolean };
}

/**
 * Answers `/healthz`: 200 while the daemon works, even if the service is down, else 503. Answers `/readyz`:
 * 200 after a run has ended, as long as the last one did not fail.
 */
export const healthRoutes =
  ({ isAlive, lastResult, trouble }: Health): Routes =>
  (app) => {
    app.get('/healthz', (_, reply) => {
      const alive = isAlive();
      return reply.code(alive ? 200 : 503).send({ alive });
    });
    app.get('/readyz', (_, reply) => {
      const result = lastResult();
      const ready = result !== null && result !== 'failed' && result !== 'stopped';
      return reply.code(ready ? 200 : 503).send({ ready, lastRun: result, ...trouble() });
    });
  };
