import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Row = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly method: string;
  /** Name of the list, or `people/count`. */
  readonly list: string;
  /** The query; of a POST with JSON or a form, the keys of its body. */
  readonly values: Values;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** Index of the first record that is asked for, from 0. */
  readonly start: number;
  /** Most records that are wanted, and that the server gives. */
  readonly size: number;
  /** Number of this request, from 1. */
  readonly number: number;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, a text as it is, or what writes the answer itself. */
  readonly body: unknown;
}

/** What a server makes of a request in place of the usual answer; `null`: the usual one. */
export type Twist = (asked: Asked, usual: Reply) => Reply | null;

/** The list in an answer, with everything by which a client may go on. */
export interface Page {
  readonly data: readonly Row[];
  readonly total: number;
  readonly more: boolean;
  readonly cursor: string | null;
  readonly next: string | null;
}

export interface RestServer {
  /** Paths of lists begin here. */
  readonly url: string;
  /** Address of the OAuth server; `/login` and `/gettoken` below `url` give tokens as well. */
  readonly tokenUrl: string;
  /** Questions for lists and numbers. */
  readonly asked: readonly Asked[];
  /** Questions for tokens. */
  readonly logins: readonly Asked[];
  lists: Readonly<Record<string, readonly Row[]>>;
  mostPerPage: number;
  twist: Twist;
  /** Is called before a request is looked at. */
  before: (asked: Asked) => void;
  /** What a client has to show to get a token. */
  secret: string;
  /** What a request has to show as bearer, as `user:password`, in the header `x-api-key` or in the query; `null`: nothing. */
  token: string | null;
  /** Whether each answer has status 200 and `code`; a bad one has `msg`. */
  isEnveloped: boolean;
  /** Its clock; `null`: it does not tell the time. */
  now: (() => number) | null;
  /** Takes requests and never answers. */
  isSilent: boolean;
  /** Forgets what it was asked and made of it. */
  reset(): void;
  close(): Promise<void>;
}

interface Pems {
  readonly certFile: string;
  readonly keyFile: string;
  /** Authority of the clients, which have to show a certificate. */
  readonly clientCa?: string;
}

/** Returns a text that is written as a number of just these digits. */
export const digits = (number: string): string => `@${number}@`;
const jsonOf = (value: unknown): string => JSON.stringify(value).replaceAll(/"@(-?\d+)@"/gu, '$1');

/**
 * Starts a server with lists below `/api`. It pages by `skip`, `page` and `after`, each with `limit`, by `next` and by the
 * header Link, as it is asked; without `limit` it gives all. `/api/plain/LIST` is the list alone, `/api/LIST/count` its number.
 */
