import { ServiceError } from '../domain/errors.ts';
import type { Operation } from '../domain/operation.ts';
import { halvesOf, halving } from './journalled.ts';
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
 * employees"): where the first batch, both its halves and single records from all over it are refused with the same words,
 * and nothing was taken before, the run ends with them. Halving would ask twice as often as there are records, in every run.
 * The next run asks for one record first.
 *
 * @throws ServiceError
 */
export async function halvingUnlessAll<T>(run: Run, all: readonly T[], batches: Batches<T>): Promise<void> {
  const { refusals } = run;
  const { operation, work } = batches;
  const batch = await withoutFirst(run, all, batches);
  if (refusals.isTaken(operation) || batch.length <= PROBES) return halving(batch, work);
  refusals.hear(operation);
  if ((await work(batch)) === 'settled') return;
  const words = refusals.hear(operation);
  const open: (readonly T[])[] = [];
  for (const half of halvesOf(batch)) if ((await work(half)) === 'split') open.push(half);
  const isAlike = open.length > 1 && words !== null && refusals.hear(operation) === words;
  const tried = isAlike ? await probe(run, { batch, words, operation, work }) : new Set<T>();
  for (const half of open) {
    for (const part of halvesOf(half.filter((one) => !tried.has(one))))
      if (part.length > 0) await halving(part, work);
  }
}

/** Where the last run was refused everything, one record tells whether that is so still. */
async function withoutFirst<T>(
  { ledger, refusals }: Run,
  batch: readonly T[],
  { operation, work }: Batches<T>,
): Promise<readonly T[]> {
  const { [operation]: words, ...others } = ledger.fact('refusedAlike') ?? {};
  const [first] = batch;
  if (words === undefined || first === undefined) return batch;
  refusals.hear(operation);
  await work([first]);
  if (refusals.hear(operation) === words)
    throw refusedAll('The service still refuses everything with the same words', words);
  ledger.setFacts({ refusedAlike: others });
  return batch.slice(1);
}

function refusedAll(what: string, words: string): ServiceError {
  return new ServiceError(
    `${what}: ${words}. Ask its operator whether this application may do that; the next run tries one record again.`,
  );
}

interface Suspicion<T> extends Batches<T> {
  readonly batch: readonly T[];
  readonly words: string;
}

/** Single records, until one is not refused with these words; throws where all are. */
async function probe<T>(
  { ledger, refusals }: Run,
  { batch, words, operation, work }: Suspicion<T>,
): Promise<ReadonlySet<T>> {
  const tried = new Set<T>();
  for (const one of spread(batch, PROBES)) {
    tried.add(one);
    await work([one]);
    if (refusals.hear(operation) !== words) return tried;
  }
  ledger.setFacts({ refusedAlike: { ...ledger.fact('refusedAlike'), [operation]: words } });
  throw refusedAll(
    `The service refuses ${batch.length} records together and ${PROBES} of them alone with the same words, and has taken none`,
    words,
  );
}

/** So many from all over the list, its ends among them. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  const step = (all.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => all[Math.round(index * step)]).filter(
    (one) => one !== undefined,
  );
}
