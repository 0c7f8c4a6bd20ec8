import type { Socket } from 'node:net';
import { MessageReader, ProtocolError } from './ber.ts';
import { parseMessage, type Intermediate, type LdapResult, type Message } from './parse-message.ts';
import type { RawEntry } from './raw-entry.ts';

/** The server ends the connection and says why (RFC 4511, section 4.4.1). */
export class DisconnectedError extends Error {
  readonly result: LdapResult;

  constructor(result: LdapResult) {
    super('the server ended the connection');
    this.result = result;
  }
}

const NOTICE_OF_DISCONNECTION = '1.3.6.1.4.1.1466.20036';

/** Gets the reason why nothing more will come. */
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

  /** Begins to read from a socket. Its earlier readers get nothing any more. */
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
    if (answer === undefined) throw new ProtocolError(`it answers ${message.id}, which was not asked`);
    if (message.kind === 'done') this.#open.delete(message.id);
    answer.add(message, end - start);
  }
}

/** Notices that are not known mean nothing (RFC 4511, section 4.4). */
function hear({ id, name, result }: Extract<Message, { kind: 'notice' }>): void {
  if (id !== 0) throw new ProtocolError(`it answers ${id} as if it were no search`);
  if (name === NOTICE_OF_DISCONNECTION) throw new DisconnectedError(result);
}

/** What came of an answer since the last time. */
export interface AnswerPart {
  /** Entries, which the caller may take out of the list. */
  readonly entries: RawEntry[];
  /** Addresses of other servers, for each reference. */
  readonly references: (readonly string[])[];
  /** Intermediate responses, each with the number of entries of this part that came before it. */
  readonly intermediates: (Intermediate & { readonly after: number })[];
  /** How the search ended; `null`: more follows. */
  result: LdapResult | null;
}

/** How an answer acts on its connection. */
interface AnswerLimits {
  /** Milliseconds from the request to its end, without the times in which nothing is taken from the server. */
  readonly timeout: number;
  readonly onExpired: () => void;
  /** Called with true when enough waits here, and with false when it was taken. */
  readonly onFull: (isFull: boolean) => void;
}

/**
 * So many bytes of an answer wait here until they are taken, then the server has to wait: many times what a page
 * of usual entries has, and little enough to hold it twice.
 */
const FULL = 8 * 1_024 * 1_024;

/** The answer to one search, which comes while its reader does something else. */
class SearchAnswer {
  readonly #limits: AnswerLimits;
  #part = emptyPart();
  #bytes = 0;
  #isFull = false;
  #state: 'open' | 'ended' | 'dropped' = 'open';
  #failure: Error | null = null;
  #timer: NodeJS.Timeout | undefined;
  #wake: () => void = () => undefined;

  constructor(limits: AnswerLimits) {
    this.#limits = limits;
    this.#startTimer();
  }

  /** Takes a message of so many bytes. */
  add(message: Message, bytes: number): void {
    if (message.kind === 'done') this.#end(message.result);
    if (this.#state === 'dropped') return;
    if (message.kind === 'entry') this.#part.entries.push(message.entry);
    if (message.kind === 'reference') this.#part.references.push(message.uris);
    if (message.kind === 'intermediate')
      this.#part.intermediates.push({ ...message.body, after: this.#part.entries.length });
    this.#count(bytes);
  }

  /** Ends the answer before its end, unless it is there already. */
  fail(reason: Error): void {
    if (this.#state === 'ended') return;
    this.#failure ??= reason;
    clearTimeout(this.#timer);
    this.#wake();
  }

  /**
   * Returns what came, once the search ended or as much waits as may. Rejects if the answer does not come to
   * its end; no two calls at a time.
   */
  async take(): Promise<AnswerPart> {
    if (this.#failure === null && this.#state === 'open' && !this.#isFull)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#failure !== null) throw this.#failure;
    const part = this.#part;
    this.#empty();
    return part;
  }

  /** Forgets what came and what will come. */
  drop(): void {
    if (this.#state === 'open') this.#state = 'dropped';
    clearTimeout(this.#timer);
    this.#empty();
  }

  #end(result: LdapResult): void {
    clearTimeout(this.#timer);
    if (this.#state === 'dropped') return;
    this.#part.result = result;
    this.#state = 'ended';
    this.#wake();
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < FULL || this.#isFull || this.#state !== 'open') return;
    this.#isFull = true;
    clearTimeout(this.#timer);
    this.#limits.onFull(true);
    this.#wake();
  }

  #empty(): void {
    this.#part = emptyPart();
    this.#bytes = 0;
    if (!this.#isFull) return;
    this.#isFull = false;
    if (this.#state === 'open') this.#startTimer();
    this.#limits.onFull(false);
  }

  #startTimer(): void {
    this.#timer = setTimeout(this.#limits.onExpired, this.#limits.timeout);
  }
}

function emptyPart(): AnswerPart {
  return { entries: [], references: [], intermediates: [], result: null };
}
