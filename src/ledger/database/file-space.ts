import type { Database } from './database.ts';

/** Pages that a run gives back at most: 16 MB, well below a second. */
const PAGES_A_RUN = 4_096;
/** Each step is a transaction of its own. */
const PAGES_A_STEP = 512;
/** Free pages that stay, since the next runs fill them again: so many, or this share of the file. */
const PAGES_KEPT = 64;
const SHARE_KEPT = 0.05;

const count = (db: Database, pragma: string): number => Number(db.pragma(pragma));

/** See `Ledger.forgetOld`. */
export function giveBackRoom(db: Database): void {
  const kept = Math.max(PAGES_KEPT, count(db, 'page_count') * SHARE_KEPT);
  let left = Math.min(PAGES_A_RUN, Math.floor(count(db, 'freelist_count') - kept));
  for (; left > 0; left -= PAGES_A_STEP)
    // The statement gives back one page a step: `exec` steps to its end.
    db.exec(`PRAGMA incremental_vacuum(${Math.min(left, PAGES_A_STEP)})`);
}
