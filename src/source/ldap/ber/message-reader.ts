import { messageSize } from './ber.ts';

/** Gets the place of one whole message. */
type OnMessage = (bytes: Buffer, start: number, end: number) => void;

/**
 * Cuts what comes from a server into its messages. Only a message that came in several pieces is copied, once,
 * when its end is there.
 */
export class MessageReader {
  readonly #onMessage: OnMessage;
  /** Pieces of a message of which the end is missing. */
  #pieces: Buffer[] = [];
  #held = 0;
  /** Bytes that this message has; 0: not known yet. */
  #size = 0;

  constructor(onMessage: OnMessage) {
    this.#onMessage = onMessage;
  }

  /** Takes the next piece. Throws a `ProtocolError`, after which nothing may be read any more. */
  push(chunk: Buffer): void {
    const rest = this.#held === 0 ? 0 : this.#finish(chunk);
    if (rest < chunk.length) this.#cut(chunk, rest);
  }

  /** Adds to the message that is not whole; returns how much of the piece belongs to it. */
  #finish(chunk: Buffer): number {
    if (this.#size === 0) return this.#join(chunk);
    const missing = this.#size - this.#held;
    this.#keep(chunk.subarray(0, missing));
    if (missing > chunk.length) return chunk.length;
    const message = Buffer.concat(this.#pieces, this.#size);
    this.#clear();
    this.#onMessage(message, 0, message.length);
    return missing;
  }

  /** Completes a head, of which less than 6 bytes came. */
  #join(chunk: Buffer): number {
    const joined = Buffer.concat([...this.#pieces, chunk]);
    this.#clear();
    this.#cut(joined, 0);
    return chunk.length;
  }

  #cut(bytes: Buffer, from: number): void {
    let at = from;
    while (at < bytes.length) {
      const size = messageSize(bytes, at);
      if (size === 0 || at + size > bytes.length) {
        this.#keep(bytes.subarray(at));
        this.#size = size;
        return;
      }
      this.#onMessage(bytes, at, at + size);
      at += size;
    }
  }

  #keep(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#held += piece.length;
  }

  #clear(): void {
    this.#pieces = [];
    this.#held = 0;
    this.#size = 0;
  }
}
