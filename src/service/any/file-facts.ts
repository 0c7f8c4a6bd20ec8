import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { bytesOf, fileToSend } from '../files/file-to-send.ts';
import type { Params } from './arrange.ts';

/**
 * Returns what uploads say of a file (interface, Media): its size, its name, and its digest as lower-case MD5 in hex.
 * Throws a FileError about a file that cannot be sent.
 */
export async function factsOf(path: string): Promise<Params> {
  const file = await fileToSend(path);
  const hash = createHash('md5');
  for await (const chunk of bytesOf(file)) hash.update(chunk);
  const digest = hash.digest('hex');
  return { file_digest: digest, digest, file_size: String(file.size), filename: basename(path) };
}
