import { onTestFinished } from 'vitest';
import { ledgerFile } from './ledger-file.ts';
import { Scene } from './records.ts';

/** A ledger in a folder of its own, until the test is over. */
export function openScene(name: string): Scene {
  const ledger = ledgerFile(name).open();
  onTestFinished(() => ledger.close());
  return new Scene(ledger);
}
