import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import {
  AbandonRequest,
  BindRequest,
  Control,
  ExtendedRequest,
  PresenceFilter,
  SearchRequest,
  UnbindRequest,
  type Filter,
} from 'ldapts';
import { SourceError } from '../../../domain/errors.ts';
import type { LdapSettings } from '../settings/ldap-settings.ts';
import { isLoopback } from '../../../domain/text/loopback.ts';
import { stopped } from '../../connect/network-problem.ts';
import { tlsOptions } from '../../connect/tls-options.ts';
import { Answer, type AnswerPart } from './answer.ts';
import { MessageReader, ProtocolError } from './ber.ts';
import type { Entry } from './entry.ts';
import {
  BY_CERTIFICATE,
  DisconnectedError,
  ldapError,
  ldapProblem,
  placeOf,
  refusedBy,
  SilentError,
  START_TLS,
  type LdapTask,
} from './ldap-problems.ts';
import { OPERATION, parseMessage, type LdapResult, type Message } from './message.ts';
import { POLICY, policyOf } from './password-policy.ts';

/** What is asked of a server. */
export interface SearchAsk {
  readonly base: string;
  /** Absent: the entry itself. */
  readonly scope?: 'base' | 'one' | 'sub' | undefined;
  /** Absent: any. */
  readonly filter?: Filter | undefined;
  /** Empty: all. */
  readonly attributes: readonly string[];
  readonly atMost?: number;
  readonly controls?: readonly Control[];
  /** How many times as long as a usual answer it may take. */
  readonly patience?: number;
  /** Place in the configuration; absent: `source`. */
  readonly path?: string;
  /** What is done, for an error: `looking at its schema`. */
  readonly doing: string;
}

/** The answer to a search, under way. */
export interface Search {
  readonly task: LdapTask;
  /**
   * Returns the next part of it: usually all, and of a large one as much as may wait here. After the part that
   * has a result there is none. Throws a `SourceError` or a `StoppedError` if it does not come to its end.
   */
  take(): Promise<AnswerPart>;
  /** Ignores everything that still comes of it. */
  drop(): void;
}

/** Result code of a search that found more than it may bring. */
export const SIZE_LIMIT = 4;
/** Seconds in which a server has to answer. */
const SECONDS = 60;

const ANYTHING: Filter = new PresenceFilter({ attribute: 'objectClass' });
const START_TLS_OID = '1.3.6.1.4.1.1466.20037';
const NOTICE_OF_DISCONNECTION = '1.3.6.1.4.1.1466.20036';

/** One server, its password known. */
export type Server = Pick<LdapSettings, 'url' | 'startTls' | 'bindDn' | 'tls' | 'seconds'> & {
  readonly bindPassword?: string | undefined;
};

/** One connection, bound once. It is never made again after a loss. */
export class LdapConnection {
  readonly #server: Server;
  readonly #signal: AbortSignal;
  readonly #sockets: Socket[] = [];
  readonly #answers = new Map<number, Answer>();
  /** Searches whose answers nobody waits for any more. */
  readonly #dropped = new Set<number>();
  #lastId = 0;
  #lost: Error | null = null;
  /** Sentences about the password, for whoever sees to the account. */
  warnings: readonly string[] = [];

  private constructor(server: Server, signal: AbortSignal) {
    this.#server = server;
    this.#signal = signal;
  }

