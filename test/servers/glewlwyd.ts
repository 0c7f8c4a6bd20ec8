import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { endingsOf, freePort, startDaemon } from './daemon.ts';
import { scratchFolder } from './scratch.ts';

/** A user as glewlwyd has it; `department`, `title` and `team` are attributes of ours. */
export interface GlewlwydUser {
  readonly username: string;
  readonly name?: string;
  readonly email?: string;
  readonly enabled?: boolean;
  readonly department?: string;
  readonly title?: string;
  readonly team?: readonly string[];
}

/** A real identity provider: users over HTTP with offset and limit, and tokens of OAuth 2.0 for clients. */
export interface Glewlwyd {
  /** Before `/user/`. */
  readonly url: string;
  /** Opens the list of users, in the header `Authorization: token KEY`. */
  readonly apiKey: string;
  readonly tokenUrl: string;
  /** Clients, by where they have to name themselves: in the header or in the body. */
  readonly clients: Readonly<Record<'basic' | 'body', { readonly id: string; readonly secret: string }>>;
  readonly scope: string;
  add(users: readonly GlewlwydUser[]): Promise<void>;
  change(username: string, values: Partial<GlewlwydUser>): Promise<void>;
  remove(username: string): Promise<void>;
  /** Whether it gave this token to that client, and still takes it (RFC 7662). */
  knows(token: string, place: 'basic' | 'body'): Promise<boolean>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const SCHEMA = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3';
/** The account that the schema brings. */
const ADMIN = { username: 'admin', password: 'password' };
const CLIENTS = {
  basic: { id: 'rollcall', secret: 'client-secret' },
  body: { id: 'poster', secret: 'post-secret' },
};
const SCOPE = 'users.read';
const OWN_ATTRIBUTES = ['department', 'title', 'team'];

/** Starts glewlwyd on a free loopback port, with its database in a temporary folder. */
export async function startGlewlwyd(): Promise<Glewlwyd> {
  const folder = scratchFolder('glewlwyd');
  const port = await freePort();
  const [configFile, logFile] = [join(folder, 'conf'), join(folder, 'log')];
  writeFileSync(configFile, configuration(folder, port));
  writeFileSync(logFile, '');
  makeDatabase(join(folder, 'db'));
  const args = ['--config-file', configFile];
  const daemon = await startDaemon({ command: '/usr/bin/glewlwyd', args, port, logFile, account: null });
  const url = `http://127.0.0.1:${port}/api`;
  const apiKey = await makeApiKey(url);
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> =>
    ask(method, url + path, { authorization: `token ${apiKey}` }, body);
  await giveTokens(call);
  return {
    url,
    apiKey,
    tokenUrl: `${url}/oidc/token`,
    clients: CLIENTS,
    scope: SCOPE,
    async add(users) {
      for (const user of users) await call('POST', '/user/', { enabled: true, scope: [], ...user });
    },
    async change(username, values) {
      const path = `/user/${encodeURIComponent(username)}`;
      await call('PUT', path, { ...((await call('GET', path)) as GlewlwydUser), ...values });
    },
    async remove(username) {
      await call('DELETE', `/user/${encodeURIComponent(username)}`);
    },
    async knows(token, place) {
      const { id, secret } = CLIENTS[place];
      const headers = { authorization: `Basic ${btoa(`${id}:${secret}`)}` };
      const named = { token, ...(place === 'body' && { client_id: id, client_secret: secret }) };
      const form = new URLSearchParams(named);
      const answer = await ask('POST', `${url}/oidc/introspect`, place === 'body' ? {} : headers, form);
      return (answer as { readonly active: boolean }).active;
    },
    ...endingsOf(() => daemon, folder),
  };
}

function configuration(folder: string, port: number): string {
  const plugins = ['user', 'client', 'plugin'].map((one) => `${one}_module_path="/usr/lib/glewlwyd/${one}"`);
  return [
    `port=${port}`,
    'bind_address="127.0.0.1"',
    `external_url="http://127.0.0.1:${port}"`,
    'login_url="login.html"',
    'api_prefix="api"',
    'log_mode="console"',
    'log_level="WARNING"',
    'cookie_secure=0',
    'admin_session_authentication="cookie,api_key"',
    'admin_scope="g_admin"',
    'profile_scope="g_profile"',
    ...plugins,
    'user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"',
    'hash_algorithm="SHA512"',
    `database = { type = "sqlite3"; path = "${join(folder, 'db')}"; };`,
    '',
  ].join('\n');
}

function makeDatabase(file: string): void {
  const format = OWN_ATTRIBUTES.map((name) => [
    name,
    { multiple: name === 'team', read: true, write: true, 'profile-read': false, 'profile-write': false },
  ]);
  const parameters = { 'use-glewlwyd-connection': true, 'data-format': Object.fromEntries(format) };
  const db = new Database(file);
  db.exec(readFileSync(SCHEMA, 'utf8'));
  db.prepare('update g_user_module_instance set gumi_parameters = ?').run(JSON.stringify(parameters));
  db.close();
}

async function makeApiKey(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const session = await fetch(`${url}/auth/`, { method: 'POST', headers, body: JSON.stringify(ADMIN) });
  const cookie = session.headers.getSetCookie().map((one) => one.split(';')[0]);
  const { key } = (await ask('POST', `${url}/key/`, { cookie: cookie.join('; ') })) as { key: string };
  return key;
}

/** Lets the clients have tokens by the grant client_credentials. */
async function giveTokens(call: (method: string, path: string, body: unknown) => unknown): Promise<void> {
  const off = ['token', 'id-token', 'none', 'password', 'refresh'].map((one) => [
    `auth-type-${one}-enabled`,
    false,
  ]);
  await call('POST', '/scope/', { name: SCOPE, display_name: SCOPE, password_required: false });
  await call('POST', '/mod/plugin/', {
    module: 'oidc',
    name: 'oidc',
    parameters: {
      url: 'oidc',
      iss: 'https://idp.example.com',
      'jwt-type': 'sha',
      'jwt-key-size': '256',
      key: 'signing-key',
      'access-token-duration': 3_600,
      'refresh-token-duration': 3_600,
      'code-duration': 600,
      'refresh-token-rolling': true,
      'allow-non-oidc': true,
      ...Object.fromEntries(off),
      'auth-type-code-enabled': true,
      'auth-type-client-enabled': true,
      scope: [],
      'introspection-revocation-allowed': true,
      'introspection-revocation-allow-target-client': true,
    },
  });
  for (const [place, { id, secret }] of Object.entries(CLIENTS)) {
    await call('POST', '/client/', {
      client_id: id,
      client_secret: secret,
      confidential: true,
      enabled: true,
      scope: [SCOPE],
      authorization_type: ['client_credentials'],
      token_endpoint_auth_method: [place === 'body' ? 'client_secret_post' : 'client_secret_basic'],
    });
  }
}

async function ask(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<unknown> {
  const isForm = body instanceof URLSearchParams;
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(!isForm && body !== undefined && { 'content-type': 'application/json' }) },
    body: isForm || body === undefined ? (body ?? null) : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`glewlwyd answers ${method} ${url} with ${answer.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}
