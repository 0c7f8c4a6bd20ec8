import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { answerCall, receiveBody, type SandboxParts } from './answer-call.ts';
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
export function createSandboxServer(parts: SandboxParts): FastifyInstance {
  const unknown = taking(parts, []);
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
  addPlaces(app, (routes) => taking(parts, routes));
  app.setNotFoundHandler(unknown);
  app.setErrorHandler((_, request, reply) => unknown(request, reply));
  return app;
}

/** Returns what takes the calls at a place, or elsewhere: with no routes. */
function taking(parts: SandboxParts, routes: readonly Route[]): Take {
  return async (request, reply) => {
    const answer = await answerTo(parts, routes, request).catch(failure);
    return answer === undefined ? dropConnection(reply) : sendAnswer(reply, answer, parts.now());
  };
}

function failure(error: unknown): WireAnswer {
  return httpError(500, `the sandbox failed: ${error instanceof Error ? error.message : String(error)}`);
}

async function answerTo(
  parts: SandboxParts,
  routes: readonly Route[],
  { raw, params }: FastifyRequest,
): Promise<WireAnswer | undefined> {
  const { readings } = parts.backend;
  const url = addressOf(raw);
  const contentType = raw.headers['content-type'] ?? '';
  const asked = { params: textsOf(params), query: url.searchParams, older: readings.lockOnly, contentType };
  const place = chooseRoute(routes, asked);
  const body = await receiveBody(raw);
  const found = place && byOps(place, routes, body);
  return answerCall(parts, { request: raw, url, contentType, found, body });
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
  for (const [place, routes] of routesByPlace()) {
    const [method = '', path = ''] = place.split(' ');
    const url = path.replaceAll(/\{(\w+)\}/gu, ':$1');
    const handler = takeFor(routes);
    // Fastify fails for a content type that is none, which is for the operation to refuse.
    app.route({ method, url, handler, errorHandler: (_, request, reply) => void handler(request, reply) });
  }
}

function routesByPlace(): ReadonlyMap<string, readonly Route[]> {
  const found = new Map<string, Route[]>();
  for (const route of ROUTES) {
    const place = `${route.method} ${route.path}`;
    found.set(place, [...(found.get(place) ?? []), route]);
  }
  return found;
}
