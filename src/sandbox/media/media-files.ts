import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Bytes on disk under a temporary name. */
export interface Spooled {
  readonly path: string;
  readonly size: number;
  /** MD5 in lower-case hex. */
  readonly digest: string;
}

const INCOMING = 'incoming-';

/**
 * The bytes of medias, in one file for each digest, so that the same bytes are there once. A file gets its name
 * when it is complete: a killed sandbox leaves no half media.
 */
export class MediaFiles {
  readonly #wanted: string | undefined;
  #folder: Promise<string> | undefined;

  /** Takes the folder; without one, a temporary folder that is removed by `close`. */
  constructor(folder: string | undefined) {
    this.#wanted = folder;
  }

  /** Writes a stream to a temporary file, as fast as the disk takes it. */
  async spool(stream: Readable, signal?: AbortSignal): Promise<Spooled> {
    const path = join(await this.#open(), `${INCOMING}${randomUUID()}`);
    // Made before anything can fail, so that it is there to be removed.
    const file = await open(path, 'wx', 0o600);
    const hash = createHash('md5');
    let size = 0;
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        size += chunk.length;
        done(undefined, chunk);
      },
    });
    try {
      await pipeline(stream, measure, file.createWriteStream(), signal === undefined ? {} : { signal });
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return { path, size, digest: hash.digest('hex') };
  }

  async spoolBytes(bytes: Uint8Array): Promise<Spooled> {
    return this.spool(Readable.from([bytes]));
  }

  /** Gives a complete file its name. */
  async keep({ path, digest }: Spooled): Promise<void> {
    await rename(path, join(await this.#open(), digest));
  }

  /** Removes a temporary file, if it was not kept. */
  async drop({ path }: Spooled): Promise<void> {
    await rm(path, { force: true });
  }

  async path(digest: string): Promise<string> {
    return join(await this.#open(), digest);
  }

  /** Opens the bytes of a digest, or the first ones of them. */
  async read(digest: string, length = Infinity): Promise<Readable> {
    const path = await this.path(digest);
    return length > 0 ? createReadStream(path, { end: length - 1 }) : Readable.from([]);
  }

  /** Returns the first bytes of a file. */
  async head(path: string, length: number): Promise<Buffer> {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  async close(): Promise<void> {
    const folder = await this.#folder;
    if (folder === undefined || folder === this.#wanted) return;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Makes the folder, for nobody else, with the first media; an upload that a killed sandbox left is removed. */
  async #open(): Promise<string> {
    this.#folder ??=
      this.#wanted === undefined ? mkdtemp(join(tmpdir(), 'sandbox-media-')) : tidy(this.#wanted);
    return this.#folder;
  }
}

async function tidy(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  const left = (await readdir(folder)).filter((name) => name.startsWith(INCOMING));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
  return folder;
}
