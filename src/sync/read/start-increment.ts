import type { KnownRecords } from '../../domain/ports/source-records.ts';
import type { FullReadNeeded, Increment, RecordKey } from '../../domain/reading/increment.ts';
import type { Run } from '../state/world.ts';
import type { Begun } from './begin-increments.ts';

/** An increment that can be read. */
export interface Started {
  readonly increment: Increment;
  readonly known: KnownRecords;
  /** Records that were asked for again. */
  readonly again: readonly RecordKey[];
  /** Number of records that came without a key. */
  readonly keyless: () => number;
}

/** So many records may have to be read again by their keys; of many, this share. */
const AGAIN_COUNT = 1_000;
const AGAIN_SHARE = 0.02;

/** Returns at most how many records are read by their keys. */
export const mostAgain = (records: number): number =>
  Math.max(AGAIN_COUNT, Math.floor(records * AGAIN_SHARE));

const BESIDES =
  'what becomes of people does not depend on their records and the units alone: on the time, on attributes that the ' +
  'source does not know, or on rows of positions that are nobody’s';

/**
 * Asks for what changed since the last read, or returns why everything has to be read.
 *
 * @param salt `undefined`: nobody can be recognized
 */
export async function startIncrement(
  run: Run,
  begun: Begun,
  salt: string | undefined,
): Promise<Started | FullReadNeeded> {
  if (begun.why !== null) return { why: begun.why };
  if (begun.source === null || salt === undefined) return { why: BESIDES };
  const { ledger } = run;
  const fact = ledger.fact('increments');
  const known = fact?.known ?? null;
  if (known === null) return { why: fact?.why ?? 'no read has ended yet to which anything could be added' };
  const why = otherSince(run, begun.source.mark.how, known, salt);
  if (why !== null) return { why };
  const most = mostAgain(ledger.records.count());
  const again = ledger.records.again(most + 1);
  if (again.length > most) return { why: `more than ${most} records would have to be read one by one` };
  const increment = await begun.source.incremental.increment({ since: known.mark, again, salt });
  return 'why' in increment
    ? increment
    : { increment, known, again, keyless: () => begun.notes?.keyless ?? 0 };
}

/** Returns what is no longer as it was at the last read. */
function otherSince(run: Run, how: string, known: KnownRecords, salt: string): string | null {
  if (known.identity !== run.source.identity) return 'the source is another one';
  if (known.mark.how !== how) return 'it is told in another way what changed';
  if (known.salt !== salt)
    return 'the tree of units, rows of positions, the mapping or a setting has changed';
  const isFuture = known.fullAt > run.clock.now();
  if (isFuture || run.owesFullSource?.(known.fullAt) === true)
    return 'it is time for one (sync.sourceFullCron)';
  return null;
}
