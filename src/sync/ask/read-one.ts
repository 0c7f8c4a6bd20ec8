import { AmbiguousError, RefusedError, ServiceError } from '../../domain/errors.ts';
import type { Run } from '../state/world.ts';

/**
 * A read about one record, which must not end the run by failing alone (promise 5): `failed` is given the words. A
 * service that is down, or refuses the token, ends it all the same.
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
