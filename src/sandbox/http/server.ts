import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { answerCall, receiveBody, type SandboxDeps } from './answer-call.ts';
import { dropConnection, httpError, sendAnswer, type WireAnswer } from './answer.ts';
import { byOps, chooseRoute, ROUTES, type Route } from './routes.ts';

/** Limits of Node's own server, where fastify has others: clients of the service meet no new ones. */
const LIMITS = { keepAliveTimeout: 5000, requestTimeout: 300_000, maxParam: 65_536 };

/** Stands for compilers of schemas, which take 50 ms to load: calls are checked against their rows. */
function noSchemas(): never {
  throw new Error('the sandbox has no schemas');
}

/**
 * Creates the server of the operations of the interface. Bodies are left to the calls.
 */
export function createSandboxServer(deps: SandboxDeps): FastifyInstance {
  const unknown = taking(deps, []);
  const { maxParam: maxParamLength, ...limits } = LIMITS;
  const app = fastify({
    ...limits,
    routerOptions: { maxParamLength },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    return503OnClosing: false,
    // A path that cannot be decoded.
    frameworkErrors: (_, request, reply) => void unknown(request, reply),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  addPlaces(app, (routes) => taking(deps, routes));
  app.setNotFoundHandler(unknown);
  app.setErrorHandler((_, request, reply) => unknown(request, reply));
  return app;
}

/** Returns what takes the calls at a place, or elsewhere: with no routes. */
function taking(deps: SandboxDeps, routes: readonly Route[]): Take {
  return async (request, reply) => {
    const answer = await answerTo(deps, routes, request).catch(failure);
    return answer === undefined ? dropConnection(reply) : sendAnswer(reply, answer, deps.now());
  };
}

function failure(error: unknown): WireAnswer {
  return httpError(500, `the sandbox failed: ${error instanceof Error ? error.message : String(error)}`);
}

async function answerTo(
  deps: SandboxDeps,
  routes: readonly Route[],
  { raw, params }: FastifyRequest,
): Promise<WireAnswer | undefined> {
  const { readings } = deps.backend;
  const url = addressOf(raw);
  const contentType = raw.headers['content-type'] ?? '';
  const call = { params: textsOf(params), query: url.searchParams, older: readings.lockOnly, contentType };
  const chosen = chooseRoute(routes, call);
  const body = await receiveBody(raw);
  const match = chosen && byOps(chosen, routes, body);
  return answerCall(deps, { request: raw, url, contentType, match, body });
}

function addressOf({ url = '/', headers: { host = 'sandbox' } }: IncomingMessage): URL {
  return new URL(url, `http://${host}`);
}

/** Returns the variable parts of a path, which fastify gives without a type. */
function textsOf(params: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, String(value)]));
}

/** Answers a request. */
type Take = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Adds each place of the interface, which is a method and a path; `takeFor` makes what answers there, from its routes. */
function addPlaces(app: FastifyInstance, takeFor: (routes: readonly Route[]) => Take): void {
  for (const [key, routes] of routesByPath()) {
    const [method = '', path = ''] = key.split(' ');
    const url = path.replaceAll(/\{(\w+)\}/gu, ':$1');
    const handler = takeFor(routes);
    // Fastify fails for a content type that is none, which is for the operation to refuse.
    app.route({ method, url, handler, errorHandler: (_, request, reply) => void handler(request, reply) });
  }
}

function routesByPath(): ReadonlyMap<string, readonly Route[]> {
  const byPath = new Map<string, Route[]>();
  for (const route of ROUTES) {
    const key = `${route.method} ${route.path}`;
    byPath.set(key, [...(byPath.get(key) ?? []), route]);
  }
  return byPath;
}
