import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { Change } from '../../domain/changes.ts';
import type { Operation } from '../../domain/ports/ledger/journal.ts';
import { failureOf } from '../state/call-item.ts';
import { halvesOf, halving } from '../state/calls.ts';
import type { Run } from '../state/world.ts';
import { serviceRunProblem } from '../../domain/run-problems.ts';

/** How many single records are tried before rollcall concludes that the service refuses all of them. */
const PROBES = 4;

/** How one kind of call is made. */
interface Batches<T> {
  readonly operation: Operation;
  readonly work: (batch: readonly T[]) => Promise<'settled' | 'split'>;
  readonly changeOf: (item: T) => Change;
}

/**
 * Halves batches that fail as a whole, unless the service refuses everything of this kind ("this application
 * may not manage employees"). rollcall concludes that if two conditions hold: the first batch and single
 * records from all over it are refused with the same words, and the service has taken nothing before. Then
 * the run ends with these words, because halving would make twice as many calls as there are records. Records
 * that were refused in an earlier run are not tried: a few bad records do not stop all others. Returns what `halving` does.
 *
 * @throws ServiceError
 */
export async function halvingUnlessAll<T>(
  run: Run,
  batch: readonly T[],
  batches: Batches<T>,
): Promise<number> {
  const { refusals } = run.calls;
  const { operation, work } = batches;
  const probes = refusals.isTaken(operation) ? [] : spread(freshOf(run.ledger, batch, batches), PROBES);
  if (probes.length < PROBES || batch.length === PROBES) return halving(batch, work);
  refusals.hear(operation);
  if ((await work(batch)) === 'settled') return batch.length;
  const words = refusals.hear(operation);
  const tried = words === null ? new Set<T>() : await probe(run, { ...batches, batch, probes, words });
  const sizes: number[] = [];
  for (const part of halvesOf(batch.filter((one) => !tried.has(one))))
    if (part.length > 0) sizes.push(await halving(part, work));
  return Math.min(batch.length, ...sizes);
}

/** Returns the records that no call has failed on yet. */
function freshOf<T>(ledger: Ledger, items: readonly T[], { changeOf }: Batches<T>): readonly T[] {
  return items.filter((item) => ledger.troubles.failures(changeOf(item)).length === 0);
}

interface Suspicion<T> extends Batches<T> {
  readonly batch: readonly T[];
  readonly probes: readonly T[];
  readonly words: string;
}

/**
 * Tries single records until one is not refused with these words, and returns those that were tried. Throws a
 * ServiceError if all are refused so.
 */
async function probe<T>(run: Run, suspicion: Suspicion<T>): Promise<ReadonlySet<T>> {
  const { batch, probes, words, operation, work, changeOf } = suspicion;
  const tried = new Set<T>();
  for (const one of probes) {
    tried.add(one);
    await work([one]);
    if (run.calls.refusals.hear(operation) !== words) return tried;
  }
  const others = batch.filter((one) => !tried.has(one));
  run.ledger.troubles.failed(others.map((one) => failureOf(changeOf(one), words)));
  throw serviceRunProblem('service-refuses-all', { records: batch.length, probes: PROBES, words });
}

/** Returns this many from all over the list, its ends included. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  if (all.length <= count) return all;
  const step = (all.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => all[Math.round(index * step)]).filter(
    (one) => one !== undefined,
  );
}
