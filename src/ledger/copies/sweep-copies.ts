import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A plan of this age has ended, one way or the other. */
const LEFT_AFTER_MS = 60 * 60_000;

/** Removes the copies that killed plans left beside the ledger; a younger one may still be at work. */
export function sweepCopies(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(path)}.plan-`)) continue;
    const copy = join(folder, name);
    const modified = statSync(copy, { throwIfNoEntry: false })?.mtimeMs;
    if (modified !== undefined && Date.now() - modified > LEFT_AFTER_MS) rmSync(copy, { force: true });
  }
}
