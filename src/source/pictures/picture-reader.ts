import { codeOf, wordsOf } from '../../domain/errors.ts';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pictures } from '../../domain/reading/source.ts';
import { logoOf } from '../../domain/records/logo.ts';
import { stopped } from '../connect/network-problem.ts';
import { quoted } from '../mapping/values/raw-record.ts';

/** The value of a logo, or why there is none. */
type Picture = { readonly logo: string } | { readonly problem: string };

const IS_ADDRESS = /^(?!file:)[a-z][a-z0-9+.-]*:\/\//iu;

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'this user may not read the file',
  EPERM: 'this user may not read the file',
  EMFILE: 'too many files are open here; raise the limit of open files (ulimit -n)',
};

/** Reads pictures by their references: paths, or the bytes themselves. Each file is read once. */
export class PictureReader {
  readonly #folder: PictureFolder;
  readonly #signal: AbortSignal;
  readonly #files = new Map<string, Picture>();

  constructor(folder: PictureFolder, signal: AbortSignal) {
    this.#folder = folder;
    this.#signal = signal;
  }

  /** Throws a StoppedError once its signal is aborted. */
  async read(reference: string): Promise<Picture> {
    const bytes = inlineBytes(reference);
    if (bytes !== null) return this.#picture('', () => bytes);
    // The reason shows no address: it may hold a password.
    if (IS_ADDRESS.test(reference)) return { problem: 'an address is not read; give a file or the bytes' };
    const known = this.#files.get(reference);
    if (known !== undefined) return known;
    if (this.#signal.aborted) throw stopped();
    const picture = await this.#picture(`${quoted(reference)} `, () => readPictureFile(reference));
    this.#files.set(reference, picture);
    return picture;
  }

  async #picture(place: string, read: () => Buffer | Promise<Buffer>): Promise<Picture> {
    try {
      return { logo: logoOf(this.#folder.keep(await read())) };
    } catch (error) {
      if (error instanceof PictureProblem) return { problem: `${place}${error.message}` };
      throw error;
    }
  }
}

/** Reads the file of a path or of a `file:` URL. Throws a PictureProblem. */
async function readPictureFile(reference: string): Promise<Buffer> {
  try {
    const path = /^file:/iu.test(reference) ? fileURLToPath(reference) : resolve(reference);
    const { size } = await statFile(path);
    if (size > MOST_BYTES) throw tooLarge();
    const file = await open(path);
    try {
      return await readAtMost(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof PictureProblem) throw error;
    const code = codeOf(error);
    throw new PictureProblem(PROBLEMS[code] ?? `cannot be read (${code})`, { cause: error });
  }
}

/** Looks before opening: a named pipe would be waited for without end. */
async function statFile(path: string): Promise<{ readonly size: number }> {
  const found = await stat(path);
  if (!found.isFile()) throw new PictureProblem('is no file');
  return found;
}

/** Reads to the end: the file may be larger than its size said. */
async function readAtMost(file: FileHandle): Promise<Buffer> {
  const bytes = Buffer.alloc(MOST_BYTES + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length);
    length += bytesRead;
    if (length > MOST_BYTES) throw tooLarge();
    if (bytesRead === 0) return Buffer.from(bytes.subarray(0, length));
  }
}

/**
 * Pictures by digest, as files that only this user can read. The folder is next to the ledger, because a
 * container may have no other writable place. It is made for the first picture. Folders that killed runs did
 * not remove are removed then.
 */
export class PictureFolder implements Pictures {
  readonly #base: string | null;
  readonly #folder: string;
  readonly #files = new Map<string, string>();
  #isMade = false;

  /** @param base path that the folder's name begins with; `null`: the pictures are only looked at, not kept */
  constructor(base: string | null) {
    this.#base = base === null ? null : resolve(base);
    this.#folder = `${this.#base ?? ''}.logos-${process.pid}`;
  }

  /** Keeps a picture, and returns its digest. Throws a PictureProblem about bytes that are none. */
  keep(bytes: Buffer): string {
    const ending = requirePicture(bytes);
    const digest = createHash('md5').update(bytes).digest('hex');
    if (this.#base === null || this.#files.has(digest)) return digest;
    const file = join(this.#folder, `${digest}.${ending}`);
    try {
      this.#make(this.#base);
      writeFileSync(file, bytes, { mode: 0o600 });
    } catch (error) {
      const reason = wordsOf(error);
      throw new PictureProblem(`cannot be kept next to the ledger: ${reason}`, { cause: error });
    }
    this.#files.set(digest, file);
    return digest;
  }

  fileOf(digest: string): string | null {
    return this.#files.get(digest) ?? null;
  }

  end(): void {
    this.#files.clear();
    if (this.#isMade) rmSync(this.#folder, { recursive: true, force: true });
    this.#isMade = false;
  }

  #make(base: string): void {
    if (this.#isMade) return;
    const left = readdirSync(dirname(base)).filter((name) => name.startsWith(`${basename(base)}.logos-`));
    for (const name of left.filter((one) => !isInUse(one)))
      rmSync(join(dirname(base), name), { recursive: true, force: true });
    mkdirSync(this.#folder, { mode: 0o700 });
    this.#isMade = true;
  }
}

/** Returns whether the process that made a folder of pictures works still; of this one, any that is there was left. */
function isInUse(folder: string): boolean {
  const pid = Number(folder.slice(folder.lastIndexOf('-') + 1));
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Bytes of the largest picture that is taken. */
const MOST_BYTES = 5 * 1024 * 1024;

/** File-name endings by how a picture's bytes begin, in hex. SVG is no picture here: it can carry scripts. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^89504e470d0a1a0a/u, 'png'],
  [/^ffd8ff/u, 'jpg'],
  [/^47494638(?:37|39)61/u, 'gif'],
  [/^52494646.{8}57454250/u, 'webp'],
];

/** Returns the ending of a file with this picture; `null`: the bytes begin as no picture does. */
function endingOf(bytes: Buffer): string | null {
  const beginning = bytes.subarray(0, 12).toString('hex');
  return BEGINNINGS.find(([pattern]) => pattern.test(beginning))?.[1] ?? null;
}

/** A picture that cannot be used. */
class PictureProblem extends Error {}

function tooLarge(): PictureProblem {
  return new PictureProblem(`is larger than ${MOST_BYTES / 1024 / 1024} MB`);
}

/** Returns the ending of the picture's file. Throws a PictureProblem about bytes that are no picture. */
function requirePicture(bytes: Buffer): string {
  if (bytes.length === 0) throw new PictureProblem('is empty');
  if (bytes.length > MOST_BYTES) throw tooLarge();
  const ending = endingOf(bytes);
  if (ending === null) throw new PictureProblem('is no picture; PNG, JPEG, GIF and WebP are taken');
  return ending;
}

/** How much of a text is looked at, to tell whether it begins as a picture; a multiple of 4. */
const LOOKED_AT = 24;
/** No path is so long and has no dot. */
const LONGER_THAN_PATHS = 512;

const DATA_URL = /^data:image\/[\w.+-]+;base64,/iu;
const BASE64 = /^[A-Za-z0-9+/\s]+(?:={1,2}\s*)?$/u;

/**
 * Returns the bytes that a value is itself, not the path of: sources deliver bytes as base64. `null`: the value is a
 * path or an address.
 */
function inlineBytes(text: string): Buffer | null {
  const prefix = DATA_URL.exec(text)?.[0];
  if (prefix !== undefined) return Buffer.from(text.slice(prefix.length), 'base64');
  const isPicture = endingOf(Buffer.from(text.slice(0, LOOKED_AT), 'base64')) !== null;
  if (!isPicture && text.length < LONGER_THAN_PATHS) return null;
  return BASE64.test(text) ? Buffer.from(text, 'base64') : null;
}

/** Returns a value as it may be shown: the bytes of a picture are only counted. */
export function showReference(text: string): string {
  const bytes = inlineBytes(text);
  return bytes === null ? text : `(${bytes.length.toLocaleString('en')} bytes)`;
}
