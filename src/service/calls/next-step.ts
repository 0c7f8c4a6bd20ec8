import type { Verdict } from './verdict.ts';

/**
 * `answer`: the service has answered. `renew`: read the token again, then try once more. `giveUp`: no answer
 * can be had.
 */
export type Step = 'answer' | 'renew' | 'retry' | 'giveUp';

export interface Progress {
  /** Whether an attempt whose outcome is not known may be sent again. */
  readonly repeatable: boolean;
  /** Number of attempts; 1 after the first. */
  readonly attempt: number;
  /** Whether the token can be read again and was not yet read again for this call. */
  readonly renewable: boolean;
}

/** Tries for each kind of trouble: a service that asks for fewer calls is alive, and worth more patience. */
const TRIES = { failed: 5, throttled: 10 } as const;

/**
 * Returns what to do after an attempt. What may be repeated, and what never left, is tried again; the outcome
 * of anything else only its caller can find out.
 */
export function nextStep(verdict: Verdict, progress: Progress): Step {
  if (verdict.kind === 'failed') return afterFailure(verdict, progress);
  if (verdict.kind === 'unauthorised') return progress.renewable ? 'renew' : 'giveUp';
  const isTrouble = verdict.kind === 'refused' && !verdict.settled;
  return isTrouble && progress.repeatable && progress.attempt < TRIES.failed ? 'retry' : 'answer';
}

function afterFailure(
  verdict: Extract<Verdict, { kind: 'failed' }>,
  { repeatable, attempt }: Progress,
): Step {
  if (verdict.lasting || (!repeatable && !verdict.undone)) return 'giveUp';
  return attempt < TRIES[verdict.throttled ? 'throttled' : 'failed'] ? 'retry' : 'giveUp';
}
