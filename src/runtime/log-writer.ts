import { constants, fstatSync, openSync, writeSync } from 'node:fs';

/** Bytes of lines that may wait for a slow reader; more are lost. */
const MOST_BYTES = 8_388_608;
/** Milliseconds before the next try, doubled while nothing is taken. */
const RETRY_MS = { first: 2, longest: 100 } as const;
/** Milliseconds that the end of the process waits for a reader. */
const LAST_MS = 1_000;

interface LogWriterOptions {
  readonly fd: number;
  /** Called with a sentence when lines are being lost; again only after a line could be written. */
  readonly complain: (sentence: string) => void;
  /** Returns the line for the log where lines are missing. */
  readonly lostLine: (lines: number) => string;
}

interface Item {
  readonly bytes: Buffer;
  /** Number of lines that are lost with it. */
  readonly lines: number;
}

/**
 * Writes lines at once, yet never inside the work that logs them (a transaction of the ledger is one piece of
 * work), and never waits for the reader: a full pipe is tried again later; a full disk loses the line and
 * takes the next one. Lost lines are counted, and the log tells of them as soon as it can.
 */
export class LogWriter {
  readonly #options: LogWriterOptions;
  readonly #fd: number;
  readonly #queue: Item[] = [];
  #bytes = 0;
  #lost = 0;
  /** Whether the log ends in the middle of a line. */
  #isCut = false;
  #hasComplained = false;
  #isClosed = false;
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;
  #pause: number = RETRY_MS.first;

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.#fd = withoutWaiting(options.fd);
    process.once('exit', () => this.#lastTry());
  }

  write(line: string): void {
    if (this.#isClosed) return;
    const bytes = Buffer.from(line);
    if (this.#bytes + bytes.length > MOST_BYTES) return this.#lose(1, 'nobody reads it');
    if (this.#lost > 0) this.#pushLost();
    this.#push({ bytes, lines: 1 });
    if (this.#isDue || this.#timer !== undefined) return;
    this.#isDue = true;
    queueMicrotask(() => this.#flush());
  }

  /** Waits for the reader, at most so many milliseconds; what is left then is lost. */
  async end(ms: number): Promise<void> {
    for (let remaining = ms; remaining > 0 && this.#queue.length > 0; remaining -= RETRY_MS.longest) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS.longest));
    }
    this.#close();
  }

  #pushLost(): void {
    const line = this.#options.lostLine(this.#lost);
    this.#push({ bytes: Buffer.from(this.#isCut ? `\n${line}` : line), lines: this.#lost });
    this.#lost = 0;
  }

  #push(item: Item): void {
    this.#queue.push(item);
    this.#bytes += item.bytes.length;
  }

  #flush(): void {
    this.#isDue = false;
    this.#timer = undefined;
    const before = this.#bytes;
    if (this.#writeAll()) return;
    this.#pause = this.#bytes < before ? RETRY_MS.first : Math.min(this.#pause * 2, RETRY_MS.longest);
    this.#timer = setTimeout(() => this.#flush(), this.#pause);
  }

  /** Writes what it can; returns whether nothing is left to be written. */
  #writeAll(): boolean {
    for (let item = this.#queue.shift(); item !== undefined; item = this.#queue.shift()) {
      const rest = this.#writeOne(item);
      if (rest === null) {
        this.#bytes -= item.bytes.length;
        continue;
      }
      this.#bytes -= item.bytes.length - rest.bytes.length;
      this.#queue.unshift(rest);
      return false;
    }
    return true;
  }

  /** Writes one item; returns the part that the reader does not take now. */
  #writeOne({ bytes, lines }: Item): Item | null {
    let done = 0;
    try {
      while (done < bytes.length) done += writeSync(this.#fd, bytes, done);
      this.#hasComplained = false;
      this.#isCut = false;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') return { bytes: bytes.subarray(done), lines };
      this.#isCut ||= done > 0;
      if (code === 'EPIPE' || code === 'EIO') this.#close();
      else this.#lose(lines, message);
    }
    return null;
  }

  #lose(lines: number, why: string): void {
    if (!this.#hasComplained) this.#options.complain(`lines of the log are lost (${why}); the work goes on`);
    this.#hasComplained = true;
    this.#lost += lines;
  }

  /**
   * Stops writing: a terminal or pipe that was closed takes no more lines, and the run goes on to its end
   * without them.
   */
  #close(): void {
    this.#isClosed = true;
    this.#queue.length = 0;
    this.#bytes = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #lastTry(): void {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let remaining = LAST_MS; !this.#writeAll() && remaining > 0; remaining -= RETRY_MS.longest) {
      Atomics.wait(pause, 0, 0, RETRY_MS.longest);
    }
  }
}

/**
 * Returns a descriptor whose writes do not wait. A pipe is opened again for that, so that others who share
 * the first descriptor are not affected.
 */
function withoutWaiting(fd: number): number {
  try {
    if (!fstatSync(fd).isFIFO()) return fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}

/** Writes a sentence to stderr, unless stderr is the log itself, or as full. */
export function complainOnStderr(sentence: string): void {
  try {
    const [out, err] = [fstatSync(1), fstatSync(2)];
    if (out.ino === err.ino && out.dev === err.dev) return;
    writeSync(withoutWaiting(2), `rollcall: ${sentence}\n`);
  } catch {
    // No reader is left.
  }
}
