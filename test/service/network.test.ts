import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerOptions } from 'node:https';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../src/domain/errors.ts';
import { anyCall, clientOf, listen, says, signal, tempFolder, type Says, talks } from './file-server.ts';
import type { SettingsPatch } from './odd-server.ts';
import { startProxy } from './proxy.ts';
import { authority, openssl, type Authority, type Certificate } from '../servers/private-ca.ts';

const folder = tempFolder();
const at = (file: string): string => path.join(folder, file);
const PASSWORD = 'p@ss:w/rd';
const VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'NO_PROXY', 'no_proxy'];

let ca: Authority;
let other: Authority;
/** For localhost and 127.0.0.1; for another name; of rollcall itself; of a stranger. */
let [here, elsewhere, own, strange]: Certificate[] = [];

beforeAll(() => {
  ca = authority(folder, 'ca');
  other = authority(folder, 'other');
  here = ca.issue('here', 'DNS:localhost,IP:127.0.0.1');
  elsewhere = ca.issue('elsewhere', 'DNS:im.internal');
  own = ca.issue('own', 'DNS:rollcall');
  strange = other.issue('strange', 'DNS:rollcall');
});

const open: { close(): Promise<void> }[] = [];
beforeEach(() => environment());
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** Without the proxies of whoever runs the tests. */
function environment(variables: Readonly<Record<string, string>> = {}): void {
  for (const name of VARIABLES) vi.stubEnv(name, variables[name]);
}

interface Ground {
  readonly certificate?: Certificate;
  readonly server?: ServerOptions;
  readonly script?: readonly Says[];
  readonly host?: string;
}

/** A service with TLS, and a client of it with these settings. */
async function world(patch: SettingsPatch, ground: Ground = {}) {
  const { certificate = here!, server: more, script = [says.ok('yes')], host = '127.0.0.1' } = ground;
  const server = await listen(script, { cert: certificate.cert, key: certificate.key, ...more });
  const made = clientOf(`https://${host}:${server.port}`, patch);
  open.push(made.client, server);
  return { ...made, heard: server.heard, port: server.port };
}

/** OpenSSL's own server, which says in an alert what it holds against a certificate; Node's only hangs up. */
async function opensslWorld(patch: SettingsPatch, version: string) {
  const files = ['-cert', here!.certFile, '-key', here!.keyFile, '-CAfile', ca.caFile];
  const wants = ['-Verify', '1', '-verify_return_error', '-www', version];
  const server = spawn('openssl', ['s_server', '-accept', '127.0.0.1:0', ...files, ...wants]);
  const ended = once(server, 'exit');
  let said = '';
  server.stdout.on('data', (data: Buffer) => {
    said += data.toString();
  });
  await vi.waitFor(() => expect(said).toMatch(/ACCEPT .*:\d+/u), { timeout: 5000, interval: 10 });
  const made = clientOf(`https://127.0.0.1:${/ACCEPT .*:(\d+)/u.exec(said)?.[1]}`, patch);
  const close = async (): Promise<void> => {
    server.kill();
    await ended;
  };
  open.push(made.client, { close });
  return made;
}

