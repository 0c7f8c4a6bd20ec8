import type { RecordedFailure } from '../../domain/ports/ledger/troubles.ts';

const MINUTE_MS = 60_000;
/** Pause after so many refusals of one change: none after the first, then longer, at last once a day. */
const PAUSES_MS = [0, 0, 15 * MINUTE_MS, 60 * MINUTE_MS, 240 * MINUTE_MS, 1_440 * MINUTE_MS];

/**
 * The same after failures of the service itself. That it was down is no fault of the record; but where it fails over and
 * over, the record makes way: a few of them together would end every run before the others' turn.
 */
const PAUSES_IN_DOUBT_MS = [0, 0, 0, 15 * MINUTE_MS, 60 * MINUTE_MS];

/** Of who has left: an open account is worth a call an hour. */
const LONGEST_OF_LEAVERS_MS = 60 * MINUTE_MS;

/** When a change that was not done is tried again, ms. */
function nextTry({ kind, attempts, lastAt }: RecordedFailure, isLeaving: boolean): number {
  const pauses = kind === 'doubt' ? PAUSES_IN_DOUBT_MS : PAUSES_MS;
  const pause = pauses[attempts] ?? pauses.at(-1) ?? 0;
  return lastAt + (isLeaving ? Math.min(pause, LONGEST_OF_LEAVERS_MS) : pause);
}

interface Planned {
  /** Of the change that is planned now. */
  readonly digest: string;
  readonly isLeaving: boolean;
  readonly now: number;
}

/** Returns why this change waits, or `null`. A try of the future is long ago. */
export function waitingReason(failure: RecordedFailure, { digest, isLeaving, now }: Planned): string | null {
  const next = nextTry(failure, isLeaving);
  if (failure.digest !== digest || failure.lastAt > now || now >= next) return null;
  const time = new Date(next).toISOString().slice(0, 16).replace('T', ' ');
  return `${failure.reason} (${failure.attempts} times; tried again after ${time} UTC, by sync --full, or when the record changes)`;
}
