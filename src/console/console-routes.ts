import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ConfigError, RollcallError, sentenceOf } from '../domain/errors.ts';
import type { Log } from '../domain/events.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { Routes } from '../http/listener.ts';
import { Tokens } from '../http/tokens.ts';
import { markup } from '../page/markup.ts';
import { Access } from './access.ts';
import { framed, POLICY, viewLinks } from './frame.ts';
import { VIEWS } from './views.ts';
import type { Asked, View } from './view.ts';

/** What the console works with, as it is at a request: the configuration may be read again. */
export interface ConsoleState extends Omit<Asked, 'ledger' | 'query'> {
  /** Whose ledger it is: `domain/organization`. */
  readonly about: string;
  /** Opens the ledger for reading, for one request. Throws a LedgerError if it cannot be read. */
  readonly withLedger: <T>(work: (ledger: Ledger) => T) => T;
}

interface ConsoleDeps {
  readonly token: string | undefined;
  readonly state: () => ConsoleState;
  readonly log: Log;
  /** Milliseconds on a watch that no one sets. */
  readonly watch: () => number;
}

const HEADERS = {
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-type': 'text/html; charset=utf-8',
} as const;

/** Shows the console at `/console`. It reads the ledger alone, and changes nothing. */
export function consoleRoutes(deps: ConsoleDeps): Routes {
  const access = new Access(deps.token, deps.watch);
  return (app) =>
    void app.register((scope, _, done) => {
      scope.addHook('onRequest', (_request, reply, next) => {
        reply.headers(HEADERS);
        next();
      });
      scope.setErrorHandler((error, _request, reply) => sendError(error, reply, deps));
      addEntry(scope, access, deps);
      // The views and the plan are for those who may look.
      scope.register((inside, _options, ready) => {
        inside.addHook('onRequest', async (request, reply) => turnAway(access, request, reply));
        for (const { path, view } of VIEWS)
          inside.get(path, (request, reply) => sendView(deps, { path, view, request }, reply));
        ready();
      });
      done();
    });
}

interface Showing {
  readonly path: string;
  readonly view: View;
  readonly request: FastifyRequest;
}

function sendView({ state }: ConsoleDeps, { path, view, request }: Showing, reply: FastifyReply): unknown {
  const { withLedger, about, ...asked } = state();
  const query = queryOf(request);
  const viewed = withLedger((ledger) => {
    try {
      return view({ ...asked, ledger, query });
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
  });
  if (typeof viewed === 'string') {
    const body = markup`<p class="alarm"><bdi>${viewed}</bdi></p>`;
    return reply.code(400).send(framed({ about, here: path, title: 'Not found', body }));
  }
  if ('body' in viewed) return reply.send(framed({ about, here: path, ...viewed }));
  const links = `<body>\n${viewLinks(path).text}`;
  return reply
    .header('content-security-policy', viewed.policy)
    .send(viewed.html.replace('<body>', () => links));
}

function queryOf({ raw: { url = '' } }: FastifyRequest): Asked['query'] {
  const parameters = new URL(url, 'http://localhost').searchParams;
  return (name) => parameters.get(name)?.trim() ?? '';
}

async function turnAway(access: Access, { headers }: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const standing = access.of(headers);
  if (standing === 'open') return undefined;
  if (standing === 'token') return reply.code(401).send(entryPage(''));
  return reply
    .code(403)
    .send(
      notice(
        'Not from here',
        'Without a token the console answers on this machine alone, at http://localhost or http://127.0.0.1, and not through a proxy. Set http.console.token to reach it from elsewhere.',
      ),
    );
}

/** Takes the token. */
function addEntry(scope: FastifyInstance, access: Access, { token: known, log, watch }: ConsoleDeps): void {
  const tokens = new Tokens(() => (known === undefined ? [] : [{ name: 'console', token: known }]), watch);
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  scope.post('/console/enter', async ({ body, ip, headers }, reply) => {
    const token = body instanceof URLSearchParams ? (body.get('token') ?? '') : '';
    const entry = tokens.enter(ip, token);
    if (entry === 'wrong') return reply.code(401).send(entryPage('This is not the token.'));
    if ('name' in entry) return reply.header('set-cookie', access.cookie(headers)).redirect('/console', 303);
    if (entry.isNews) log.note('warn', 'console: too many wrong tokens', { address: ip });
    const text = `Too many wrong tokens. Try again in ${entry.seconds} seconds.`;
    return reply.code(429).header('retry-after', entry.seconds).send(entryPage(text));
  });
}

function entryPage(problem: string): string {
  const body = markup`<form method="post" action="/console/enter">
<label>Token of the console (http.console.token) <input type="password" name="token" autocomplete="current-password" required autofocus></label>
<button>Open</button>
</form>
<p class="alarm" role="alert">${problem}</p>`;
  return framed({ title: 'Console', about: null, here: null, body });
}

function notice(title: string, text: string): string {
  return framed({ title, about: null, here: null, body: markup`<p>${text}</p>` });
}

function sendError(error: unknown, reply: FastifyReply, { log }: ConsoleDeps): unknown {
  if (error instanceof RollcallError)
    return reply.code(503).send(notice('The ledger cannot be read', error.message));
  const { statusCode = 500 } = error as { readonly statusCode?: number };
  if (statusCode < 500) return reply.code(statusCode).send(notice('Bad request', 'Open /console instead.'));
  log.note('warn', 'console: a page could not be made', { reason: sentenceOf(error) });
  return reply.code(500).send(notice('The page could not be made', 'The log of the daemon has the reason.'));
}
