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

const LINE_END = 0x0a;
const CHUNK = 65_536;
const OPEN = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;

/** What tells a file from another one under the same name, and how long it was. */
export interface FileMark {
  readonly ino: string;
  readonly bytes: number;
}

/** A file of lines that only grows. Whole lines are written, and are on the disk when `append` returns. */
export class HistoryFile {
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
