import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FileError } from '../../domain/errors.ts';
import type { FROM_FILE } from '../../interface/operation.ts';
import { fileProblem } from '../../lib/file-problem.ts';
import { serviceFileProblem } from '../wire/problems.ts';

/** A file that can be sent, as it was when it was looked at. */
export interface FileToSend {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** Bytes that are read at once. */
const CHUNK = 65_536;

/**
 * Looks at a file that is to be sent. Throws a FileError if it does not exist, is no file, is empty, or
 * cannot be read.
 */
export async function fileToSend(path: string): Promise<FileToSend> {
  const file = await openFile(path);
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) throw cannotSend(path, 'it is a folder');
    if (!stats.isFile()) throw cannotSend(path, 'it is no regular file');
    if (stats.size === 0) throw cannotSend(path, 'it is empty');
    return { path, size: stats.size };
  } finally {
    await file.close();
  }
}

/**
 * Yields the bytes of a file, as fast as they are taken. Throws a FileError if its size has changed: the
 * length of a request is sent before its bytes.
 */
export async function* bytesOf({ path, size }: FileToSend): AsyncGenerator<Uint8Array, void> {
  const file = await openFile(path);
  try {
    for (let sent = 0; sent < size;) {
      const chunk = await readChunk(file, path, Math.min(CHUNK, size - sent));
      if (chunk.length === 0) throw cannotSend(path, changed(size, sent));
      sent += chunk.length;
      yield chunk;
    }
    const { size: now } = await file.stat();
    if (now !== size) throw cannotSend(path, changed(size, now));
  } finally {
    await file.close();
  }
}

async function readChunk(file: FileHandle, path: string, most: number): Promise<Uint8Array> {
  try {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(most), 0, most);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    throw cannotSend(path, fileProblem(error), error);
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw cannotSend(path, fileProblem(error), error);
  }
}

function changed(before: number, now: number): string {
  return `it changed while it was sent, from ${before} bytes to ${now}`;
}

function cannotSend(path: string, why: string, cause?: unknown): FileError {
  return serviceFileProblem('file-unsendable', { path, reason: why }, { cause });
}

/**
 * Returns what uploads say of a file (interface, Media): its size, its name, and its digest as lower-case MD5 in hex.
 * Throws a FileError about a file that cannot be sent.
 */
export async function factsOf(path: string): Promise<Readonly<Record<(typeof FROM_FILE)[number], string>>> {
  const file = await fileToSend(path);
  const hash = createHash('md5');
  for await (const chunk of bytesOf(file)) hash.update(chunk);
  const digest = hash.digest('hex');
  return { file_digest: digest, digest, file_size: String(file.size), filename: basename(path) };
}
