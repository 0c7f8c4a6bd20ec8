import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Ledger } from '../../../src/domain/ports/ledger/ledger.ts';
import type { Source } from '../../../src/domain/reading/source.ts';
import type { SourceSettings } from '../../../src/domain/source-settings.ts';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import { openSource, type OpenOptions } from '../../../src/source/open-source.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import { readAll, type ReadResult } from '../source-contract.ts';

/** When the reads of these tests begin. */
export const READ_AT = Date.UTC(2026, 2, 4, 8, 30);

/** A ledger in a folder of its own. */
export function keepingLedger(): { readonly ledger: Ledger; readonly path: string; readonly file: string } {
  const folder = scratchFolder('kept');
  const path = join(folder, 'ledger.db');
  const ledger = openLedger({ path, binding: 'a/b', now: () => 1, mode: 'write' });
  onTestFinished(() => {
    ledger.close();
    removeFolder(folder);
  });
  return { ledger, path, file: `${path}.source` };
}

/** Reads a source to its end, and keeps the read. */
export async function readKeeping(
  ledger: Ledger,
  settings: SourceSettings,
  options: OpenOptions = {},
): Promise<ReadResult> {
  ledger.kept.begin(READ_AT);
  const read = await readAll(openSource(settings, { ...options, keep: ledger.kept }));
  const problem = ledger.kept.replace();
  if (problem !== null) throw new Error(problem);
  return read;
}

/** Returns the source as it was kept, under these settings. */
export function keptSource(ledger: Ledger, settings: SourceSettings, options: OpenOptions = {}): Source {
  const recorded = ledger.kept.open();
  if (recorded === null) throw new Error('nothing is kept');
  onTestFinished(() => recorded.close());
  return openSource(settings, { ...options, recorded });
}

/** What a read brought, without what differs from read to read. */
export const broughtBy = ({ units, people, rows, refusals }: ReadResult): unknown => ({
  units,
  people,
  rows,
  refusals: refusals.map((refusal) => ({ ...refusal, place: '' })),
});
