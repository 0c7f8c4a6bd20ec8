import { join } from 'node:path';
import { request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';

/** Parsed by nobody's code but JSON.parse: long numbers become `'…n'`, so that a lost digit or a string shows. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test looks into answers of every shape
export type Json = any;

export interface Reply {
  readonly http: number;
  readonly headers: Headers;
  readonly text: string;
  readonly status: number;
  readonly message: string;
  readonly result: Json;
}

export interface Wire {
  readonly sandbox: Sandbox;
  readonly org: string;
  readonly get: (path: string, query?: Readonly<Record<string, string>>) => Promise<Reply>;
  readonly post: (path: string, body?: unknown) => Promise<Reply>;
  readonly del: (path: string) => Promise<Reply>;
  readonly raw: (method: string, path: string, init?: RequestInit) => Promise<Response>;
  /** Imports one node below the parent and answers its id. */
  readonly node: (name: string, parentId?: string, more?: object) => Promise<string>;
  /** Imports people with one position each; answers the ids by username. */
  readonly people: (
    orgId: string,
    ...usernames: readonly string[]
  ) => Promise<Readonly<Record<string, string>>>;
}

/** Paths whose operations take `domain_id`. */
const WITH_DOMAIN = /\/organizations\/[^/]+\/(?:employees|page-orgs|view|serial\/[^/]+|tree|list-all)$/u;

export async function open(options: SandboxOptions = {}): Promise<Wire> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return wireTo(sandbox);
}

/** A file for the data of a sandbox, which goes with the test. */
export function dataFile(): string {
  const folder = scratchFolder('sandbox');
  onTestFinished(() => removeFolder(folder));
  return join(folder, 'state.db');
}

export function wireTo(sandbox: Sandbox): Wire {
  const org = `/v1/admin/organizations/${sandbox.orgCode}`;
  const raw = (method: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(path, sandbox.baseUrl);
    url.searchParams.set('access_token', sandbox.token);
    if (method === 'GET' && WITH_DOMAIN.test(url.pathname))
      url.searchParams.set('domain_id', sandbox.domainId);
    return fetch(url, { method, ...init });
  };
  const send = async (method: string, path: string, init?: RequestInit): Promise<Reply> =>
    read(await raw(method, path, init));
  const post = (path: string, body?: unknown): Promise<Reply> => send('POST', path, jsonBody(body));
  return {
    sandbox,
    org,
    raw,
    post,
    get: (path, query = {}) => send('GET', `${path}?${new URLSearchParams(query).toString()}`),
    del: (path) => send('DELETE', path),
    node: async (name, parentId = sandbox.rootId, more = {}) => {
      const reply = await post(`${org}/import-orgs`, [{ name, type: 'DEPT', parent_id: parentId, ...more }]);
      const [id] = Object.values(reply.result.successes);
      if (typeof id !== 'string') throw new Error(`not imported: ${reply.text}`);
      return id;
    },
    people: async (orgId, ...usernames) => {
      const reply = await post(
        `${org}/import-employees`,
        usernames.map((username) => person(username, orgId)),
      );
      const entries = Object.entries<string>(reply.result.successes);
      if (entries.length < usernames.length) throw new Error(`not imported: ${reply.text}`);
      return Object.fromEntries(entries.map(([username, id]) => [username, id.slice(0, -1)]));
    },
  };
}

export function person(username: string, orgId: string, more: object = {}): object {
  return { username, name: `Name of ${username}`, positions: [{ org_id: orgId, primary: true }], ...more };
}

export function jsonBody(body: unknown): RequestInit {
  if (body === undefined) return {};
  // A Long: JSON.stringify cannot write one with all its digits.
  const text =
    typeof body === 'string' ? body : JSON.stringify(body).replaceAll(/"org_id":"(\d+)"/gu, '"org_id":$1');
  return { body: text, headers: { 'Content-Type': 'application/json' } };
}

export async function read(response: Response): Promise<Reply> {
  const text = await response.text();
  const parsed: Json = JSON.parse(text.replaceAll(/(?<=[:[,])(\d{16,})(?=[,}\]])/g, '"$1n"'));
  return { http: response.status, headers: response.headers, text, ...parsed };
}

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Told {
  readonly http: number;
  readonly text: string;
}

/** Sends what `fetch` does not let a test send. */
export async function ask(
  { sandbox }: Wire,
  { method = 'GET', path, headers = {}, body }: Sent,
): Promise<Told> {
  const address = new URL(sandbox.baseUrl);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: address.hostname, port: address.port, method, path, headers },
      (response) => {
        void readText(response).then(
          (whole) => resolve({ http: response.statusCode ?? 0, text: whole }),
          reject,
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
