import type { Plan } from '../../domain/changes.ts';
import { timeText } from '../../domain/text/time-text.ts';

/** Returns what a plan rests on, in a few words. */
export function basisOf({ full, evidence }: Plan): string {
  const { recordedAt } = evidence.source;
  if (recordedAt !== undefined)
    return `the read of ${timeText(recordedAt)}; neither source nor service were asked`;
  return full ? 'full read of the service' : 'changes of the service since the last run';
}
