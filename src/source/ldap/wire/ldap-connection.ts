import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { Client, type SearchRequest, type SearchResponse } from 'ldapts';

import type { LdapSettings } from '../../../domain/source-settings.ts';
import { abortable } from '../../../lib/abortable.ts';
import { stopped } from '../../connect/stopped.ts';
import { tlsOptions } from '../../connect/tls-options.ts';
import { ldapError, type LdapTask } from './ldap-error.ts';

/**
 * Private part of ldapts, at the pinned version. Its public searches hide the cookie of paging, which is the
 * only proof of a complete read (an empty page with a cookie ends them as if everything was read).
 */
interface Wire {
  _send(message: SearchRequest): Promise<SearchResponse | undefined>;
  _nextMessageId(): number;
}

/** Settings for one server, its password known. */
export type ServerSettings = Pick<
  LdapSettings,
  'url' | 'startTls' | 'bind' | 'bindDn' | 'tls' | 'timeoutSeconds'
> & { readonly bindPassword?: string | undefined };

/**
 * One connection, bound once, for one paged read. It is never made again after a loss: ldapts would go on
 * unbound, or send the password in clear text where StartTLS was used.
 */
export class LdapConnection {
  readonly #client: Client;
  readonly #sockets: Socket[] = [];
  readonly #settings: ServerSettings;
  readonly #signal: AbortSignal;
  /**
   * Aborted when the connection is lost. A promise that raced with every answer would keep all answers in
   * memory.
   */
  readonly #lost = new AbortController();

  private constructor(settings: ServerSettings, signal: AbortSignal) {
    this.#settings = settings;
    this.#signal = signal;
    this.#client = this.#createClient();
    signal.addEventListener('abort', this.#drop);
  }

  /** Connects, upgrades to TLS and binds. Throws a `SourceError`, a `ConfigError` or a `StoppedError`. */
  static async open(settings: ServerSettings, signal: AbortSignal): Promise<LdapConnection> {
    if (signal.aborted) throw stopped();
    const connection = new LdapConnection(settings, signal);
    try {
      await connection.#start();
      return connection;
    } catch (error) {
      connection.#drop();
      throw error;
    }
  }

  get isAlive(): boolean {
    return !this.#lost.signal.aborted;
  }

  /** Returns the address of the server, without credentials. */
  get server(): string {
    return serverOf(this.#settings.url);
  }

  /**
   * Sends one request and returns its answer; rejects when the connection ends, the time is over or the
   * signal aborts.
   */
  async send(request: SearchRequest, task: LdapTask): Promise<SearchResponse> {
    const wire = this.#client as unknown as Wire;
    return this.#guarded(task, async () => {
      request.messageId = wire._nextMessageId();
      const response = await wire._send(request);
      if (response === undefined) throw new Error('the server gave no answer');
      return response;
    });
  }

  async close(): Promise<void> {
    if (!this.#lost.signal.aborted)
      await abortable(this.#client.unbind(), this.#lost.signal).catch(() => undefined);
    this.#drop();
  }

  async #start(): Promise<void> {
    const { url, startTls } = this.#settings;
    if (startTls) {
      const options = tlsOptions(this.#settings.tls, hostOf(url));
      await this.#guarded(this.#task('StartTLS'), async () => this.#client.startTLS(options));
    }
    await this.#bind();
  }

  async #bind(): Promise<void> {
    const { bind, bindDn = '', bindPassword = '' } = this.#settings;
    if (bind === 'external') {
      const task = this.#task('binding by the certificate in source.tls.certFile');
      return this.#guarded(task, async () => this.#client.bindSASL('EXTERNAL'));
    }
    const task = this.#task(bindDn === '' ? 'connecting' : `binding as ${bindDn}`);
    return this.#guarded(task, async () => this.#client.bind(bindDn, bindPassword));
  }

  #task(doing: string): LdapTask {
    return { server: this.server, path: 'source', doing };
  }

  #createClient(): Client {
    const { url, tls, timeoutSeconds } = this.#settings;
    const secure = new URL(url).protocol === 'ldaps:';
    return new Client({
      url,
      timeout: timeoutSeconds * 1_000,
      connectTimeout: timeoutSeconds * 1_000,
      createConnection: this.#once(connectTcp),
      createSecureConnection: this.#once(connectTls),
      ...(secure && { tlsOptions: tlsOptions(tls, hostOf(url)) }),
    });
  }

  /**
   * Returns a socket factory that works once and reports when its socket closes, which ldapts does not after
   * StartTLS.
   */
  #once<T extends typeof connectTcp | typeof connectTls>(connect: T): T {
    let used = false;
    const factory = (...args: readonly unknown[]): Socket => {
      if (used) throw new Error('the connection was lost');
      used = true;
      const socket = (connect as (...all: readonly unknown[]) => Socket)(...args);
      socket.once('close', () => this.#lose(new Error('the server closed the connection')));
      this.#sockets.push(socket);
      return socket;
    };
    return factory as T;
  }

  async #guarded<T>(task: LdapTask, work: () => Promise<T>): Promise<T> {
    const limit = this.#settings.timeoutSeconds * 1_000;
    const expired = setTimeout(() => this.#lose(new Error('timed out')), limit + 1_000);
    try {
      return await abortable(work(), this.#lost.signal);
    } catch (error) {
      throw this.#signal.aborted ? stopped() : ldapError(error, task);
    } finally {
      clearTimeout(expired);
    }
  }

  #lose(reason: Error): void {
    if (!this.#lost.signal.aborted) this.#lost.abort(reason);
  }

  readonly #drop = (): void => {
    this.#signal.removeEventListener('abort', this.#drop);
    for (const socket of this.#sockets) socket.destroy();
    this.#lose(new Error('the connection was closed'));
  };
}

/** Returns scheme, host and port. */
export function serverOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `the LDAP server ${protocol}//${host}`;
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(?<ip>.*)\]$/, '$<ip>') || 'localhost';
}
