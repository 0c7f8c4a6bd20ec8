import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { Scene } from './records.ts';

/** A ledger in a folder of its own, until the test is over. */
export function openScene(name: string): Scene {
  const folder = scratchFolder(name);
  const ledger = openLedger({ path: join(folder, 'ledger.db'), binding: 'a/b', now: () => 1, mode: 'write' });
  onTestFinished(() => {
    ledger.close();
    removeFolder(folder);
  });
  return new Scene(ledger);
}
