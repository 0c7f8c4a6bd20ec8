import { randomBytes } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { FileError } from '../../domain/errors.ts';
import { fileProblem } from '../../lib/file-problem.ts';
import { targetProblem } from '../../lib/replace-file.ts';
import { serviceFileProblem } from '../wire/problems.ts';

/** A file that was saved. */
export interface Saved {
  readonly path: string;
  readonly bytes: number;
  /** `Content-Type` of the answer. */
  readonly contentType: string | null;
}

/** What the headers of an answer say about its file. */
export interface FileHeaders {
  readonly contentType: string | null;
  readonly disposition: string | null;
  /** Bytes; `null` if the header is missing. */
  readonly contentLength: number | null;
}

/** Not as many bytes came as the headers promised; the code is that of undici. */
class CutOffError extends Error {
  readonly code = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
}

/** Looks whether a file can be written there. Throws a FileError if it cannot. */
export function checkTarget(path: string): void {
  const shown = 'an answer is shown where no file is named; a file of this name is ./-';
  const problem = path === '-' ? shown : targetProblem(path);
  if (problem !== null) throw cannotSave(path, problem);
}

/**
 * Writes the body of an answer to a file. The file has a temporary name in the same folder, and is renamed
 * when it is complete, else removed. It replaces an older file of this name.
 *
 * It writes at once, so it never asks the sender to wait: undici 7 ends the process if the connection of a
 * paused body closes (nodejs/undici issue 5360). If data comes too fast, it waits in the socket, and TCP
 * slows the sender down.
 */
export class FileSink extends Writable {
  readonly #path: string;
  readonly #temporary: string;
  readonly #headers: FileHeaders;
  #descriptor: number | null;
  readonly #onMove: () => unknown;
  #bytes = 0;

  /**
   * Throws a FileError if the file cannot be created.
   * @param onMove called for each piece that comes
   */
  constructor(path: string, headers: FileHeaders, onMove: () => unknown) {
    super({ highWaterMark: UNPAUSED });
    this.#path = path;
    this.#headers = headers;
    this.#onMove = onMove;
    this.#temporary = `${path}.${randomBytes(6).toString('hex')}.part`;
    this.#descriptor = guarded(path, () => openSync(this.#temporary, 'wx'));
  }

  get saved(): Saved {
    return { path: this.#path, bytes: this.#bytes, contentType: this.#headers.contentType };
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#onMove();
    attempt(done, () => {
      const descriptor = this.#descriptor;
      if (descriptor !== null) guarded(this.#path, () => writeAll(descriptor, chunk));
      this.#bytes += chunk.length;
    });
  }

  override _final(done: (error?: Error | null) => void): void {
    attempt(done, () => {
      const { contentLength } = this.#headers;
      if (contentLength !== null && contentLength !== this.#bytes) throw new CutOffError('cut off');
      this.#close();
      guarded(this.#path, () => renameSync(this.#temporary, this.#path));
    });
  }

  /** Removes what is left under the temporary name. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    attempt(
      (problem) => done(error ?? problem),
      () => {
        this.#close();
        rmSync(this.#temporary, { force: true });
      },
    );
  }

  #close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = null;
    if (descriptor !== null) guarded(this.#path, () => closeSync(descriptor));
  }
}

function writeAll(descriptor: number, chunk: Buffer): void {
  for (let from = 0; from < chunk.length;) from += writeSync(descriptor, chunk, from);
}

function attempt(done: (error?: Error | null) => void, work: () => void): void {
  let problem: Error | null = null;
  try {
    work();
  } catch (error) {
    problem = error as Error;
  }
  done(problem);
}

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw cannotSave(path, fileProblem(error), error);
  }
}

function cannotSave(path: string, why: string, cause?: unknown): FileError {
  return serviceFileProblem('file-unsavable', { path, reason: why }, { cause });
}

/** High-water mark in bytes of a sink that takes everything at once: the sender never has to wait. */
const UNPAUSED = 2 ** 30;

/** An answer has more bytes than may be kept in memory. */
class TooLongError extends Error {
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

/** Returns whether an answer says that it is a file to keep. */
export function isAttachment(disposition: string | null): boolean {
  return /^\s*attachment\s*(?:;|$)/iu.test(disposition ?? '');
}
