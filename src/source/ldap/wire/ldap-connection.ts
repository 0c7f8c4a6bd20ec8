import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { Client, PresenceFilter, SearchRequest, type Filter, type SearchEntry } from 'ldapts';

import { SourceError } from '../../../domain/errors.ts';
import type { LdapSettings } from '../../../domain/source-settings.ts';
import { abortable } from '../../../lib/clock.ts';
import { stopped } from '../../connect/network-problem.ts';
import { tlsOptions } from '../../connect/tls-options.ts';
import { Answers, type AnswerPart } from './answers.ts';
import { BY_CERTIFICATE, ldapError, refusedBy, START_TLS, type LdapTask } from './ldap-error.ts';
import { PasswordPolicy } from './password-policy.ts';

/** Private part of ldapts, at the pinned version: its `unbind` has to count on from our requests. */
interface Counter {
  _nextMessageId(): number;
}

/** The answer to a search, under way. */
export interface Search {
  /**
   * Returns the next part of it: usually all, and of a large one as much as may wait here. After the part that
   * has a result there is none. Throws a `SourceError` or a `StoppedError` if it does not come to its end.
   */
  take(): Promise<AnswerPart>;
  /** Ignores everything that still comes of it. */
  drop(): void;
}

/** A search for few entries, which is not paged. */
export interface EntryLook {
  readonly base: string;
  /** Absent: the entry itself. */
  readonly scope?: 'base' | 'one' | 'sub';
  /** Absent: any. */
  readonly filter?: Filter;
  readonly attributes: readonly string[];
  readonly atMost?: number;
  /** Whether only the names of attributes are asked for. */
  readonly namesOnly?: boolean;
  /** Time limit of the server. */
  readonly seconds: number;
  /** Place in the configuration; absent: `source`. */
  readonly path?: string;
  /** What is done, for an error: `looking at its schema`. */
  readonly doing: string;
}

/** A whole answer: its result code, and its entries. */
interface PendingAnswer {
  readonly code: number;
  readonly entries: readonly SearchEntry[];
}

/** Result code of a search that found more than it may bring. */
export const SIZE_LIMIT = 4;

const ANYTHING: Filter = new PresenceFilter({ attribute: 'objectClass' });

/** Settings for one server, its password known. */
export type ServerSettings = Pick<LdapSettings, 'url' | 'startTls' | 'bindDn' | 'tls' | 'timeoutSeconds'> & {
  readonly bindPassword?: string | undefined;
};

/**
 * One connection, bound once, for one paged read. It is never made again after a loss: ldapts would go on
 * unbound, or send the password in clear text if StartTLS was used.
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
  /** ldapts reads the answers until the connection is bound, and this from then on. */
  readonly #answers = new Answers((reason) => {
    this.#lose(reason);
    this.#drop();
  });
  /** Sentences about the password, for whoever sees to the account. */
  warnings: readonly string[] = [];

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
      connection.#takeOver();
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
   * Sends a search; its answer is read at once, whether or not it is taken.
   * @param patience how many times as long as a usual one it may take
   */
  search(request: SearchRequest, task: LdapTask, patience = 1): Search {
    request.messageId = (this.#client as unknown as Counter)._nextMessageId();
    const timeout = this.#settings.timeoutSeconds * 1_000 * patience;
    const answer = this.#answers.send(request.messageId, request.write(), timeout);
    if (!this.isAlive) answer.fail(this.#lost.signal.reason as Error);
    return {
      take: async () =>
        answer.take().catch((error: unknown) => Promise.reject(this.#translated(error, task))),
      drop: () => answer.drop(),
    };
  }

  /**
   * Returns the whole answer to a search, decoded. Throws as `search` does, and if it ends with another code than
   * success or one of these.
   */
  async look(asked: EntryLook, alsoFine: readonly number[] = []): Promise<PendingAnswer> {
    const { base, scope = 'base', filter = ANYTHING, attributes, atMost, namesOnly, seconds, doing } = asked;
    const request = new SearchRequest({
      messageId: -1,
      baseDN: base,
      scope,
      filter,
      attributes: [...attributes],
      ...(atMost !== undefined && { sizeLimit: atMost }),
      timeLimit: Math.ceil(seconds),
      returnAttributeValues: namesOnly !== true,
    });
    const task = { server: this.server, path: asked.path ?? 'source', doing, base };
    const search = this.search(request, task);
    const entries: SearchEntry[] = [];
    for (;;) {
      const { entries: some, result } = await search.take();
      for (const entry of some) entries.push(entry.decode());
      if (result === null) continue;
      if (result.code !== 0 && !alsoFine.includes(result.code)) throw refusedBy(result, task);
      return { code: result.code, entries };
    }
  }

  /** Returns what a search shows; nothing if the server refuses it: it may hide what tells of itself. */
  async glimpse(asked: EntryLook): Promise<readonly SearchEntry[]> {
    try {
      return (await this.look(asked, [SIZE_LIMIT])).entries;
    } catch (error) {
      if (error instanceof SourceError && this.isAlive) return [];
      throw error;
    }
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
      await this.#guarded(this.#task(START_TLS), async () => this.#client.startTLS(options));
    }
    await this.#bind();
  }

  async #bind(): Promise<void> {
    const { bindDn = '', bindPassword = '', tls } = this.#settings;
    if (bindDn === '' && tls.certFile !== undefined) {
      const task = this.#task(`binding ${BY_CERTIFICATE}`);
      return this.#guarded(task, async () => this.#client.bindSASL('EXTERNAL'));
    }
    if (bindDn === '')
      return this.#guarded(this.#task('connecting'), async () => this.#client.bind('', bindPassword));
    const policy = new PasswordPolicy();
    const task = { ...this.#task(`binding as ${bindDn}`), whyRefused: () => policy.whyRefused() };
    await this.#guarded(task, async () => this.#client.bind(bindDn, bindPassword, policy.controls));
    const useless = policy.whyUseless();
    if (useless !== undefined) throw new SourceError(`${task.server}, ${task.doing}: ${useless}.`);
    if (policy.warning !== undefined)
      this.warnings = [`${task.server}: the password of ${bindDn} ${policy.warning}`];
  }

  /** Reads the answers from the socket that was made last, which with StartTLS is the encrypted one. */
  #takeOver(): void {
    const socket = this.#sockets.at(-1);
    if (socket !== undefined) this.#answers.listen(socket);
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
      throw this.#translated(error, task);
    } finally {
      clearTimeout(expired);
    }
  }

  #translated(error: unknown, task: LdapTask): Error {
    return this.#signal.aborted ? stopped() : ldapError(error, task);
  }

  #lose(reason: Error): void {
    if (this.#lost.signal.aborted) return;
    this.#lost.abort(reason);
    this.#answers.fail(reason);
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
