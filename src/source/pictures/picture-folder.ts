import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Pictures } from '../../domain/reading/source.ts';
import { PictureProblem, requirePicture } from './picture-kind.ts';

/**
 * Pictures by digest, as files that only this user can read. The folder stands beside the ledger, since a container may
 * write nowhere else. It is made for the first picture; those that a killed run has left go then.
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
      const reason = error instanceof Error ? error.message : String(error);
      throw new PictureProblem(`cannot be kept beside the ledger: ${reason}`, { cause: error });
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
    for (const name of left) rmSync(join(dirname(base), name), { recursive: true, force: true });
    mkdirSync(this.#folder, { mode: 0o700 });
    this.#isMade = true;
  }
}
