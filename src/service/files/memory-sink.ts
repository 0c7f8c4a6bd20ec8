import { Writable } from 'node:stream';

/** High-water mark in bytes of a sink that takes everything at once: nobody is ever asked to wait. */
export const UNPAUSED = 2 ** 30;

/** An answer has more bytes than may be kept in memory. */
export class TooLongError extends Error {
  readonly code = 'ANSWER_TOO_LONG';
}

/** Keeps the body of an answer in memory, up to so many bytes. */
export class MemorySink extends Writable {
  readonly #most: number;
  readonly #onMove: () => unknown;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  /**
   * @param most bytes
   * @param onMove called for each piece that comes
   */
  constructor(most: number, onMove: () => unknown) {
    super({ highWaterMark: UNPAUSED });
    this.#most = most;
    this.#onMove = onMove;
  }

  get body(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#onMove();
    this.#bytes += chunk.length;
    if (this.#bytes > this.#most) return done(new TooLongError('too long'));
    this.#chunks.push(chunk);
    done();
  }
}
