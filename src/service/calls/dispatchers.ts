import { rootCertificates } from 'node:tls';
import { Agent, buildConnector, EnvHttpProxyAgent, Pool, ProxyAgent, type Dispatcher } from 'undici';
import type { ServiceSettings } from '../../domain/settings.ts';
import { ProxyTrouble } from './failures.ts';
import { readTlsFiles, type TlsPems } from '../../lib/http/tls-files.ts';
import { serviceConfigProblem } from '../wire/problems.ts';

export type NetworkSettings = Pick<ServiceSettings, 'baseUrl' | 'limits' | 'tls' | 'proxy'>;

/** Connections to the service. */
export interface Dispatchers {
  /** Keeps its connections for a while. */
  readonly pooled: Dispatcher;
  /** Opens a connection for each request: on a kept one it gets lost if the server closes that just then. */
  readonly single: Dispatcher;
}

/**
 * Milliseconds that an idle connection is kept, shorter than on any server: one that the server is about to
 * close must not be used again.
 */
const IDLE_MS = 1000;
const CONNECT_SECONDS = 10;
const ENVIRONMENT = 'the environment (HTTPS_PROXY)';

/**
 * Makes the connections: through `service.proxy`; without it, and only to https, through the proxy of the
 * environment (HTTPS_PROXY, NO_PROXY, as undici reads them); else directly. A proxy is always asked for a
 * tunnel (CONNECT, RFC 9110 section 9.3.6). Throws a ConfigError about a file of `service.tls` or a variable
 * of the environment.
 */
export function dispatchersOf(settings: NetworkSettings): Dispatchers {
  // Well before the deadline: what got no connection has not left, and that must be known.
  const timeout = Math.min(CONNECT_SECONDS, settings.limits.timeoutSeconds / 2) * 1000;
  const tls = readTlsFiles(settings.tls ?? {}, (key, reason, cause) =>
    serviceConfigProblem('service-tls-file', { key, reason }, { cause }),
  );
  const options = {
    connections: settings.limits.concurrency,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    // The transport has one deadline for all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const make = makerOf(settings, tls, timeout);
  return { pooled: make(options), single: make({ ...options, pipelining: 0 }) };
}

type Maker = (options: Agent.Options) => Dispatcher;

function makerOf({ baseUrl, proxy }: NetworkSettings, tls: TlsPems, timeout: number): Maker {
  const secure = { ...tls, timeout };
  const connect = hearingAlerts(secure);
  const through = (place: string): Omit<ProxyAgent.Options, 'uri'> => ({
    requestTls: secure,
    proxyTls: { ...proxyTls(tls), timeout },
    clientFactory: (origin, options) =>
      new TunnelPool(origin, { ...options, headersTimeout: timeout }, place),
  });
  if (proxy !== undefined) {
    const { origin, authorization } = proxyAddress(proxy);
    const token = authorization === null ? {} : { token: authorization };
    return (options) => new ProxyAgent({ ...options, ...through('service.proxy'), ...token, uri: origin });
  }
  if (!/^https:/iu.test(baseUrl)) return (options) => new Agent({ ...options, connect });
  return (options) => fromEnvironment({ ...options, ...through(ENVIRONMENT), connect });
}

/**
 * Returns a connector whose connections end at an alert of TLS 1.3, which comes after the handshake: undici
 * would wait for the end that follows, and tell that instead. Behind a proxy there is no place for it.
 */
function hearingAlerts(options: buildConnector.BuildOptions): buildConnector.connector {
  const connector = buildConnector(options);
  return (to, callback) =>
    connector(to, (...[error, socket]) => {
      socket?.once('error', () => socket.destroy());
      if (error === null) callback(null, socket);
      else callback(error, null);
    });
}

/** The cause is left out: it holds the URL, which may hold a password. */
function fromEnvironment(options: EnvHttpProxyAgent.Options): Dispatcher {
  try {
    return new EnvHttpProxyAgent(options);
  } catch {
    throw serviceConfigProblem('service-proxy-url', {});
  }
}

/** Splits off user and password: undici leaves out a user without password. */
function proxyAddress(proxy: string): { readonly origin: string; readonly authorization: string | null } {
  const { origin, username, password } = new URL(proxy);
  if (username + password === '') return { origin, authorization: null };
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { origin, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** A proxy with https is trusted by the public authorities too, and is shown no certificate of ours. */
function proxyTls({ ca }: TlsPems): { readonly ca?: string[] } {
  return ca === undefined ? {} : { ca: [...rootCertificates, ca] };
}

/** Connections to the proxy itself. Their errors are kept apart from errors of the service behind it. */
class TunnelPool extends Pool {
  readonly #place: string;

  constructor(origin: URL, options: Pool.Options, place: string) {
    super(origin, options);
    this.#place = place;
  }

  /** Returns the tunnel. Throws ProxyTrouble if there is none; undici's ProxyAgent passes it on. */
  override async connect(to: Dispatcher.ConnectOptions): Promise<never> {
    const data = await super.connect(to).catch((cause: unknown) => {
      throw new ProxyTrouble(this.#place, null, cause);
    });
    if (data.statusCode === 200) return data as never;
    data.socket.on('error', () => undefined).destroy();
    throw new ProxyTrouble(this.#place, data.statusCode);
  }
}
