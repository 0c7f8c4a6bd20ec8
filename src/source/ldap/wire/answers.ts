import type { Socket } from 'node:net';

import { ProtocolError } from '../ber/ber.ts';
import { MessageReader } from '../ber/message-reader.ts';
import { parseMessage, type LdapResult, type Message } from './parse-message.ts';
import { SearchAnswer } from './search-answer.ts';

/** The server ends the connection and says why (RFC 4511, section 4.4.1). */
export class DisconnectedError extends Error {
  readonly result: LdapResult;

  constructor(result: LdapResult) {
    super('the server ended the connection');
    this.result = result;
  }
}

const NOTICE_OF_DISCONNECTION = '1.3.6.1.4.1.1466.20036';

/** Why nothing more will come: told once by whoever finds out. */
type OnLost = (reason: Error) => void;

/** Reads all that comes from a server, and gives it to the searches that it answers. */
export class Answers {
  readonly #onLost: OnLost;
  readonly #open = new Map<number, SearchAnswer>();
  readonly #reader = new MessageReader((...place) => this.#give(...place));
  #socket: Socket | null = null;
  /** Number of answers that wait to be taken and keep the server waiting. */
  #full = 0;

  constructor(onLost: OnLost) {
    this.#onLost = onLost;
  }

  /** Begins to read from a socket; whatever read from it so far gets nothing any more. */
  listen(socket: Socket): void {
    this.#socket = socket;
    socket.removeAllListeners('data');
    socket.on('data', this.#receive);
    socket.on('error', (error) => this.#onLost(new Error(`the connection broke: ${error.message}`)));
  }

  /** Sends a request; returns the answer to it, which has to end in so many milliseconds. */
  send(id: number, request: Buffer, timeout: number): SearchAnswer {
    const answer = new SearchAnswer({
      timeout,
      onExpired: () => this.#onLost(new Error('timed out')),
      onFull: this.#hold,
    });
    this.#open.set(id, answer);
    this.#socket?.write(request);
    return answer;
  }

  /** Ends all answers that are not at their end. */
  fail(reason: Error): void {
    this.#socket?.off('data', this.#receive);
    for (const answer of this.#open.values()) answer.fail(reason);
    this.#open.clear();
  }

  readonly #receive = (chunk: Buffer): void => {
    try {
      this.#reader.push(chunk);
    } catch (error) {
      if (!(error instanceof ProtocolError || error instanceof DisconnectedError)) throw error;
      this.#onLost(error);
    }
  };

  /** Takes nothing more from the server while an answer waits to be taken. */
  readonly #hold = (isFull: boolean): void => {
    this.#full += isFull ? 1 : -1;
    if (this.#full === 0) this.#socket?.resume();
    else this.#socket?.pause();
  };

  #give(bytes: Buffer, start: number, end: number): void {
    const message = parseMessage(bytes, start, end);
    if (message.kind === 'notice') return hear(message);
    const answer = this.#open.get(message.id);
    if (answer === undefined) throw new ProtocolError(`it answers ${message.id}, which nobody asked`);
    if (message.kind === 'done') this.#open.delete(message.id);
    answer.add(message, end - start);
  }
}

/** Notices that are not known mean nothing (RFC 4511, section 4.4). */
function hear({ id, name, result }: Extract<Message, { kind: 'notice' }>): void {
  if (id !== 0) throw new ProtocolError(`it answers ${id} as if it were no search`);
  if (name === NOTICE_OF_DISCONNECTION) throw new DisconnectedError(result);
}
