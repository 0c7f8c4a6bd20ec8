import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import type { Watch } from '../../src/domain/ports/watch.ts';
import { openLedger, type LedgerOptions } from '../../src/ledger/open-ledger.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { Scene } from './records.ts';

export interface LedgerFile {
  readonly path: string;
  /** Opens it for writing at the time 1, unless something else is said; closed when the test is over. */
  readonly open: (options?: Partial<LedgerOptions>) => Ledger;
  /** Works on the file with no ledger open. */
  readonly raw: (work: (db: Sqlite.Database) => void) => void;
}

/** The machine's watch, in one start of it. */
export const watchOf = (now: () => number, boot: string | null = 'this start'): Watch => ({ boot, now });

/** The file of a ledger in a folder of its own, until the test is over. */
export function ledgerFile(name = 'ledger'): LedgerFile {
  const path = join(scratchFolder(name), 'ledger.db');
  onTestFinished(() => removeFolder(dirname(path)));
  return {
    path,
    open(options = {}) {
      const ledger = openLedger({ path, binding: 'a/b', now: () => 1, mode: 'write', ...options });
      onTestFinished(() => ledger.close());
      return ledger;
    },
    raw(work) {
      const db = new Sqlite(path);
      work(db);
      db.close();
    },
  };
}

/** A ledger in a folder of its own, until the test is over. */
export const openScene = (options?: Partial<LedgerOptions>): Scene => new Scene(ledgerFile().open(options));