const change = anyCall('POST /v1/x', { body: '{}' });
/** The code of the problem with which a call ends, `yes` if it went well. */
const endOf = async (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((error: unknown) => (error instanceof ServiceError ? error.problem : error));

const wants = (maxVersion: 'TLSv1.2' | 'TLSv1.3'): ServerOptions => ({
  ca: readFileSync(ca.caFile),
  requestCert: true,
  rejectUnauthorized: true,
  maxVersion,
});

const trusting = (proxy: string): SettingsPatch => ({ proxy, tls: { caFile: ca.caFile } });

const knows =
  (...tokens: readonly string[]): Says =>
  (response, one) =>
    (tokens.includes(one.url.searchParams.get('access_token') ?? '')
      ? says.ok('yes')
      : says.no(10_011, 'token not found.'))(response, one);

const talk = talks(open);
async function plainWorld(script: readonly Says[], patch: SettingsPatch = {}) {
  const made = await talk(script, patch);
  const sent = (): readonly (string | null)[] =>
    made.heard.map(({ url }) => url.searchParams.get('access_token'));
  return { ...made, sent };
}

/** A proxy that goes with the test. */
async function proxied(how: Parameters<typeof startProxy>[0] = {}) {
  const proxy = await startProxy(how);
  open.push(proxy);
  return { ...proxy, url: `http://127.0.0.1:${proxy.port}` };
}

const mine = (certificate?: Certificate) => ({
  caFile: ca.caFile,
  ...(certificate !== undefined && { certFile: certificate.certFile, keyFile: certificate.keyFile }),
});

describe('a certificate', () => {
  test.each([
    ['of an authority that is named', 'yes', () => mine(), () => here],
    ['of one that is not', 'service-certificate-untrusted', () => ({}), () => here],
    [
      'where another one is named',
      'service-certificate-untrusted',
      () => ({ caFile: other.caFile }),
      () => here,
    ],
    ['for another name', 'service-certificate-name', () => mine(), () => elsewhere],
  ] as const)('%s: %s, and nothing is tried again', async (...[, end, tls, certificate]) => {
    const { client, reports } = await world({ tls: tls() }, { certificate: certificate()! });
    expect(await endOf(client.call(change, signal))).toBe(end);
    expect(reports).toHaveLength(1);
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'of rollcall goes to who wants one, with %s',
    async (version) => {
      const { client } = await world({ tls: mine(own) }, { server: wants(version) });
      expect(await endOf(client.call(change, signal))).toBe('yes');
    },
  );

  test.each([
    ['-tls1_2', 'service-wants-certificate', () => mine()],
    ['-tls1_3', 'service-wants-certificate', () => mine()],
    ['-tls1_3', 'service-refuses-certificate', () => mine(strange)],
  ] as const)('that is missing or a stranger’s, with %s: %s', async (version, end, tls) => {
    const { client, reports } = await opensslWorld({ tls: tls() }, version);
    expect(await endOf(client.call(anyCall('GET /v1/x'), signal))).toBe(end);
    expect(reports).toHaveLength(1);
  });
});

test.each([
  ['that is not there', 'caFile: .*none.pem cannot be', () => ({ caFile: at('none.pem') })],
  ['that is no certificate', 'caFile: .* no certificate', () => ({ caFile: own!.keyFile })],
  [
    'that is damaged',
    'caFile: .*bad.pem is damaged; give the right file',
    () => {
      writeFileSync(at('bad.pem'), readFileSync(ca.caFile, 'utf8').replace(/\n[A-Za-z0-9+/]{9}/u, '\n'));
      return { caFile: at('bad.pem') };
    },
  ],
  ['that is no key', 'keyFile: .* holds no private key', () => ({ ...mine(own), keyFile: own!.certFile })],
  [
    'that is the key of another certificate',
    'keyFile: .* does not belong to .*own.pem',
    () => ({ ...mine(own), keyFile: here!.keyFile }),
  ],
  [
    'that needs a passphrase',
    'keyFile: .*locked.key needs a passphrase',
    () => {
      openssl('pkcs8', '-topk8', '-in', own!.keyFile, '-out', at('locked.key'), '-passout', 'pass:abc');
      return { ...mine(own), keyFile: at('locked.key') };
    },
  ],
])('a file of service.tls %s is told before anything is sent', (_, words, tls) => {
  const make = (): unknown => clientOf('https://127.0.0.1:1', { tls: tls() });
  expect(make).toThrow(expect.objectContaining({ problem: 'service-tls-file', exitCode: 2 }));
  expect(make).toThrow(new RegExp(`^service\\.tls\\.${words}`, 'u'));
});

describe('a proxy', () => {
  test('carries https and http in a tunnel, with user and password', async () => {
    const proxy = await proxied({ credentials: `me:${PASSWORD}` });
    const url = `http://me:${encodeURIComponent(PASSWORD)}@127.0.0.1:${proxy.port}`;
    const secure = await world(trusting(url), { host: 'localhost' });
    await expect(secure.client.call(change, signal)).resolves.toBe('yes');
    const plain = await plainWorld([says.ok('plain')], { proxy: url });
    await expect(plain.client.call(change, signal)).resolves.toBe('plain');
    expect(proxy.asked.map(({ target }) => target)).toEqual([
      `localhost:${secure.port}`,
      `127.0.0.1:${plain.port}`,
    ]);
  });

  test('with https and a private authority is trusted by service.tls.caFile', async () => {
    const proxy = await proxied({ tls: { cert: here!.cert, key: here!.key } });
    const url = `https://127.0.0.1:${proxy.port}`;
    const ends = [trusting(url), { proxy: url }].map(async (patch) => {
      const { client } = await world(patch);
      return endOf(client.call(change, signal));
    });
    expect(await Promise.all(ends)).toEqual(['yes', 'service-proxy-untrusted']);
  });

  test('behind which a certificate is not trusted: that is the service’s', async () => {
    const proxy = await proxied();
    const { client } = await world({ proxy: proxy.url });
    expect(await endOf(client.call(change, signal))).toBe('service-certificate-untrusted');
    const named = await world(trusting(proxy.url), { certificate: elsewhere! });
    expect(await endOf(named.client.call(change, signal))).toBe('service-certificate-name');
  });

  test.each([
    ['407', 'service-proxy-credentials', { credentials: 'a:b' }, 1],
    ['403', 'service-proxy', { status: 403 }, 1],
    ['502', 'service-proxy', { status: 502 }, 5],
    ['nothing', 'service-proxy', { manner: 'drop' }, 5],
  ] as const)('that answers %s: %s; the change never left', async (...[, end, how, attempts]) => {
    const proxy = await proxied(how);
    const url = `http://me:${encodeURIComponent(PASSWORD)}@127.0.0.1:${proxy.port}`;
    const { client, heard, reports } = await world(trusting(url));
    const error = await client.call(change, signal).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'SERVICE', problem: end });
    expect([heard.length, reports.length]).toEqual([0, attempts]);
    const all = inspect([error, reports], { depth: Infinity, showHidden: true, getters: true });
    expect(all).not.toMatch(/p%40ss|p@ss|cEBzc|bWU6c/u);
  });

  test('that answers nothing is given up after the time to connect, which is half of the deadline', async () => {
    const proxy = await proxied({ manner: 'silent' });
    const patch = { ...trusting(proxy.url), limits: { timeoutSeconds: 4 } };
    const { client, reports } = await world(patch);
    const stop = new AbortController();
    const asking = client.call(anyCall('GET /v1/x'), stop.signal);
    asking.catch(() => undefined);
    await vi.waitFor(() => expect(reports).not.toEqual([]), { timeout: 10_000, interval: 50 });
    expect(reports[0]?.reason).toMatch(/^is behind a proxy that cannot be reached \(it does not answer\)/u);
    stop.abort();
    await expect(asking).rejects.toMatchObject({ code: 'STOPPED' });
  });

  test('that is not there is told', async () => {
    const proxy = await startProxy();
    await proxy.close();
    const { client } = await world(trusting(`http://127.0.0.1:${proxy.port}`));
    expect(await endOf(client.call(change, signal))).toBe('service-proxy');
  });
});

