import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { Space } from '../../domain/ports/ledger/ledger.ts';
import type { Database } from './database.ts';

/** Pages that a run gives back at most: 16 MB, well below a second. */
const PAGES_A_RUN = 4_096;
/** Each step is a transaction of its own. */
const PAGES_A_STEP = 512;
/** Free pages that stay, since the next runs fill them again: so many, or this share of the file. */
const PAGES_KEPT = 64;
const SHARE_KEPT = 0.05;

const count = (db: Database, pragma: string): number => Number(db.pragma(pragma));

const bytesOf = (db: Database): number => count(db, 'page_count') * count(db, 'page_size');

/** Whether pages can be given back: `auto_vacuum` is 2, INCREMENTAL (sqlite.org/pragma.html). */
const isRigid = (db: Database): boolean => count(db, 'auto_vacuum') !== 2;

function giveBack(db: Database): void {
  if (isRigid(db)) return;
  const kept = Math.max(PAGES_KEPT, count(db, 'page_count') * SHARE_KEPT);
  let left = Math.min(PAGES_A_RUN, Math.floor(count(db, 'freelist_count') - kept));
  for (; left > 0; left -= PAGES_A_STEP)
    // The statement gives back one page a step: `exec` steps to its end.
    db.exec(`PRAGMA incremental_vacuum(${Math.min(left, PAGES_A_STEP)})`);
}

/** The new file is written to the folder for temporary files, and from there to the log beside the old one. */
function lackingRoom(db: Database): number | null {
  const needed = 2 * bytesOf(db);
  const isShort = (folder: string): boolean => {
    const { bavail, bsize, blocks } = statfsSync(folder);
    // Some file systems do not tell their size.
    return blocks > 0 && bavail * bsize < needed;
  };
  return [dirname(db.path), tmpdir()].some(isShort) ? needed : null;
}

export function fileSpace(db: Database): Space {
  return {
    giveBack: () => giveBack(db),
    state: () => ({ bytes: bytesOf(db), isRigid: isRigid(db), lackingRoom: lackingRoom(db) }),
    writeAnew: () => db.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM'),
  };
}
