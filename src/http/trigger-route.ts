import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../domain/events.ts';
import type { Routes } from './listener.ts';
import { Tokens } from './tokens.ts';

/** What becomes of a request for a run: the status of the answer, and the answer. */
export interface Asked {
  readonly code: 202 | 400 | 404 | 409 | 503;
  readonly answer: {
    /** Id of the run that begins, or of the one at work; `null`: another process has not named it yet. */
    readonly run?: string | null;
    /** Why none begins. */
    readonly error?: string;
    readonly mode?: 'report' | undefined;
  };
}

interface TriggerDeps {
  readonly token: string;
  readonly runs: {
    /** Asks for a run of everything (`null`), or of the one record that a text names. */
    readonly ask: (named: string | null) => Promise<Asked>;
    /** Returns how a run stands; `null`: there is no such run. */
    readonly stateOf: (run: string) => object | null;
  };
  readonly log: Log;
  /** Milliseconds on a watch that no one sets. */
  readonly watch: () => number;
}

/** Begins runs by `POST /sync`, and tells by `GET /sync/RUN` what becomes of them. */
export const triggerRoute =
  ({ token, runs, log, watch }: TriggerDeps): Routes =>
  (app) =>
    void app.register((scope, _, done) => {
      scope.addHook('onRequest', doorkeeper(token, log, watch));
      // What the body is counts, and not what it is called: curl calls it a form.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));
      scope.post('/sync', async ({ body }, reply) => {
        const named = recordIn(typeof body === 'string' ? body : '');
        if (named === undefined) return reply.code(400).send({ error: 'the body is not {"only": "NAME"}' });
        const { code, answer } = await runs.ask(named);
        if (code === 202) void reply.header('location', `/sync/${answer.run}`);
        return reply.code(code).send(answer);
      });
      scope.get<{ readonly Params: { readonly run: string } }>('/sync/:run', (request, reply) => {
        const state = runs.stateOf(request.params.run);
        return reply.code(state === null ? 404 : 200).send(state ?? { error: 'there is no such run' });
      });
      done();
    });

const QUIET_MS = 60_000;

/** Turns away who has not the token, and logs it once a minute. */
function doorkeeper(token: string, log: Log, watch: () => number) {
  const tokens = new Tokens(() => [{ name: 'trigger', token }], watch);
  let saidAt = Number.NEGATIVE_INFINITY;
  return async ({ ip, headers }: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const [, given = ''] = /^Bearer +(\S+)$/iu.exec(headers.authorization ?? '') ?? [];
    const entry = tokens.enter(ip, given);
    if (entry !== 'wrong' && 'name' in entry) return undefined;
    if (watch() - saidAt >= QUIET_MS) {
      saidAt = watch();
      log.note('warn', '/sync: wrong token', { address: ip });
    }
    if (entry === 'wrong')
      return reply.code(401).header('www-authenticate', 'Bearer').send({ error: 'wrong token' });
    return reply.code(429).header('retry-after', entry.seconds).send({ error: 'too many wrong tokens' });
  };
}

/** Returns the record that a body names; `null`: all; `undefined`: the body is something else. */
function recordIn(body: string): string | null | undefined {
  if (body.trim() === '') return null;
  try {
    const { only, ...more } = JSON.parse(body) as Readonly<Record<string, unknown>>;
    const isNamed = typeof only === 'string' && only.trim() !== '' && Object.keys(more).length === 0;
    return isNamed ? only : undefined;
  } catch {
    return undefined;
  }
}
