import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
  type BigIntStats,
} from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { LedgerError } from '../domain/errors.ts';
import type { Log } from '../domain/events.ts';
import type { Archive, HistoryEntry } from '../domain/ports/history.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import { writtenEntry } from '../plan/words/written-entry.ts';

/** Entries that are written together: a few hundred kilobytes. */
const AT_ONCE = 1_000;

interface Archiving {
  /** Path of `state.historyFile`; `undefined`: nothing is archived. */
  readonly file: string | undefined;
  readonly ledger: Ledger;
  readonly log: Log;
  /** Aborted where the process is to end: the next run writes the rest. */
  readonly stop: AbortSignal;
  readonly now: () => number;
}

/**
 * Appends to `state.historyFile` what the history has beyond it. The ledger remembers what is begun before it is
 * written, and what is written after it is on the disk, so that a crash neither loses nor doubles a line. Where the file
 * cannot be written, that is logged and remembered, and made up after a later run.
 */
export async function archive(archiving: Archiving): Promise<void> {
  const { file, ledger, log, now } = archiving;
  if (file === undefined) return;
  try {
    await append(archiving, file);
  } catch (error) {
    log.note('warn', 'the history could not be appended to state.historyFile; a later run makes up for it', {
      file,
      error,
    });
    if (error instanceof LedgerError) return;
    const message = error instanceof Error ? error.message : String(error);
    const mark = markOf(ledger, file);
    const at = mark.error?.at ?? now();
    tolerant(log, () => setArchive(ledger, { ...mark, error: { at, message } }));
  }
}

async function append({ ledger, stop }: Archiving, path: string): Promise<void> {
  const before = markOf(ledger, path);
  const isDone = before.begun === before.n && isEmpty(ledger.history.after(before.n));
  if (isDone) return;
  ledger.lease.require();
  const file = new HistoryFile(path);
  try {
    let { n } = recovered(before, file);
    for (const batch of inBatches(ledger.history.after(n))) {
      const begun = batch.at(-1)?.n ?? n;
      setArchive(ledger, { file: path, n, begun, ...file.mark, error: before.error });
      file.append(batch.map(lineOf).join(''));
      n = begun;
      if (stop.aborted) break;
      // The lease is renewed in between.
      await setImmediate();
      ledger.lease.require();
    }
    setArchive(ledger, { file: path, n, begun: n, ...file.mark, error: null });
  } finally {
    file.close();
  }
}

/** Returns how far the file stands. A new path goes on where the old one ended. */
function markOf(ledger: Ledger, file: string): Archive {
  const known = ledger.fact('archive') ?? { n: 0, begun: 0, file, ino: '', bytes: 0, error: null };
  return known.file === file ? known : { ...known, file, ino: '', bytes: 0, begun: known.n };
}

/** Returns up to which entry the file stands, after a crash in the middle of some. */
function recovered({ n, begun, ino, bytes }: Archive, file: HistoryFile): { readonly n: number } {
  if (begun === n) return { n };
  const last = file.recover({ ino, bytes });
  return { n: last === null ? n : Math.min(begun, Math.max(n, numberIn(last))) };
}

/** Returns the number of the entry in a line that we wrote; 0 where somebody else wrote it. */
function numberIn(line: string): number {
  try {
    const { n } = JSON.parse(line) as { readonly n?: unknown };
    return typeof n === 'number' ? n : 0;
  } catch {
    return 0;
  }
}

const lineOf = (entry: HistoryEntry): string => `${JSON.stringify({ n: entry.n, ...writtenEntry(entry) })}\n`;

function isEmpty(entries: Iterable<HistoryEntry>): boolean {
  for (const _ of entries) return false;
  return true;
}

function* inBatches(entries: Iterable<HistoryEntry>): Iterable<readonly HistoryEntry[]> {
  let batch: HistoryEntry[] = [];
  for (const entry of entries) {
    batch.push(entry);
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function setArchive(ledger: Ledger, mark: Archive): void {
  ledger.setFacts({ archive: mark });
}

function tolerant(log: Log, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    log.note('warn', 'the end of the run cannot be written into the ledger', { error });
  }
}

const LINE_END = 0x0a;
const CHUNK = 65_536;
const OPEN = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;

/** What tells a file from another one under the same name, and how long it was. */
interface FileMark {
  readonly ino: string;
  readonly bytes: number;
}

/** A file of lines that only grows. Whole lines are written, and are on the disk when `append` returns. */
class HistoryFile {
  readonly #fd: number;
  readonly #ino: string;
  #bytes: number;

  /** Opens the file; makes it with mode 0600 where it is not there. Throws what the file system says. */
  constructor(path: string) {
    const isNew = !existsSync(path);
    this.#fd = openSync(path, OPEN, 0o600);
    const { ino, size } = this.#requireFile();
    this.#ino = String(ino);
    this.#bytes = Number(size);
    if (isNew) syncFolder(dirname(path));
  }

  get mark(): FileMark {
    return { ino: this.#ino, bytes: this.#bytes };
  }

  /**
   * Removes the half line that a crash has left, of what was written beyond this mark, and returns the last whole line
   * of that; `null`: nothing was, or the file is another one by now.
   */
  recover({ ino, bytes }: FileMark): string | null {
    if (ino !== this.#ino || bytes >= this.#bytes) return null;
    const written = this.#read(bytes, this.#bytes);
    const end = written.lastIndexOf(LINE_END) + 1;
    this.#cut(bytes + end);
    if (end === 0) return null;
    const lines = written.subarray(0, end - 1);
    return lines.subarray(lines.lastIndexOf(LINE_END) + 1).toString('utf8');
  }

  /** Appends whole lines, or nothing: where a part of them was written, it is taken back. */
  append(lines: string): void {
    this.#bytes = fstatSync(this.#fd).size;
    const bytes = Buffer.from(this.#isMidLine() ? `\n${lines}` : lines);
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at);
      fsyncSync(this.#fd);
    } catch (error) {
      this.#cut(this.#bytes);
      throw error;
    }
    this.#bytes += bytes.length;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #requireFile(): BigIntStats {
    const stats = fstatSync(this.#fd, { bigint: true });
    if (stats.isFile()) return stats;
    this.close();
    throw new Error('it is no regular file');
  }

  /** Returns whether somebody else has left a line without an end. */
  #isMidLine(): boolean {
    return this.#bytes > 0 && this.#read(this.#bytes - 1, this.#bytes)[0] !== LINE_END;
  }

  #cut(bytes: number): void {
    if (fstatSync(this.#fd).size !== bytes) ftruncateSync(this.#fd, bytes);
    this.#bytes = bytes;
  }

  #read(from: number, to: number): Buffer {
    const bytes = Buffer.alloc(to - from);
    for (let at = 0; at < bytes.length;) {
      const read = readSync(this.#fd, bytes, at, Math.min(CHUNK, bytes.length - at), from + at);
      if (read === 0) break;
      at += read;
    }
    return bytes;
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
