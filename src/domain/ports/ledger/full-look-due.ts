import type { Ledger } from './ledger.ts';

/** A full look that failed is made again no later than this, ms. */
export const LONGEST_WAIT_MS = 6 * 3_600_000;

/**
 * Returns from when on a run reads all of the service, ms; `null`: none is owed. One that is due later than the longest
 * wait was stored by a wrong clock, and is due now.
 */
export function fullLookDue(ledger: Pick<Ledger, 'fact'>, now: number): number | null {
  if (ledger.fact('watermark') === null) return now;
  const at = ledger.fact('fullOwed')?.at ?? null;
  return at !== null && at - now > LONGEST_WAIT_MS ? now : at;
}
