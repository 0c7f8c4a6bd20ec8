import type { Run } from './world.ts';

/** Returns whether the run plans an earlier read that was kept: then it asks neither source nor service. */
export function isRecorded({ source }: Pick<Run, 'source'>): boolean {
  return source.recordedAt !== undefined;
}
