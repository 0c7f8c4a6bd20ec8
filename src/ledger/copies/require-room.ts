import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ledgerProblem } from '../database/problems.ts';

/**
 * Is enough for the staging and journal of tens of thousands of people. Companies with more people need larger disks
 * anyway.
 */
const ROOM_MB = 16;
const MB = 1_048_576;

/** Throws a LedgerError if there is a ledger that this user cannot write. */
export function requireWritable(path: string): void {
  if (!existsSync(path) || [path, dirname(path)].every(isWritable)) return;
  throw ledgerProblem('ledger-read-only', {
    path,
    words: 'the file or its folder is read-only for this user',
  });
}

/**
 * Throws a LedgerError if the disk is nearly full: a run that found it full halfway would have to stop in the
 * middle.
 */
export function requireRoom(path: string): void {
  const { bavail, bsize, blocks } = statfsSync(dirname(path));
  const free = Math.floor((bavail * bsize) / MB);
  // Some file systems do not tell their size.
  if (blocks === 0 || free >= ROOM_MB) return;
  throw ledgerProblem('ledger-disk-full', { path, free, needed: ROOM_MB });
}

/**
 * Returns the path where the ledger can be read: the ledger itself, or a private copy if its folder is not
 * writable. SQLite can read a file in WAL mode only if it can create its index next to it
 * (sqlite.org/wal.html, "Read-Only Databases").
 */
export function readablePath(path: string): string {
  if (isWritable(dirname(path)) || existsSync(`${path}-shm`)) return path;
  const copy = join(mkdtempSync(join(tmpdir(), 'rollcall-')), 'ledger.db');
  for (const suffix of ['', '-wal']) {
    if (!existsSync(path + suffix)) continue;
    copyFileSync(path + suffix, copy + suffix);
    chmodSync(copy + suffix, 0o600);
  }
  return copy;
}

/** Removes the copy that `readablePath` made, if it made one. */
export function removeReadCopy(path: string, read: string): void {
  if (read !== path) rmSync(dirname(read), { recursive: true, force: true });
}

/** Returns whether this user may write the file or folder. */
function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
