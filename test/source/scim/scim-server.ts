import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { scimFilter } from './scim-filter.ts';

export type Resource = Readonly<Record<string, unknown>>;

/** What a server makes of a request in place of the usual answer; `null`: the usual one. */
export type Twist = (asked: Asked, list: Answer) => Twisted | null;

export interface Asked {
  readonly resource: string;
  readonly startIndex: number;
  readonly count: number;
  readonly filter: string | null;
  /** Names of the attributes that are wanted; empty: all. */
  readonly attributes: readonly string[];
  /** Number of this request, from 1. */
  readonly number: number;
  readonly token: string;
}

export interface Answer {
  readonly totalResults: unknown;
  readonly startIndex?: unknown;
  readonly itemsPerPage?: number;
  readonly Resources?: unknown;
}

export interface Twisted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or a text as it is. */
  readonly body: unknown;
}

export interface ScimServer {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Lists by the path of their resource. */
  lists: Readonly<Record<string, readonly Resource[]>>;
  /** Largest page that it gives. */
  mostPerPage: number;
  twist: Twist;
  /** Whether it takes filters; otherwise it answers as if there were none. */
  takesFilters: boolean;
  /** Its clock; `null`: it does not tell the time. */
  now: (() => number) | null;
  /** Whether it takes requests and never answers. */
  isSilent: boolean;
  close(): Promise<void>;
}

/** Starts a small SCIM server that pages as RFC 7644 has it, and otherwise does what a test wants. */
export async function startScim(
  lists: ScimServer['lists'],
  tls: { readonly certFile: string; readonly keyFile: string } | null = null,
): Promise<ScimServer> {
  const asked: Asked[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse): void => answer(request, response);
  const http =
    tls === null
      ? createServer(listener)
      : createSecure({ cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) }, listener);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const server: ScimServer = {
    url: `${tls === null ? 'http' : 'https'}://127.0.0.1:${port}/scim/v2`,
    asked,
    lists,
    mostPerPage: 1_000,
    twist: () => null,
    takesFilters: true,
    now: () => Date.now(),
    isSilent: false,
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', server.url);
    const one: Asked = {
      resource: pathname.replace('/scim/v2/', ''),
      ...listAsked(searchParams),
      number: asked.length + 1,
      token: (request.headers.authorization ?? '').replace('Bearer ', ''),
    };
    asked.push(one);
    if (server.isSilent) return;
    const list = pageOf(server, one);
    const {
      status = 200,
      headers = {},
      body,
    } = server.twist(one, list) ?? byId(server, one) ?? { body: list };
    response.sendDate = false;
    const date: Twisted['headers'] =
      server.now === null ? {} : { date: new Date(server.now()).toUTCString() };
    response.writeHead(status, {
      ...date,
      'content-type': 'application/scim+json',
      ...headers,
    });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
  return server;
}

/** Returns the answer to a question for one resource by its id; `null`: a list is asked for. */
function byId({ lists }: ScimServer, { resource }: Asked): Twisted | null {
  const [name = '', id] = resource.split('/');
  if (id === undefined) return null;
  const body = lists[name]?.find((one) => one['id'] === decodeURIComponent(id));
  return body === undefined ? { status: 404, body: { detail: 'No such resource' } } : { body };
}

/** Makes a server that shows members of groups only to those who ask for one group by its id. */
export const hidingMembers: Twist = ({ resource }, list) => {
  if (resource !== 'Groups') return null;
  const groups = list.Resources as readonly Resource[];
  return { body: { ...list, Resources: groups.map((one) => ({ ...one, members: undefined })) } };
};

/** Twists the answers to questions with a filter alone. */
export const onFilter =
  (twist: Twist): Twist =>
  (asked, list) =>
    asked.filter === null ? null : twist(asked, list);

function listAsked(query: URLSearchParams): Pick<Asked, 'startIndex' | 'count' | 'filter' | 'attributes'> {
  return {
    startIndex: Number(query.get('startIndex') ?? 1),
    count: Number(query.get('count') ?? 100),
    filter: query.get('filter'),
    attributes: query.get('attributes')?.split(',') ?? [],
  };
}

function pageOf({ lists, mostPerPage, takesFilters }: ScimServer, asked: Asked): Answer {
  const { resource, startIndex, count, filter, attributes } = asked;
  const isWanted = takesFilters && filter !== null ? scimFilter(filter) : () => true;
  const all = (lists[resource] ?? []).filter((one) => isWanted(one));
  const page = all.slice(startIndex - 1, startIndex - 1 + Math.min(count, mostPerPage));
  const Resources = page.map((one) => picked(one, attributes));
  return { totalResults: all.length, startIndex, itemsPerPage: Resources.length, Resources };
}

function picked(resource: Resource, attributes: readonly string[]): Resource {
  if (attributes.length === 0) return resource;
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => name === 'id' || attributes.includes(name)),
  );
}