  /** Connects, upgrades to TLS and binds. Throws a `SourceError`, a `ConfigError` or a `StoppedError`. */
  static async open(server: Server, signal: AbortSignal): Promise<LdapConnection> {
    if (signal.aborted) throw stopped();
    const connection = new LdapConnection(server, signal);
    signal.addEventListener('abort', connection.#stop);
    try {
      await connection.#connect();
      await connection.#bind();
      return connection;
    } catch (error) {
      connection.#lose(new Error('the connection was closed'));
      throw error;
    }
  }

  get isAlive(): boolean {
    return this.#lost === null;
  }

  /** Returns the address of the server, without credentials. */
  get server(): string {
    return serverOf(this.#server.url);
  }

  /** Sends a search; its answer is read at once, whether or not it is taken. */
  search(asked: SearchAsk): Search {
    const { base, scope = 'base', filter = ANYTHING, atMost, controls = [], patience = 1 } = asked;
    const { path = 'source', doing } = asked;
    const task = { server: this.server, path, doing };
    const messageId = this.#nextId();
    const seconds = this.#seconds * patience;
    const request = new SearchRequest({
      messageId,
      baseDN: base,
      scope,
      filter,
      attributes: [...asked.attributes],
      ...(atMost !== undefined && { sizeLimit: atMost }),
      timeLimit: Math.ceil(seconds),
      controls: [...controls],
    });
    const answer = this.#send(request, OPERATION.search, seconds);
    return {
      task,
      take: async () => {
        const part = await answer.take().catch((error: unknown) => Promise.reject(ldapError(error, task)));
        this.#resume();
        return part;
      },
      drop: () => this.#abandon(messageId),
    };
  }

  /**
   * Returns the whole answer to a search, decoded. Throws as `search` does, and if it ends with another code than
   * success or one of these.
   */
  async look(
    asked: SearchAsk,
    alsoFine: readonly number[] = [],
  ): Promise<{ readonly code: number; readonly entries: readonly Entry[] }> {
    const search = this.search(asked);
    const entries: Entry[] = [];
    for (;;) {
      const { entries: some, result } = await search.take();
      for (const entry of some) entries.push(entry.decode());
      if (result === null) continue;
      if (result.code !== 0 && !alsoFine.includes(result.code)) throw refusedBy(result, search.task);
      return { code: result.code, entries };
    }
  }

  /** Returns what a search shows; nothing if the server refuses it: it may hide what tells of itself. */
  async glimpse(asked: SearchAsk): Promise<readonly Entry[]> {
    try {
      return (await this.look(asked, [SIZE_LIMIT])).entries;
    } catch (error) {
      if (error instanceof SourceError && this.isAlive) return [];
      throw error;
    }
  }

  async close(): Promise<void> {
    const socket = this.#sockets.at(-1);
    const farewell = new UnbindRequest({ messageId: this.#nextId() }).write();
    if (this.isAlive) await new Promise<void>((resolve) => socket?.end(farewell, () => resolve()));
    this.#lose(new Error('the connection was closed'));
  }

  async #connect(): Promise<void> {
    const { url, startTls, tls } = this.#server;
    const { protocol, port } = new URL(url);
    const host = hostOf(url);
    const isSecure = protocol === 'ldaps:';
    const address = { host, port: Number(port === '' ? (isSecure ? 636 : 389) : port) };
    if (isSecure) return this.#listen(connectTls({ ...tlsOptions(tls, host), ...address }));
    const plain = connectTcp(address);
    this.#listen(plain);
    if (!(startTls ?? !isLoopback(host))) return;
    const request = new ExtendedRequest({ messageId: this.#nextId(), oid: START_TLS_OID });
    await this.#done(this.#send(request, OPERATION.extended), this.#task(START_TLS));
    plain.removeAllListeners('data');
    this.#listen(connectTls({ ...tlsOptions(tls, host), socket: plain }));
  }

  async #bind(): Promise<void> {
    const { bindDn = '', bindPassword = '', tls } = this.#server;
    const isByCertificate = bindDn === '' && tls.certFile !== undefined;
    const request = new BindRequest({
      messageId: this.#nextId(),
      dn: bindDn,
      password: bindPassword,
      ...(isByCertificate && { mechanism: 'EXTERNAL' }),
      controls: bindDn === '' ? [] : [new Control(POLICY)],
    });
    const doing = isByCertificate
      ? `binding ${BY_CERTIFICATE}`
      : bindDn === ''
        ? 'connecting'
        : `binding as ${bindDn}`;
    const task = this.#task(doing);
    const { controls } = await this.#done(this.#send(request, OPERATION.bind), task);
    const { useless, warning } = policyOf(controls);
    if (useless !== undefined) throw ldapProblem('ldap-password', { at: placeOf(task), why: useless });
    if (warning !== undefined) this.warnings = [`${this.server}: the password of ${bindDn} ${warning}`];
  }

  #task(doing: string): LdapTask {
    return { server: this.server, path: 'source', doing };
  }

  /** Returns the result of an operation that has to succeed. */
  async #done(answer: Answer, task: LdapTask): Promise<LdapResult> {
    const { result } = await answer.take().catch((error: unknown) => Promise.reject(ldapError(error, task)));
    if (result === null) throw ldapError(new ProtocolError('it is too long'), task);
    if (result.code !== 0) throw refusedBy(result, task);
    return result;
  }

  get #seconds(): number {
    return this.#server.seconds ?? SECONDS;
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #send(
    request: { readonly messageId: number; write(): Buffer },
    ends: number,
    seconds = this.#seconds,
  ): Answer {
    const answer = new Answer(ends, seconds, () => this.#lose(new SilentError('no answer in time')));
    if (this.#lost !== null) answer.fail(this.#lost);
    else {
      this.#answers.set(request.messageId, answer);
      this.#sockets.at(-1)?.write(request.write());
    }
    return answer;
  }

  #abandon(abandonId: number): void {
    const answer = this.#answers.get(abandonId);
    if (answer === undefined) return;
    answer.fail(new Error('dropped'));
    this.#answers.delete(abandonId);
    this.#dropped.add(abandonId);
    this.#sockets.at(-1)?.write(new AbandonRequest({ messageId: this.#nextId(), abandonId }).write());
    this.#resume();
  }

  #listen(socket: Socket): void {
    this.#sockets.push(socket);
    const reader = new MessageReader((bytes, start, end) =>
      this.#take(parseMessage(bytes, start, end), end - start),
    );
    socket.on('data', (chunk: Buffer) => {
      try {
        reader.push(chunk);
      } catch (error) {
        if (!(error instanceof ProtocolError || error instanceof DisconnectedError)) throw error;
        this.#lose(error);
      }
    });
    socket.on('error', (error) => this.#lose(error));
    socket.on('close', () => this.#lose(new Error('the server closed the connection')));
  }

  #take(message: Message, bytes: number): void {
    const { id } = message;
    if (id === 0) return hear(message);
    if (this.#dropped.has(id)) return;
    const answer = this.#answers.get(id);
    const isEnd = answer?.add(message, bytes) ?? null;
    if (isEnd === null) throw new ProtocolError(`it answers ${id}, which was not asked so`);
    if (isEnd) this.#answers.delete(id);
    else if (answer?.isFull === true) this.#sockets.at(-1)?.pause();
  }

  /** Takes more from the server, unless an answer waits to be taken. */
  #resume(): void {
    const isFull = [...this.#answers.values()].some((answer) => answer.isFull);
    if (!isFull) this.#sockets.at(-1)?.resume();
  }

  readonly #stop = (): void => this.#lose(stopped());

  /** Ends everything that waits, and the connection. */
  #lose(reason: Error): void {
    if (this.#lost !== null) return;
    this.#lost = reason;
    this.#signal.removeEventListener('abort', this.#stop);
    for (const answer of this.#answers.values()) answer.fail(reason);
    this.#answers.clear();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Notices that are not known mean nothing (RFC 4511, section 4.4). */
function hear(message: Message): void {
  if (message.kind !== 'result' || message.operation !== OPERATION.extended)
    throw new ProtocolError('it answers 0, which nothing asks');
  if (message.name === NOTICE_OF_DISCONNECTION) throw new DisconnectedError(message.result);
}

/** Returns scheme, host and port. */
export function serverOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `the LDAP server ${protocol}//${host}`;
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(?<ip>.*)\]$/, '$<ip>') || 'localhost';
}
