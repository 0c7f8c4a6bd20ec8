import { chmodSync, chownSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';

/** Holds the folder of this test run, which its end removes whatever failed; see `global-setup.ts`. */
export const SCRATCH_VARIABLE = 'ROLLCALL_TEST_SCRATCH';

/** A temporary folder, owned by `account`. */
export function scratchFolder(name: string, account: Account | null = null): string {
  const path = mkdtempSync(join(process.env[SCRATCH_VARIABLE] ?? tmpdir(), `rollcall-${name}-`));
  chmodSync(path, 0o755);
  if (account !== null) chownSync(path, account.uid, account.gid);
  return path;
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Writes a file of an export, which nobody has changed for some seconds: it is read at once. */
export function writeExport(path: string, text: string | Buffer): void {
  writeFileSync(path, text);
  const written = new Date(Date.now() - 15_000);
  utimesSync(path, written, written);
}
