import { AmbiguousError, RefusedError, ServiceError } from '../../domain/errors.ts';
import type { Organization, Service } from '../../domain/ports/service.ts';
import { checkpoint } from '../state/checkpoint.ts';

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
  service: Service,
  orgIds: readonly string[],
  { since, isAsSent, signal }: Written,
): Promise<ReadonlyMap<string, Organization>> {
  const found = new Map<string, Organization>();
  if (orgIds.length >= WORTH_A_LIST) {
    const wanted = new Set(orgIds);
    for await (const { records } of service.organizations(since - READ_BACK_MARGIN_MS, signal))
      for (const node of records) if (wanted.has(node.id) && isAsSent(node)) found.set(node.id, node);
  }
  for (const orgId of orgIds) {
    if (found.has(orgId)) continue;
    checkpoint(signal);
    const ask = (): Promise<Organization | null> => service.organization(orgId, signal);
    const node = await readOne({ service, stop: signal }, ask, () => null);
    if (node !== null) found.set(orgId, node);
  }
  return found;
}

interface Asked {
  readonly service: Service;
  readonly stop: AbortSignal;
}

/**
 * Reads about one record, which must not end the run by failing alone (promise 5): then it returns what `failed` makes
 * of the reason. A service that is down, or refuses the token, still ends the run.
 */
export async function readOne<T>(
  { service, stop }: Asked,
  read: () => Promise<T>,
  failed: (reason: string) => T,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isOne = error instanceof AmbiguousError || error instanceof RefusedError;
    if (!isOne && !(error instanceof ServiceError)) throw error;
    if (!isOne) await service.root(stop);
    return failed(error.message);
  }
}
