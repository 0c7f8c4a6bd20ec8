import { StoppedError } from '../../domain/errors.ts';

/** Is called before each further step: a run that was asked to stop goes no further. */
export function checkpoint(stop: AbortSignal): void {
  if (stop.aborted) throw new StoppedError('asked to stop: the next run goes on from here');
}
