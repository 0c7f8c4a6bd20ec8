import type { Verdict } from './verdict.ts';

/** `answer`: that is the service's word. `renew`: read the token again, then once more. `giveUp`: no word to be had. */
export type Step = 'answer' | 'renew' | 'retry' | 'giveUp';

export interface Progress {
  readonly changing: boolean;
  /** 1 after the first attempt. */
  readonly attempt: number;
  /** The token can be read again, and was not yet for this call. */
  readonly renewable: boolean;
}

/** Somebody who asks for fewer calls is alive, and worth more patience. */
const TRIES = { failed: 5, throttled: 10 } as const;

/** Reads, and calls that never left, are tried again; what became of any other change only its caller can find out. */
export function nextStep(verdict: Verdict, progress: Progress): Step {
  if (verdict.kind === 'failed') return afterFailure(verdict, progress);
  if (verdict.kind === 'unauthorised') return progress.renewable ? 'renew' : 'giveUp';
  const isTrouble = verdict.kind === 'refused' && !verdict.settled;
  return isTrouble && !progress.changing && progress.attempt < TRIES.failed ? 'retry' : 'answer';
}

function afterFailure(verdict: Extract<Verdict, { kind: 'failed' }>, { changing, attempt }: Progress): Step {
  if (verdict.lasting || (changing && !verdict.undone)) return 'giveUp';
  return attempt < TRIES[verdict.throttled ? 'throttled' : 'failed'] ? 'retry' : 'giveUp';
}
