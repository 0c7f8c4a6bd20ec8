import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeHidden } from '../../domain/text/printable.ts';
import type { Backend } from '../http/backend.ts';
import type { CallLog } from '../http/call-log.ts';
import type { Callbacks } from '../http/callbacks.ts';
import { pageFile } from './page-files.ts';
import { isPicture, VIEWS, type View } from './views.ts';
import type { AnswerOutcome, PersonAnswer } from './wire.ts';

interface Parts {
  readonly backend: Backend;
  readonly log: CallLog;
  readonly callbacks: Callbacks;
}

/** Lets in nothing but the page's own files, and nobody else's page around it. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Makes the sandbox's own page: `/` and everything below `/sandbox/`, where the interface has no operation. */
export function createPage(parts: Parts): (app: FastifyInstance) => void {
  return (app) =>
    void app.register((page, _, done) => {
      page.addHook('onRequest', admit);
      page.addHook('preSerialization', async (_request, _reply, payload) => visible(payload));
      page.setErrorHandler(
        (error: { readonly statusCode?: number; readonly message: string }, _request, reply) =>
          reply.code(error.statusCode ?? 500).send({ problem: error.message }),
      );
      page.all('/', sendFile);
      page.register((below, __, ready) => (addBelow(below, parts), ready()), { prefix: '/sandbox/' });
      done();
    });
}

/** Adds what is below `/sandbox/`. */
function addBelow(app: FastifyInstance, parts: Parts): void {
  const { callbacks } = parts;
  app.get('/style.css', sendFile);
  app.get('/script/*', sendFile);
  app.get('/media', (request, reply) => sendMedia(parts, request, reply));
  for (const [name, view] of Object.entries(VIEWS)) {
    app.get(`/${name}`, (request, reply) => sendView(view, parts, { request, reply }));
  }
  const options = { onRequest: admitChange };
  app.post('/answer', options, async ({ raw }, reply) => reply.send(await sendPersonAnswer(raw, callbacks)));
  app.setNotFoundHandler(nothing);
}

async function admit({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
  const problem = refusesHost(raw);
  reply.headers(HEADERS);
  if (problem !== undefined) await reply.code(403).send({ problem });
}

async function admitChange({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
  const problem = refusesChange(raw);
  if (problem !== undefined) await reply.code(403).send({ problem });
}

function nothing({ method }: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (method !== 'GET') return reply.code(405).send({ problem: 'Only GET is known here.' });
  return reply.code(404).send({ problem: 'There is nothing here.' });
}

function sendFile(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const file = request.method === 'GET' ? pageFile(addressOf(request).pathname) : undefined;
  if (file === undefined) return nothing(request, reply);
  return reply.header('Content-Type', `${file.type}; charset=utf-8`).send(file.text);
}

function addressOf({ url }: FastifyRequest): URL {
  return new URL(url, 'http://sandbox');
}

interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function sendView(view: View, { backend, log, callbacks }: Parts, { request, reply }: Visit): FastifyReply {
  const shown = view({ backend, log, callback: callbacks.wanted, query: addressOf(request).searchParams });
  return shown === undefined ? nothing(request, reply) : reply.send(shown);
}

/** Sends a media: a picture to look at, anything else to save. */
async function sendMedia(
  { backend }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = addressOf(request).searchParams;
  const media = backend.world.medias.get(query.get('id') ?? '');
  if (media === undefined) return reply.code(404).send({ problem: 'There is no such media.' });
  const picture = isPicture(media.type) && query.has('shown');
  const name = encodeURIComponent(media.name.toWellFormed()).replaceAll("'", '%27');
  const about = picture
    ? { 'Content-Type': media.type }
    : {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `attachment; filename*=UTF-8''${name}`,
      };
  return reply.headers(about).send(await backend.files.read(media.digest));
}

/** Bytes of an answer that are taken. */
const MOST_BYTES = 64 * 1024;

/** Sends what a person answers, as the service would (interface: Events). */
async function sendPersonAnswer(request: IncomingMessage, callbacks: Callbacks): Promise<AnswerOutcome> {
  const given = await readAnswer(request);
  if (given === undefined) return { problem: 'An answer needs a username and a text.' };
  const { username, text } = given;
  const { http, reply, problem } = await callbacks.send({
    msg_type: 'text',
    from_user_name: username,
    content: text,
  });
  if (http === undefined) return { problem: problem ?? 'Nobody answered.' };
  return { http, reply: reply ?? '' };
}

async function readAnswer(request: IncomingMessage): Promise<PersonAnswer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.length;
    if (size <= MOST_BYTES) chunks.push(chunk);
  }
  return size > MOST_BYTES ? undefined : parseAnswer(Buffer.concat(chunks).toString('utf8'));
}

function parseAnswer(body: string): PersonAnswer | undefined {
  try {
    const { username, text } = JSON.parse(body) as Readonly<Record<string, unknown>>;
    if (typeof username !== 'string' || typeof text !== 'string') return undefined;
    return username === '' || text === '' ? undefined : { username, text };
  } catch {
    return undefined;
  }
}

/**
 * Returns why a request is not answered: another host's name in it means that a page elsewhere had its name point
 * here (DNS rebinding).
 */
function refusesHost({ headers, socket }: IncomingMessage): string | undefined {
  const name = hostName(headers.host ?? '');
  const own = [socket.localAddress, socket.localAddress?.replace('::ffff:', '')];
  if (name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/u.test(name) || own.includes(name))
    return undefined;
  return 'The page is only shown under the address of this machine.';
}

/** Returns why a change is not made: only the page itself may ask for one, no page of another site. */
function refusesChange({ headers }: IncomingMessage): string | undefined {
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  const own = headers.origin === `http://${headers.host}` && site === 'same-origin';
  if (!own) return 'Only the sandbox’s own page may ask for this.';
  const json = /^application\/json(?:;|$)/iu.test(headers['content-type'] ?? '');
  return json ? undefined : 'The Content-Type is not application/json.';
}

function hostName(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replaceAll(/^\[|\]$/gu, '') : '';
}

/** What the page sends back as it is: the username of somebody who answers. */
const SENT_BACK: ReadonlySet<string> = new Set(['sentAs']);

/** Returns what the page shows, with the hidden characters of every text escaped; line breaks stay. */
function visible(shown: unknown): unknown {
  if (typeof shown === 'string') return shown.split('\n').map(escapeHidden).join('\n');
  if (Array.isArray(shown)) return shown.map(visible);
  if (typeof shown !== 'object' || shown === null) return shown;
  return Object.fromEntries(
    Object.entries(shown).map(([name, one]) => [name, SENT_BACK.has(name) ? one : visible(one)]),
  );
}
