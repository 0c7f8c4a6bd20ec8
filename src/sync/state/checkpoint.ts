import { stopped } from '../../domain/run-problems.ts';

/** Throws a StoppedError if the run was asked to stop. Called before each further step. */
export function checkpoint(stop: AbortSignal): void {
  if (stop.aborted) throw stopped('stopped-asked', {});
}
