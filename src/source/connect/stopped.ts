import { StoppedError } from '../../domain/errors.ts';

/** Returns the error that every read throws once its signal is aborted. */
export function stopped(): StoppedError {
  return new StoppedError('The read of the source was stopped.');
}
