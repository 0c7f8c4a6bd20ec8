import { askedToStop } from '../../domain/errors.ts';

/** Throws a StoppedError if the run was asked to stop. Called before each further step. */
export function checkpoint(stop: AbortSignal): void {
  if (stop.aborted) throw askedToStop();
}
