import { ServiceError } from '../domain/errors.ts';
import type { Operation } from '../domain/operation.ts';
import { halving } from './journalled.ts';
import type { Run } from './world.ts';

/** Single records that are tried before it is said that none would be taken; fewer prove nothing. */
const PROBES = 4;

/** How one kind of call is made. */
interface Batches<T> {
  readonly operation: Operation;
  readonly work: (batch: readonly T[]) => Promise<'settled' | 'split'>;
}

/**
 * Halves what fails whole, unless the service refuses everything of this kind ("this application may not manage
 * employees"): where the first batch and single records from all over it are refused with the same words, and nothing was
 * taken before, the run ends with them. Halving would ask twice as often as there are records, in every run.
 *
 * @throws ServiceError
 */
export async function halvingUnlessAll<T>(
  run: Run,
  batch: readonly T[],
  { operation, work }: Batches<T>,
): Promise<void> {
  const { refusals } = run;
  if (refusals.isTaken(operation) || batch.length <= PROBES) return halving(batch, work);
  refusals.hear(operation);
  if ((await work(batch)) === 'settled') return;
  const words = refusals.hear(operation);
  const tried = new Set<T>();
  for (const probe of spread(batch, PROBES)) {
    tried.add(probe);
    await work([probe]);
    if (words !== null && refusals.hear(operation) === words) continue;
    const rest = batch.filter((one) => !tried.has(one));
    return rest.length === 0 ? undefined : halving(rest, work);
  }
  throw new ServiceError(
    `The service refuses ${batch.length} records together and ${PROBES} of them alone with the same words, and has taken ` +
      `none: ${words}. Ask its operator whether this application may do that; the next run tries again.`,
  );
}

/** So many from all over the list, its ends among them. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  const step = (all.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => all[Math.round(index * step)]).filter(
    (one) => one !== undefined,
  );
}