describe('a proxy of the environment', () => {
  test('carries https, not what NO_PROXY names, and no http', async () => {
    const proxy = await proxied();
    const { url } = proxy;
    const tls = { caFile: ca.caFile };
    environment({ HTTPS_PROXY: url, HTTP_PROXY: url });
    await expect((await world({ tls })).client.call(change, signal)).resolves.toBe('yes');
    expect(proxy.asked).toHaveLength(1);
    const plain = await plainWorld([says.ok('plain')]);
    await expect(plain.client.call(change, signal)).resolves.toBe('plain');
    environment({ HTTPS_PROXY: url, NO_PROXY: 'example.com, 127.0.0.1' });
    await expect((await world({ tls })).client.call(change, signal)).resolves.toBe('yes');
    expect(proxy.asked).toHaveLength(1);
  });

  test('is not asked where service.proxy is set', async () => {
    const [proxy, unused] = [await proxied(), await proxied()];
    environment({ HTTPS_PROXY: unused.url });
    const { client } = await world(trusting(proxy.url));
    await client.call(change, signal);
    expect([proxy.asked.length, unused.asked.length]).toEqual([1, 0]);
  });

  test('that answers 407 is named as HTTPS_PROXY', async () => {
    const proxy = await proxied({ credentials: 'a:b' });
    environment({ HTTPS_PROXY: proxy.url });
    const { client } = await world({ tls: mine() });
    await expect(client.call(change, signal)).rejects.toMatchObject({
      problem: 'service-proxy-credentials',
      message: expect.stringContaining('(HTTPS_PROXY)') as string,
    });
  });

  test('whose URL is none is a mistake of the configuration, told without it', () => {
    environment({ HTTPS_PROXY: `http://me:${PASSWORD}@[` });
    let error: unknown;
    try {
      clientOf('https://127.0.0.1:1');
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ problem: 'service-proxy-url' });
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('rd@');
  });
});

describe('the token of an application', () => {
  const schedule = anyCall('POST /v1/apps/schedules', { body: '{}', identity: 'application' });

  test('that is missing is told before anything is sent', async () => {
    const { client, sent } = await plainWorld([knows('person')], { token: 'person' });
    await expect(client.call(schedule, signal)).rejects.toThrow(
      expect.objectContaining({ problem: 'service-no-app-token', exitCode: 2 }),
    );
    expect(sent()).toEqual([]);
  });

  test('is read again by itself, and the other one too; each is told to the log', async () => {
    const [file, appFile] = [at('token'), at('app-token')];
    writeFileSync(file, 'person');
    writeFileSync(appFile, 'app-old');
    const patch = { token: { file }, appToken: { file: appFile } };
    const { client, sent, tokens } = await plainWorld([knows('person', 'app-new', 'person-new')], patch);
    await client.call(change, signal);
    // Neither of the files is read again where the other token is refused.
    writeFileSync(file, 'person-changed');
    await expect(client.call(schedule, signal)).rejects.toMatchObject({
      problem: 'service-token-unknown',
      message: expect.stringMatching(/see service\.appToken/u) as string,
    });
    writeFileSync(appFile, 'app-new');
    await client.call(schedule, signal);
    await client.call(change, signal);
    expect(sent()).toEqual(['person', 'app-old', 'app-old', 'app-old', 'app-new', 'person']);
    expect(tokens).toEqual(['person', 'app-old', 'app-old', 'app-new']);
  });

  test('that is empty is told with its own key', async () => {
    const { client } = await plainWorld([knows('x')], { appToken: ' ' });
    await expect(client.call(schedule, signal)).rejects.toThrow(/^service\.appToken: /u);
  });
});
