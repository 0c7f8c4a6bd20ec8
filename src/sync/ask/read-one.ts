import { AmbiguousError, RefusedError, ServiceError } from '../../domain/errors.ts';
import type { Run } from '../state/world.ts';

/**
 * Reads about one record, which must not end the run by failing alone (promise 5): then it returns what `failed` makes
 * of the reason. A service that is down, or refuses the token, still ends the run.
 */
export async function readOne<T>(
  run: Run,
  read: () => Promise<T>,
  failed: (reason: string) => T,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isOne = error instanceof AmbiguousError || error instanceof RefusedError;
    if (!isOne && !(error instanceof ServiceError)) throw error;
    if (!isOne) await run.service.root(run.stop);
    return failed(error.message);
  }
}
