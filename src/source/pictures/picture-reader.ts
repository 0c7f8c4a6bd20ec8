import { open, stat, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { logoOf } from '../../domain/records/logo.ts';
import { stopped } from '../connect/stopped.ts';
import { quoted } from '../mapping/values/quoted.ts';
import { inlineBytes } from './inline-picture.ts';
import type { PictureFolder } from './picture-folder.ts';
import { MOST_BYTES, PictureProblem, tooLarge } from './picture-kind.ts';

/** The value of a logo, or why there is none. */
export type Picture = { readonly logo: string } | { readonly problem: string };

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
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new PictureProblem(PROBLEMS[code] ?? `cannot be read (${code})`, { cause: error });
  }
}

/** Looks before opening: a named pipe would be waited for without end. */
async function statFile(path: string): Promise<{ readonly size: number }> {
  const found = await stat(path);
  if (!found.isFile()) throw new PictureProblem('is no file');
  return found;
}

/** Reads to the end, whatever size the file was said to have. */
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
