import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The account that a server runs as: databases refuse root. `null`: the one of this process. */
export function accountOf(user: string): Account | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string): number => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

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
