import { SourceError } from '../../../domain/errors.ts';
import type { KnownRecords, Missed } from '../../../domain/ports/ledger/source-records.ts';
import type { Run } from '../../state/world.ts';
import type { Begun } from './begin-increments.ts';

const NONE: Missed = { count: 0, first: [] };

/**
 * Returns the records of which the full read that has just come to its end tells something that no increment would have
 * told. Whatever changed since the last read is asked for once more; where that cannot be told, nothing is compared.
 */
export async function findMissed(run: Run, { source }: Begun, salt: string | undefined): Promise<Missed> {
  const known = run.ledger.fact('increments')?.known ?? null;
  if (source === null || known === null || salt === undefined) return NONE;
  if (known.identity !== run.source.identity || known.mark.how !== source.mark.how) return NONE;
  try {
    const listsAll = await noteMeanwhile(run, source, { known, salt });
    if (listsAll === null) return NONE;
    return run.ledger.records.missed({ hasPrints: known.salt === salt, hasKeys: !listsAll });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    run.log.note('warn', 'what increments may have missed cannot be told', { reason: error.message });
    return NONE;
  }
}

interface Asked {
  readonly known: KnownRecords;
  readonly salt: string;
}

/** Notes what changed since the last read. Returns whether it lists all records; `null`: it cannot tell what changed. */
async function noteMeanwhile(
  { ledger: { records } }: Run,
  { incremental }: NonNullable<Begun['source']>,
  { known, salt }: Asked,
): Promise<boolean | null> {
  const increment = await incremental.increment({ since: known.mark, again: [], salt });
  if ('why' in increment) return null;
  for await (const batch of increment.records())
    for (const { key } of batch) if (key !== undefined) records.meanwhile([key]);
  if (increment.present() !== null) return true;
  records.meanwhile(increment.gone());
  return false;
}
