import { StoppedError } from '../../domain/errors.ts';

/** Throws a StoppedError where the run was asked to stop. Called before each further step. */
export function checkpoint(stop: AbortSignal): void {
  if (stop.aborted) throw new StoppedError('asked to stop: the next run goes on from here');
}
