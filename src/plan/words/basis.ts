import type { Plan } from '../../domain/changes.ts';

/** Returns what a plan rests on, in a few words. */
export function basisOf({ full }: Plan): string {
  return full ? 'full read of the service' : 'changes of the service since the last run';
}
