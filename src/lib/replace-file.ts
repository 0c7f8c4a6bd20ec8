import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileProblem } from './file-problem.ts';

/** Characters that are written at a time. */
const PIECE = 65_536;

interface Replaced {
  readonly path: string;
  /** The name until the file is whole, in the same folder; nothing is left there, whatever fails. */
  readonly part: string;
  /** Absent: as the process gives it. */
  readonly mode?: number;
}

/**
 * Makes a folder with those above it. With `recursive`, Node 20 never ends where a folder cannot be made and says that it
 * is not there, as in `/proc`.
 */
export function makeFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  mkdirSync(path);
}

/** Returns the path of a file, or of one that may come there, without links. */
export function realPath(path: string): string {
  try {
    return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
  } catch {
    return resolve(path); // there is no folder, or this user cannot look
  }
}

/**
 * Returns what tells one file from another, by whatever links; for one that is not there, or where this user cannot look,
 * its path.
 */
export function identityOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() === true ? `${found.dev}:${found.ino}` : realPath(path);
  } catch {
    return realPath(path);
  }
}

/** Returns why no file can be put there, in place of an earlier one; `null`: it can. */
export function targetProblem(path: string): string | null {
  if (path === '') return 'a file is expected, and its path is empty';
  const folder = dirname(path);
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      return `there is no folder ${folder}`;
    const existing = lstatSync(path, { throwIfNoEntry: false });
    if (existing?.isDirectory() === true) return 'it is a folder';
    // A device, a pipe or a link would be replaced by the file.
    return existing === undefined || existing.isFile() ? null : 'it is no file';
  } catch (error) {
    return fileProblem(error);
  }
}

/** Writes a file under another name, and renames it when it is whole: there is never half of it. */
export function replaceFile({ path, part, mode }: Replaced, texts: Iterable<string>): void {
  try {
    const file = openSync(part, 'wx', mode);
    try {
      writeTexts(file, texts);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** Writes texts one after the other, in large pieces. */
function writeTexts(file: number, texts: Iterable<string>): void {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    writeText(file, piece);
    piece = '';
  }
  writeText(file, piece);
}

function writeText(file: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(file, rest));
}
