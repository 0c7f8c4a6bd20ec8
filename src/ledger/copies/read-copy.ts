import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Returns the path where the ledger can be read: the ledger itself, or a private copy where its folder cannot be
 * written. SQLite reads a file in WAL mode only where it can make its index beside it (sqlite.org/wal.html, "Read-Only
 * Databases").
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
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
