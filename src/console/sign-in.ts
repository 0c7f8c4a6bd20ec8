import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../domain/events.ts';
import type { ConsoleSettings } from '../domain/settings.ts';
import { Tokens, type NamedToken } from '../http/tokens.ts';
import { markup } from '../page/markup.ts';
import { VIEWER, type Access } from './access.ts';
import { formValue, signInForm } from './forms.ts';
import { framed } from './frame.ts';
import { linkTo } from './links.ts';

export interface SignInDeps {
  readonly tokens: () => readonly NamedToken[];
  readonly log: Log;
  /** Milliseconds on a watch that no one sets. */
  readonly watch: () => number;
}

/** Returns the tokens that open the console, by the name of whom they let in. */
export const tokensOf = ({ token, approvers = [] }: ConsoleSettings): readonly NamedToken[] => [
  ...(token === undefined ? [] : [{ name: VIEWER, token }]),
  ...approvers.map(({ username, token: own }) => ({ name: username, token: own })),
];

/** Takes tokens, and signs out. */
export function addSignIn(scope: FastifyInstance, access: Access, { tokens, log, watch }: SignInDeps): void {
  const entries = new Tokens(tokens, watch);
  scope.post('/console/enter', async (request, reply) => {
    const { ip, headers } = request;
    const hash = formValue(request, 'hash');
    const entry = entries.enter(ip, formValue(request, 'token'));
    if (entry === 'wrong') return reply.code(401).send(signInPage(hash, 'This is not the token.'));
    if ('name' in entry) {
      const owner = tokens().find(({ name }) => name === entry.name);
      if (owner !== undefined) reply.header('set-cookie', access.cookie(owner, headers));
      return reply.redirect(hash === '' ? '/console' : linkTo('/console/approve', { hash }), 303);
    }
    if (entry.isNews) log.note('warn', 'console: too many wrong tokens', { address: ip });
    const text = `Too many wrong tokens. Try again in ${entry.seconds} seconds.`;
    return reply.code(429).header('retry-after', entry.seconds).send(signInPage(hash, text));
  });
  scope.post('/console/leave', async ({ headers }, reply) =>
    reply.header('set-cookie', access.end(headers)).redirect('/console', 303),
  );
}

/** Asks for a token before anything is shown; `hash`: it leads to its approval. */
export function askForToken(request: FastifyRequest, reply: FastifyReply): unknown {
  const { pathname, searchParams } = new URL(request.raw.url ?? '', 'http://localhost');
  const hash = pathname === '/console/approve' ? (searchParams.get('hash') ?? '') : '';
  return reply.code(401).send(signInPage(hash, ''));
}

function signInPage(hash: string, problem: string): string {
  const alarm = markup`<p class="alarm" role="alert">${problem}</p>`;
  return framed({ title: 'Console', about: null, here: null, body: [alarm, signInForm(hash)] });
}
