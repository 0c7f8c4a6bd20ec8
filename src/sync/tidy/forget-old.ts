import { earlierClock } from '../state/both-clocks.ts';
import type { Run } from '../state/world.ts';

const DAY_MS = 86_400_000;
/** Days for which calls and ended runs are of use; the history alone is kept for longer. */
const CALLS_DAYS = 90;
/** A run a minute makes 1,440 quiet runs a day. */
const QUIET_DAYS = 3;

/** Forgets what is old by our clock and by the service's: a clock that is set too far ahead must not erase it. */
export function forgetOld(run: Run): void {
  const { ledger, keepDays, archives = false } = run;
  const now = earlierClock(run);
  const before = now - Math.min(keepDays, CALLS_DAYS) * DAY_MS;
  ledger.pins.prune(now);
  for (const old of [ledger.journal, ledger.troubles, ledger.runs, ledger.replies]) old.prune(before);
  ledger.runs.pruneQuiet(now - QUIET_DAYS * DAY_MS);
  const written = archives ? (ledger.fact('archive')?.n ?? 0) : Number.MAX_SAFE_INTEGER;
  ledger.history.prune(now - keepDays * DAY_MS, written);
}
