import { AmbiguousError, RefusedError, ServiceError } from '../../domain/errors.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { checkpoint, type Run } from '../state/world.ts';

/** The `Date` header counts whole seconds, and a list may have been made a little before it, ms. */
export const READ_BACK_MARGIN_MS = 5_000;
/** Fewer nodes than this are asked for one by one. */
const WORTH_A_LIST = 3;

interface Written {
  /** When the first of them was written, service clock, ms. */
  readonly since: number;
  readonly isAsSent: (node: Organization) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Reads back nodes that were written: by the list of what changed since, then one by one those that it does not show as
 * sent. A node that is not there, or cannot be read, is not in the answer.
 */
export async function readBack(
  run: Run,
  orgIds: readonly string[],
  { since, isAsSent, signal }: Written,
): Promise<ReadonlyMap<string, Organization>> {
  const found = new Map<string, Organization>();
  if (orgIds.length >= WORTH_A_LIST) {
    const wanted = new Set(orgIds);
    for await (const { records } of run.service.organizations(since - READ_BACK_MARGIN_MS, signal))
      for (const node of records) if (wanted.has(node.id) && isAsSent(node)) found.set(node.id, node);
  }
  for (const orgId of orgIds) {
    if (found.has(orgId)) continue;
    checkpoint(signal);
    const node = await readOne(
      run,
      () => run.service.organization(orgId, signal),
      () => null,
    );
    if (node !== null) found.set(orgId, node);
  }
  return found;
}

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
