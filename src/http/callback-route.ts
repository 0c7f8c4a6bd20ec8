import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallbackFields } from '../callback/callback-body.ts';
import { CallbackError, type CallbackErrorKind } from '../callback/callback-error.ts';
import { openCallback, type OpenedCallback } from '../callback/open-callback.ts';
import type { Log } from '../domain/events.ts';
import type { ReceivedMessage, TakeMessage } from '../domain/ports/messenger.ts';
import { sentenceOf } from '../domain/errors.ts';
import type { ApprovalCallback } from '../domain/settings.ts';
import type { Routes } from './listener.ts';

/** Milliseconds for which a signature is remembered: twice what a timestamp may be away from now. */
const REMEMBERED_MS = 600_000;

interface CallbackDeps {
  /** As they are now: SIGHUP takes another token or key. */
  readonly settings: () => ApprovalCallback;
  /** Milliseconds on the service's clock. */
  readonly now: () => number;
  readonly log: Log;
  readonly take: TakeMessage;
  /** Counts what came: `taken`, or why it was not. */
  readonly counted: (outcome: 'taken' | 'failed' | RefusalKind) => void;
}

/** What the service is answered (interface, section Events: expected reply). */
interface CallbackAnswer {
  readonly code: 200 | 403 | 503;
  readonly status: number;
  readonly message: string;
}

/**
 * Answers callbacks of the service. Each signature is taken once; who sends something else learns only that it was not
 * taken.
 */
export function callbackRoute(deps: CallbackDeps): Routes {
  const refusals = new Refusals(deps.log, deps.now);
  const recent = new RecentSignatures(REMEMBERED_MS);
  const receive = async (request: FastifyRequest): Promise<CallbackAnswer> => {
    try {
      const opened = opening(deps, request);
      return await accept(deps, recent, { opened, signature: signatureOf(request) });
    } catch (error) {
      if (!(error instanceof CallbackError)) throw error;
      deps.counted(error.kind);
      refusals.count(error.kind, error.message);
      return { code: 403, status: 403, message: 'not taken' };
    }
  };
  return (app) => void app.register((scope, _, done) => (route(scope, receive), done()));
}

type Receive = (request: FastifyRequest) => Promise<CallbackAnswer>;

function route(scope: FastifyInstance, receive: Receive): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  scope.post('/callback', async (request, reply) => {
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
  return openCallback(settings(), { query: queryOf(request), body, now: now() });
}

const signatureOf = (request: FastifyRequest): string =>
  (queryOf(request).get('signature') ?? '').toLowerCase();

interface Verified {
  readonly opened: OpenedCallback;
  readonly signature: string;
}

async function accept(
  { now, log, take, counted }: CallbackDeps,
  recent: RecentSignatures,
  { opened, signature }: Verified,
): Promise<CallbackAnswer> {
  const at = now();
  if (recent.has(signature, at)) {
    counted('again');
    return { code: 200, status: 0, message: 'taken before' };
  }
  recent.add(signature, at);
  try {
    const message = await take({ signature, at, ...writtenBy(opened) });
    counted('taken');
    return { code: 200, status: 0, message };
  } catch (error) {
    recent.delete(signature);
    counted('failed');
    log.note('warn', 'a callback could not be taken', { reason: sentenceOf(error) });
    return { code: 503, status: 503, message: 'not now' };
  }
}

type LoggedMessage = Pick<ReceivedMessage, 'from' | 'domain' | 'text' | 'isEvent'>;

/**
 * Returns who wrote what. Only the signed text is believed; where it is no JSON it is the message itself, and nothing
 * says who wrote it (interface, section Events).
 */
function writtenBy({ message, fields }: OpenedCallback): LoggedMessage {
  if (fields === null) return { from: null, domain: null, text: message, isEvent: false };
  const { fromUserName: from, fromDomain: domain } = fields;
  return { from, domain, text: textOf(fields), isEvent: isEvent(fields) };
}

/** Returns what was written, or the key of the button that was pressed. */
function textOf(fields: CallbackFields): string | null {
  const { msgType, content, event, eventKey } = fields;
  if (isEvent(fields)) return event?.toUpperCase() === 'CLICK' ? eventKey : null;
  return (msgType?.toLowerCase() ?? 'text') === 'text' ? content : null;
}

const isEvent = ({ msgType }: CallbackFields): boolean => msgType?.toLowerCase() === 'event';

/** Remembers for a while what has come, so that nothing is taken twice, not even while it is being taken. */
class RecentSignatures {
  readonly #keptMs: number;
  /** Times by key, oldest first. */
  readonly #seen = new Map<string, number>();

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  has(key: string, now: number): boolean {
    this.#forget(now);
    return this.#seen.has(key);
  }

  add(key: string, now: number): void {
    this.#seen.set(key, now);
  }

  delete(key: string): void {
    this.#seen.delete(key);
  }

  /** A time in the future was stored before the clock was set back: it is removed with the others, in its turn. */
  #forget(now: number): void {
    for (const [key, at] of this.#seen) {
      if (now - at < this.#keptMs) return;
      this.#seen.delete(key);
    }
  }
}

/** Why a callback was not taken. `again`: its signature was taken before. */
type RefusalKind = CallbackErrorKind | 'again';

const MINUTE_MS = 60_000;

/**
 * Counts callbacks that were not taken, and reports that in the log: at most one line a minute, and never
 * what the sender wrote.
 */
class Refusals {
  readonly #log: Log;
  readonly #now: () => number;
  #counts = new Map<RefusalKind, number>();
  #sentence = '';
  #loggedAt: number | null = null;

  constructor(log: Log, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  /** @param sentence for the administrator; the last one of a minute is logged */
  count(kind: RefusalKind, sentence: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    this.#sentence = sentence;
    const now = this.#now();
    if (this.#loggedAt !== null && Math.abs(now - this.#loggedAt) < MINUTE_MS) return;
    this.#loggedAt = now;
    this.#log.note('warn', 'callbacks were turned away', {
      ...Object.fromEntries(this.#counts),
      reason: this.#sentence,
    });
    this.#counts = new Map();
  }
}
