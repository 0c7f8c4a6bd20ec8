import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConfigError, RollcallError, sentenceOf } from '../domain/errors.ts';
import { printable } from '../domain/text/printable.ts';
import type { ConsoleSettings } from '../domain/settings.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { Routes } from '../http/listener.ts';
import type { NamedToken } from '../http/tokens.ts';
import { markup } from '../page/markup.ts';
import { Access, isOwnForm, VIEWER } from './access.ts';
import { framed, POLICY, viewLinks } from './frame.ts';
import { linkTo } from './links.ts';
import { formValue } from './forms.ts';
import { addSignIn, askForToken, tokensOf, type SignInDeps } from './sign-in.ts';
import { aboveOf } from './standing.ts';
import { VIEWS } from './views.ts';
import type { Asked, View, Viewed } from './view.ts';

/** What the console works with, as it is at a request: the configuration may be read again. */
export interface ConsoleState extends Omit<Asked, 'ledger' | 'query' | 'by' | 'hasApprovers'> {
  /** Whose ledger it is: `domain/organization`. */
  readonly about: string;
  /** Opens the ledger for reading, for one request. Throws a LedgerError if it cannot be read. */
  readonly withLedger: <T>(work: (ledger: Ledger) => T) => T;
}

interface ConsoleDeps extends Omit<SignInDeps, 'tokens'> {
  readonly shown: () => ConsoleSettings;
  readonly state: () => ConsoleState;
  /** Releases what is held under a hash; `text` says why not. Throws a RollcallError if it could not be tried. */
  readonly approve: (
    by: string,
    hash: string,
  ) => Promise<{ readonly isReleased: boolean; readonly text: string }>;
}

const HEADERS = {
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // With no-referrer, browsers would not say where a form comes from.
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-type': 'text/html; charset=utf-8',
} as const;

/** Shows the console at `/console`. It reads the ledger alone; approvers can release what is held. */
export function consoleRoutes(deps: ConsoleDeps): Routes {
  const tokens = (): readonly NamedToken[] => tokensOf(deps.shown());
  const access = new Access(tokens, deps.watch);
  return (app) =>
    void app.register((scope, _, done) => {
      scope.addHook('onRequest', async ({ method, headers }, reply) => {
        reply.headers(HEADERS);
        if (method !== 'POST' || isOwnForm(headers)) return undefined;
        return reply.code(403).send(notice('Not from here', FOREIGN));
      });
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string' },
        (_request, body, parsed) => parsed(null, new URLSearchParams(String(body))),
      );
      scope.setErrorHandler((error, _request, reply) => sendError(error, reply, deps));
      addSignIn(scope, access, { ...deps, tokens });
      // The views and the plan are for those who may look.
      scope.register((inside, _options, ready) => {
        inside.addHook('onRequest', async (request, reply) => turnAway(access, request, reply));
        for (const { path, view } of VIEWS)
          inside.get(path, (request, reply) => {
            const by = visitorOf(access, request);
            return sendView(deps, { path, view, request, by }, reply);
          });
        inside.post('/console/approve', async (request, reply) =>
          sendApproval(deps, visitorOf(access, request), request, reply),
        );
        ready();
      });
      done();
    });
}

function visitorOf(access: Access, { headers }: FastifyRequest): string {
  const visitor = access.of(headers);
  return typeof visitor === 'object' ? visitor.name : VIEWER;
}

interface Showing {
  readonly by: string;
  readonly path: string;
  readonly view: View;
  readonly request: FastifyRequest;
}

function sendView({ state, shown }: ConsoleDeps, showing: Showing, reply: FastifyReply): unknown {
  const { path, view, request, by } = showing;
  const { withLedger, about, ...asked } = state();
  const query = queryOf(request);
  const hasApprovers = (shown().approvers ?? []).length > 0;
  const hasTokens = tokensOf(shown()).length > 0;
  const { viewed, above } = withLedger((ledger) => {
    const full = { ...asked, ledger, query, by, hasApprovers };
    return { viewed: viewedOr(() => view(full)), above: aboveOf(full) };
  });
  if (typeof viewed === 'string') {
    const body = markup`<p class="alarm"><bdi>${viewed}</bdi></p>`;
    return reply.code(400).send(framed({ about, here: path, above, title: 'Not found', body }));
  }
  if ('body' in viewed) {
    const { refreshSeconds, ...contents } = viewed;
    if (refreshSeconds !== undefined) reply.header('refresh', refreshSeconds);
    return reply.send(framed({ about, here: path, above, ...contents, by: hasTokens ? by : undefined }));
  }
  const links = markup`${viewLinks(path)}\n${[...above, viewed.fate]}`.text;
  return reply
    .header('content-security-policy', viewed.policy)
    .send(viewed.html.replace('<body>', () => `<body>\n${links}`));
}

/** Returns what is shown; for a query that cannot be answered, why. */
function viewedOr(view: () => Viewed): Viewed | string {
  try {
    return view();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

function queryOf({ raw: { url = '' } }: FastifyRequest): Asked['query'] {
  const parameters = new URL(url, 'http://localhost').searchParams;
  return (name) => parameters.get(name)?.trim() ?? '';
}

const FOREIGN =
  'The form was not sent by a page of this console. Behind a proxy, Host or X-Forwarded-Host has to be the name that browsers use.';

async function turnAway(access: Access, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const standing = access.of(request.headers);
  if (typeof standing === 'object') return undefined;
  if (standing === 'token') return askForToken(request, reply);
  return reply
    .code(403)
    .send(
      notice(
        'Not from here',
        'Without a token the console answers on this machine alone, at http://localhost or http://127.0.0.1, and not through a proxy. Set http.console.token to reach it from elsewhere.',
      ),
    );
}

/** Releases what is held, if an approver says a second time that it is right. */
async function sendApproval(
  deps: ConsoleDeps,
  by: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const hash = formValue(request, 'hash');
  if (by === VIEWER) return reply.code(403).send(notReleased('Only an approver can release changes.', hash));
  if (formValue(request, 'sure') !== 'yes')
    return reply.code(400).send(notReleased('Look at the list, and say that it is right.', hash));
  try {
    const { isReleased, text } = await deps.approve(by, hash);
    if (isReleased) return await reply.redirect(linkTo('/console/approve', { hash }), 303);
    return await reply.code(409).send(notReleased(text.split('\n')[0] ?? '', hash));
  } catch (error) {
    if (!(error instanceof RollcallError)) throw error;
    return reply.code(503).send(notReleased(`Nothing was done: ${error.message}`, hash));
  }
}

function notReleased(text: string, hash: string): string {
  const back = markup`<a href="${linkTo('/console/approve', { hash })}">Look again at ${printable(hash)}</a>`;
  const body = markup`<p class="alarm" role="alert"><bdi>${text}</bdi></p><p>${back}</p>`;
  return framed({ title: 'Not released', about: null, here: '/console/approve', body });
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
