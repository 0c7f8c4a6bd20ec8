import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { httpError, type Answer } from './answer.ts';
import { answerCall, type Parts } from './answer-call.ts';
import { byOps, chooseRoute } from './choose-route.ts';
import { dropFiles, receiveBody } from './receive-body.ts';
import { addPlaces, type Take } from './places.ts';
import type { Route } from './routes.ts';
import { dropConnection, sendAnswer } from './send-answer.ts';

/** Limits of Node's own server, where fastify has others: clients of the service meet no new ones. */
const LIMITS = { keepAliveTimeout: 5000, requestTimeout: 300_000, maxParam: 65_536 };

/** Stands for compilers of schemas, which take 50 ms to load: calls are checked against their rows. */
function noSchemas(): never {
  throw new Error('the sandbox has no schemas');
}

/**
 * Creates the server: the operations of the interface, and what `beside` adds to them. Bodies are left to the calls:
 * forms go to disk while they come in.
 */
export function createSandboxServer(parts: Parts, beside: (app: FastifyInstance) => void): FastifyInstance {
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
  beside(app);
  return app;
}

/** Returns what takes the calls at a place, or elsewhere: with no routes. */
function taking(parts: Parts, routes: readonly Route[]): Take {
  return async (request, reply) => {
    const answer = await answerTo(parts, routes, request).catch(failure);
    return answer === undefined ? dropConnection(reply) : sendAnswer(reply, answer, parts.now());
  };
}

function failure(error: unknown): Answer {
  return httpError(500, `the sandbox failed: ${error instanceof Error ? error.message : String(error)}`);
}

async function answerTo(
  parts: Parts,
  routes: readonly Route[],
  { raw, params }: FastifyRequest,
): Promise<Answer | undefined> {
  const { files, readings } = parts.backend;
  const url = addressOf(raw);
  const contentType = raw.headers['content-type'] ?? '';
  const asked = { params: textsOf(params), query: url.searchParams, older: readings.lockOnly, contentType };
  const place = chooseRoute(routes, asked);
  const body = await receiveBody(raw, place, files);
  const found = place && byOps(place, routes, body.text);
  try {
    return await answerCall(parts, { request: raw, url, contentType, found, body });
  } finally {
    await dropFiles(body, files);
  }
}

function addressOf({ url = '/', headers: { host = 'sandbox' } }: IncomingMessage): URL {
  return new URL(url, `http://${host}`);
}

/** Returns the variable parts of a path, which fastify gives without a type. */
function textsOf(params: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, String(value)]));
}
