import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { LedgerError } from '../../domain/errors.ts';
import { isWritable } from './read-copy.ts';

/**
 * Is enough for the staging and journal of tens of thousands of people. Companies with more people need larger disks
 * anyway.
 */
const ROOM_MB = 16;
const MB = 1_048_576;

/** Throws a LedgerError if there is a ledger that this user cannot write. */
export function requireWritable(path: string): void {
  if (!existsSync(path) || [path, dirname(path)].every(isWritable)) return;
  throw new LedgerError(
    `ledger ${path}: the file or its folder is read-only for this user: make it writable`,
  );
}

/**
 * Throws a LedgerError where the disk is nearly full: a run that found it full halfway would have to stop in the
 * middle.
 */
export function requireRoom(path: string): void {
  const { bavail, bsize, blocks } = statfsSync(dirname(path));
  const free = Math.floor((bavail * bsize) / MB);
  // Some file systems do not tell their size.
  if (blocks === 0 || free >= ROOM_MB) return;
  throw new LedgerError(
    `ledger ${path}: the disk is full: ${free} MB are free, a run needs ${ROOM_MB}; free some space, then run again`,
  );
}
