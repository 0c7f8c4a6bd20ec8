import { open, stat, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MOST_BYTES, PictureProblem, tooLarge } from './picture-kind.ts';

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'this user may not read the file',
  EPERM: 'this user may not read the file',
  EMFILE: 'too many files are open here; raise the limit of open files (ulimit -n)',
};

/** Reads the file of a path or of a `file:` URL. Throws a PictureProblem. */
export async function readPictureFile(reference: string): Promise<Buffer> {
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
