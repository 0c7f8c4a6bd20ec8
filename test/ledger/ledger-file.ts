import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';

export interface LedgerFile {
  readonly path: string;
  readonly open: (now?: () => number) => Ledger;
  /** Works on the file with no ledger open. */
  readonly raw: (work: (db: Sqlite.Database) => void) => void;
}

/** The file of a ledger in a folder of its own, until the test is over. */
export function ledgerFile(name: string): LedgerFile {
  const path = join(scratchFolder(name), 'ledger.db');
  onTestFinished(() => removeFolder(join(path, '..')));
  return {
    path,
    open: (now = () => 1) => openLedger({ path, binding: 'a/b', now, mode: 'write' }),
    raw(work) {
      const db = new Sqlite(path);
      work(db);
      db.close();
    },
  };
}
