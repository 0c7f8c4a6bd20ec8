import type { RecordedFailure } from '../domain/journal.ts';

const MINUTE_MS = 60_000;
/** Pause after so many refusals of one change: none after the first, then longer, at last once a day. */
const PAUSES_MS = [0, 0, 15 * MINUTE_MS, 60 * MINUTE_MS, 240 * MINUTE_MS, 1_440 * MINUTE_MS];

/**
 * The same after failures of the service itself. That it was down is no fault of the record; but where it fails over and
 * over, the record makes way: a few of them together would end every run before the others' turn.
 */
const PAUSES_IN_DOUBT_MS = [0, 0, 0, 15 * MINUTE_MS, 60 * MINUTE_MS];

/** When a change that was not done is tried again, ms. */
export function nextTry({ kind, attempts, lastAt }: RecordedFailure): number {
  const pauses = kind === 'doubt' ? PAUSES_IN_DOUBT_MS : PAUSES_MS;
  return lastAt + (pauses[attempts] ?? pauses.at(-1) ?? 0);
}

/** Why this change waits, or `null`; `digest` is of the change that is planned now. A try of the future is long ago. */
export function waitingReason(failure: RecordedFailure, digest: string, now: number): string | null {
  if (failure.digest !== digest || failure.lastAt > now || now >= nextTry(failure)) return null;
  const time = new Date(nextTry(failure)).toISOString().slice(0, 16).replace('T', ' ');
  return `${failure.reason} (${failure.attempts} times; tried again after ${time} UTC, or when the record changes)`;
}
