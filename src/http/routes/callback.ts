import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CallbackError } from '../../callback/callback-error.ts';
import { callbackSettings } from '../../callback/callback-settings.ts';
import { openCallback, type OpenedCallback } from '../../callback/open-callback.ts';
import type { Log } from '../../domain/events.ts';
import type { TakeMessage } from '../../domain/ports/callbacks.ts';
import type { ApprovalCallback } from '../../domain/settings.ts';
import { sentenceOf } from '../../domain/sentence-of.ts';
import type { Routes } from '../listener.ts';
import { Once } from '../callbacks/once.ts';
import { toldBy } from '../callbacks/received-message.ts';
import { TurnedAway, type TurnedAwayKind } from '../callbacks/turned-away.ts';

/** Milliseconds for which a signature is remembered: twice what a timestamp may be away from now. */
const REMEMBERED_MS = 600_000;

export interface CallbackDeps {
  readonly settings: ApprovalCallback;
  /** Milliseconds on the service's clock. */
  readonly now: () => number;
  readonly log: Log;
  readonly take: TakeMessage;
  /** Counts what came: `taken`, or why it was not. */
  readonly counted: (outcome: 'taken' | 'failed' | TurnedAwayKind) => void;
}

/** What the service is answered (interface, section Events: expected reply). */
interface Answer {
  readonly code: 200 | 403 | 503;
  readonly status: number;
  readonly message: string;
}

/**
 * Answers callbacks of the service. Each signature is taken once; who sends something else learns only that it was not
 * taken.
 */
export function callbackRoute(deps: CallbackDeps): Routes {
  const turnedAway = new TurnedAway(deps.log, deps.now);
  const once = new Once(REMEMBERED_MS);
  const receive = async (request: FastifyRequest): Promise<Answer> => {
    try {
      const opened = opening(deps, request);
      return await taken(deps, once, { opened, signature: signatureOf(request) });
    } catch (error) {
      if (!(error instanceof CallbackError)) throw error;
      deps.counted(error.kind);
      turnedAway.count(error.kind, error.message);
      return { code: 403, status: 403, message: 'not taken' };
    }
  };
  return (app) => void app.register((scope, _, done) => (route(scope, deps.settings.path, receive), done()));
}

type Receive = (request: FastifyRequest) => Promise<Answer>;

function route(scope: FastifyInstance, path: string, receive: Receive): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  scope.post(path, async (request, reply) => {
    const { code, ...answer } = await receive(request);
    return reply.code(code).send(answer);
  });
}

function queryOf({ raw: { url = '' } }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at));
}

function opening({ settings, now }: CallbackDeps, request: FastifyRequest): OpenedCallback {
  const body = Buffer.isBuffer(request.body) ? request.body : '';
  return openCallback(callbackSettings(settings), { query: queryOf(request), body, now: now() });
}

const signatureOf = (request: FastifyRequest): string =>
  (queryOf(request).get('signature') ?? '').toLowerCase();

interface Verified {
  readonly opened: OpenedCallback;
  readonly signature: string;
}

async function taken(
  { settings, now, log, take, counted }: CallbackDeps,
  once: Once,
  { opened, signature }: Verified,
): Promise<Answer> {
  const at = now();
  if (once.has(signature, at)) {
    counted('again');
    return { code: 200, status: 0, message: 'taken before' };
  }
  once.add(signature, at);
  try {
    const message = await take({ signature, at, ...toldBy(opened, settings) });
    counted('taken');
    return { code: 200, status: 0, message };
  } catch (error) {
    once.delete(signature);
    counted('failed');
    log.note('warn', 'a callback could not be taken', { reason: sentenceOf(error) });
    return { code: 503, status: 503, message: 'not now' };
  }
}
