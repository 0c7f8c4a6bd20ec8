import { hash } from 'node:crypto';
import { logoOf } from '../../domain/records/logo.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { quoted } from '../mapping/values/quoted.ts';
import { fetchPicture, HostProblem } from './fetch-picture.ts';
import { inlineBytes, shownAddress } from './inline-picture.ts';
import type { PictureFolder } from './picture-folder.ts';
import { PictureProblem } from './picture-kind.ts';
import { readPictureFile } from './read-file.ts';

const AT_ONCE = 4;
/** After so many pictures of a host that does not answer, the others are not asked for: every read ends. */
const PATIENCE = 3;

/** The value of a logo, or why there is none. */
export type Reading = { readonly logo: string } | { readonly problem: string };

const isAddress = (reference: string): boolean => /^https?:/iu.test(reference);

/** Reads pictures by their references: paths, addresses, or the bytes themselves. Each reference is read once. */
export class PictureReader {
  readonly #folder: PictureFolder;
  readonly #signal: AbortSignal;
  readonly #readings = new Map<string, Reading>();
  readonly #silent = new Map<string, number>();

  constructor(folder: PictureFolder, signal: AbortSignal) {
    this.#folder = folder;
    this.#signal = signal;
  }

  /** Returns the reading of a reference that was read, or that is the bytes themselves; `null` for others. */
  at(reference: string): Reading | null {
    const key = keyOf(reference);
    const known = this.#readings.get(key);
    if (known !== undefined) return known;
    const bytes = inlineBytes(reference);
    if (bytes === null) return null;
    const reading = this.#keep(() => bytes, '');
    this.#readings.set(key, reading);
    return reading;
  }

  /** Reads those that were not read yet. Throws what stopped it. */
  async readAll(references: Iterable<string>): Promise<void> {
    const open = new Set([...references].filter((reference) => this.at(reference) === null));
    await inParallel(open, AT_ONCE, async (reference) => {
      this.#signal.throwIfAborted();
      this.#readings.set(keyOf(reference), await this.#read(reference));
    });
  }

  async #read(reference: string): Promise<Reading> {
    const place = `${quoted(isAddress(reference) ? shownAddress(reference) : reference)} `;
    try {
      const bytes = await (isAddress(reference) ? this.#fetch(reference) : readPath(reference));
      return this.#keep(() => bytes, place);
    } catch (error) {
      if (error instanceof PictureProblem) return { problem: `${place}${error.message}` };
      throw error;
    }
  }

  #keep(bytes: () => Buffer, place: string): Reading {
    try {
      return { logo: logoOf(this.#folder.keep(bytes())) };
    } catch (error) {
      if (error instanceof PictureProblem) return { problem: `${place}${error.message}` };
      throw error;
    }
  }

  async #fetch(address: string): Promise<Buffer> {
    if (!URL.canParse(address)) throw new PictureProblem('is no address');
    const { host } = new URL(address);
    const silent = this.#silent.get(host) ?? 0;
    if (silent >= PATIENCE)
      throw new PictureProblem(`is not asked for: ${host} did not answer ${silent} times`);
    try {
      return await fetchPicture(address, this.#signal);
    } catch (error) {
      if (error instanceof HostProblem) this.#silent.set(host, (this.#silent.get(host) ?? 0) + 1);
      throw error;
    }
  }
}

function readPath(reference: string): Promise<Buffer> {
  const scheme = /^[a-z][a-z0-9+.-]*:(?=\/\/)/iu.exec(reference)?.[0];
  if (scheme !== undefined && scheme.toLowerCase() !== 'file:') {
    throw new PictureProblem(`has ${scheme}, and only file:, http: and https: are read`);
  }
  return readPictureFile(reference);
}

/** Long values, such as bytes, are known by their digests. */
function keyOf(reference: string): string {
  return reference.length > 100 ? `sha256 ${hash('sha256', reference)}` : reference;
}
