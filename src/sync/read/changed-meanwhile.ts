import { SourceError } from '../../domain/errors.ts';
import type { KnownRecords, Missed } from '../../domain/ports/source-records.ts';
import type { FullReadNeeded } from '../../domain/reading/increment.ts';
import { orFullRead } from '../../domain/or-full-read.ts';
import { isAskedAsBefore } from './asked.ts';
import type { Run } from '../state/world.ts';
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
    const why = await orFullRead(() => noteMeanwhile(run, source, { known, salt }));
    if (why !== null) return NONE;
    return run.ledger.records.missed({
      hasPrints: known.salt === salt,
      hasKeys: isAskedAsBefore(run, 'people'),
    });
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

/** Notes what an increment is told by now: who changed, who is there and who is gone; or returns why it is told nothing. */
async function noteMeanwhile(
  { ledger: { records } }: Run,
  { incremental }: NonNullable<Begun['source']>,
  { known, salt }: Asked,
): Promise<FullReadNeeded | null> {
  const increment = await incremental.increment({ since: known.mark, again: [], salt });
  if ('why' in increment) return increment;
  for await (const batch of increment.records())
    for (const { key } of batch) if (key !== undefined) records.meanwhile([key]);
  const list = increment.present();
  if (list === null) records.gone(increment.gone());
  else {
    for await (const keys of list) records.present(keys);
    records.absentAreGone();
  }
  return null;
}