export async function startRest(lists: RestServer['lists'] = {}, pems?: Pems): Promise<RestServer> {
  const usual = () => ({
    mostPerPage: 10_000,
    twist: () => null,
    before: () => undefined,
    secret: 's3cret-of-client',
    token: null,
    isEnveloped: false,
    now: () => Date.now(),
    isSilent: false,
  });
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    void answer(server, request, response);
  };
  const http = pems === undefined ? createServer(listener) : createSecure(tlsOf(pems), listener);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const origin = `${pems === undefined ? 'http' : 'https'}://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const server: RestServer = {
    url: `${origin}/api`,
    tokenUrl: `${origin}/api/token`,
    asked: [],
    logins: [],
    lists,
    ...usual(),
    reset() {
      Object.assign(server, usual(), { asked: [], logins: [] });
    },
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  return server;
}

const tlsOf = ({ certFile, keyFile, clientCa }: Pems) => ({
  cert: readFileSync(certFile),
  key: readFileSync(keyFile),
  ...(clientCa !== undefined && { ca: readFileSync(clientCa), requestCert: true, rejectUnauthorized: true }),
});

async function answer(server: RestServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const url = new URL(request.url ?? '/', server.url);
  const list = url.pathname.replace(/^\/api\/(plain\/)?/u, '');
  const isLogin = ['token', 'login', 'gettoken'].includes(list);
  const kept = (isLogin ? server.logins : server.asked) as Asked[];
  const asked = askedOf({ request, url, list, body }, server.mostPerPage, kept.length + 1);
  kept.push(asked);
  if (server.isSilent) return;
  server.before(asked);
  const usual = isLogin ? tokenFor(server, asked) : usualReply(server, asked);
  const reply = server.twist(asked, usual) ?? usual;
  const date = server.now === null ? {} : { date: new Date(server.now()).toUTCString() };
  response.sendDate = false;
  const { status = 200, headers = {}, body: given } = server.isEnveloped ? enveloped(reply) : reply;
  response.writeHead(status, { ...date, 'content-type': 'application/json', ...headers });
  if (typeof given === 'function') (given as (to: ServerResponse) => void)(response);
  else response.end(typeof given === 'string' ? given : jsonOf(given));
}

interface Came {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly list: string;
  readonly body: string;
}

function askedOf({ request, url, list, body }: Came, most: number, number: number): Asked {
  const { method = 'GET', headers } = request;
  const isForm = headers['content-type']?.includes('form') === true;
  const inBody = isForm
    ? Object.fromEntries(new URLSearchParams(body))
    : (JSON.parse(body || '{}') as Values);
  const values: Values = { ...Object.fromEntries(url.searchParams), ...inBody };
  const size = Math.min(Number(values['limit'] ?? most), most);
  const page = Number(values['page'] ?? 1) - 1;
  const after = /"after":"c(\d+)"/u.exec(JSON.stringify(values))?.[1];
  const start = Number(after ?? (page > 0 ? page * size : (values['skip'] ?? 0)));
  return { method, list, values, url: url.href, headers, start, size, number };
}

/** Returns a new token for a client that shows the secret, whether in a header, a form, JSON or the query. */
function tokenFor(server: RestServer, { values, headers, number }: Asked): Reply {
  const isKnown = [...Object.values(values), passwordIn(headers)].includes(server.secret);
  if (!isKnown) return { status: 401, body: { error: 'invalid_client' } };
  server.token = `t0ken-${number}`;
  return { body: { access_token: server.token, data: { token: server.token } } };
}

const basicIn = ({ authorization = '' }: Asked['headers']): string =>
  authorization.startsWith('Basic ') ? Buffer.from(authorization.slice(6), 'base64').toString() : '';
/** Returns the password as a form spells it (RFC 6749, section 2.3.1). */
const passwordIn = (asked: Asked['headers']): string | null =>
  new URLSearchParams(`password=${basicIn(asked).split(':')[1] ?? ''}`).get('password');

function usualReply(server: RestServer, asked: Asked): Reply {
  const { headers, values, list } = asked;
  const bearer = headers.authorization?.replace('Bearer ', '');
  const shown = [bearer, basicIn(headers), headers['x-api-key'], values['access_token']];
  if (server.token !== null && !shown.includes(server.token))
    return { status: 401, body: { message: `no token, or a wrong one: ${shown.join(' ')}` } };
  const [name = '', count] = list.split('/');
  const rows = server.lists[name];
  if (rows === undefined) return { status: 404, body: { message: 'no such list' } };
  return count === undefined ? pageReply(rows, asked) : { body: { n: rows.length } };
}

/** Returns the page of some records that is asked for, with all by which a client may go on. */
export function pageReply(
  rows: readonly Row[],
  { start, size, url }: Pick<Asked, 'start' | 'size' | 'url'>,
): Reply {
  const end = start + size;
  const data = rows.slice(start, end);
  const cursor = end < rows.length ? `c${end}` : null;
  const following = new URL(url);
  following.searchParams.set('after', cursor ?? '');
  const next = cursor === null ? null : following.href;
  const page: Page = { data, total: rows.length, more: cursor !== null, cursor, next };
  const link = `<${following.origin}>; rel="self"${next === null ? '' : `, <${next}>; rel="next"`}`;
  return { headers: { link }, body: url.includes('/plain/') ? data : page };
}

function enveloped({ status = 200, headers = {}, body }: Reply): Reply {
  if (typeof body !== 'object') return { headers, body };
  const said = status === 200 ? { code: 0 } : { code: status, msg: (body as { message?: string }).message };
  return { headers, body: { ...said, ...body } };
}
