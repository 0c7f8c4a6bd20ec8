import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A plan that is older than this has ended, in whatever way. */
const LEFT_AFTER_MS = 60 * 60_000;

/** Removes the copies that killed plans left beside the ledger. A younger copy may still be in use. */
export function sweepCopies(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(path)}.plan-`)) continue;
    const copy = join(folder, name);
    const modified = statSync(copy, { throwIfNoEntry: false })?.mtimeMs;
    if (modified !== undefined && Date.now() - modified > LEFT_AFTER_MS) rmSync(copy, { force: true });
  }
}
