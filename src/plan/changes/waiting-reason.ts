import { timeText } from '../../domain/text/time-text.ts';
import type { RecordedFailure } from '../../domain/ports/ledger/troubles.ts';

const MINUTE_MS = 60_000;
/** Pause by the number of refusals of one change, ms: none after the first, then longer ones, in the end a day. */
const PAUSES_MS = [0, 0, 15 * MINUTE_MS, 60 * MINUTE_MS, 240 * MINUTE_MS, 1_440 * MINUTE_MS];

/**
 * The same after failures of the service itself. That it was down is not the record's fault. But a record that fails
 * over and over has to wait: a few of them together would end every run before the others' turn.
 */
const PAUSES_IN_DOUBT_MS = [0, 0, 0, 15 * MINUTE_MS, 60 * MINUTE_MS];

/** The longest pause of a leaver: an account that is still active is worth a call an hour. */
const LONGEST_OF_LEAVERS_MS = 60 * MINUTE_MS;

/** Returns when a change that was not done is tried again, ms. */
function nextTry({ kind, attempts, lastAt }: RecordedFailure, isLeaving: boolean): number {
  const pauses = kind === 'doubt' ? PAUSES_IN_DOUBT_MS : PAUSES_MS;
  const pause = pauses[attempts] ?? pauses.at(-1) ?? 0;
  return lastAt + (isLeaving ? Math.min(pause, LONGEST_OF_LEAVERS_MS) : pause);
}

interface Planned {
  /** Digest of the change that is planned now. */
  readonly digest: string;
  readonly isLeaving: boolean;
  readonly now: number;
}

/** Returns why this change waits, or `null`. A try that was stored with a time in the future does not count. */
export function waitingReason(failure: RecordedFailure, { digest, isLeaving, now }: Planned): string | null {
  const next = nextTry(failure, isLeaving);
  if (failure.digest !== digest || failure.lastAt > now || now >= next) return null;
  return `${failure.reason} (${failure.attempts} times; tried again after ${timeText(next)}, by sync --full, or when the record changes)`;
}
