import type { Change } from '../../domain/changes.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Operation } from '../../domain/ports/ledger/journal.ts';
import { failureOf } from './call-item.ts';
import { halvesOf, halving } from './journalled.ts';
import type { Run } from '../state/world.ts';

/** How many single records are tried before it is said that none would be taken; fewer prove nothing. */
const PROBES = 4;

/** Up to this many records that were refused before are each tried alone. */
const FEW = 32;

/** How one kind of call is made. */
interface Batches<T> {
  readonly operation: Operation;
  readonly work: (batch: readonly T[]) => Promise<'settled' | 'split'>;
  readonly changeOf: (item: T) => Change;
}

/**
 * Halves batches that fail as a whole, unless the service refuses everything of this kind ("this application may not
 * manage employees"). That is so where the first batch, both its halves and single records from all over it are refused
 * with the same words, and nothing was taken before: then the run ends with these words. Halving would ask twice as
 * often as there are records, in every run. The next run asks for one record first. Records that were refused before
 * prove nothing: bad records keep nobody else out.
 *
 * @throws ServiceError
 */
export async function halvingUnlessAll<T>(run: Run, all: readonly T[], batches: Batches<T>): Promise<void> {
  const { refusals } = run;
  const { operation, work } = batches;
  const batch = await withoutFirst(run, all, batches);
  if (batch.length === 0) return;
  const probes = spread(freshOf(run, batch, batches), PROBES);
  if (refusals.isTaken(operation) || probes.length < PROBES || batch.length === PROBES)
    return halving(batch, work);
  refusals.hear(operation);
  if ((await work(batch)) === 'split') await halvingAfter(run, { ...batches, batch, probes });
}

interface Refused<T> extends Batches<T> {
  readonly batch: readonly T[];
  readonly probes: readonly T[];
}

async function halvingAfter<T>(run: Run, refused: Refused<T>): Promise<void> {
  const { refusals } = run;
  const { batch, operation, work } = refused;
  const words = refusals.hear(operation);
  const open: (readonly T[])[] = [];
  for (const half of halvesOf(batch)) if ((await work(half)) === 'split') open.push(half);
  const isAlike = open.length > 1 && words !== null && refusals.hear(operation) === words;
  const tried = isAlike ? await probe(run, { ...refused, words }) : new Set<T>();
  for (const half of open) {
    for (const part of halvesOf(half.filter((one) => !tried.has(one))))
      if (part.length > 0) await halving(part, work);
  }
}

/** Returns the records that no call has failed on yet. */
function freshOf<T>({ ledger }: Run, items: readonly T[], { changeOf }: Batches<T>): readonly T[] {
  const failed = new Set(ledger.troubles.failures().map(({ subject, id }) => `${subject} ${id}`));
  return items.filter((item) => {
    const { subject, id } = changeOf(item);
    return !failed.has(`${subject} ${id}`);
  });
}

/**
 * Tries one record first, where an earlier run was refused everything: one that no call has failed on yet, else the one
 * that was tried longest ago, which proves nothing about others. Returns what is left to be sent.
 *
 * @throws ServiceError where a record that no call had failed on is refused with the same words
 */
async function withoutFirst<T>(run: Run, batch: readonly T[], batches: Batches<T>): Promise<readonly T[]> {
  const { ledger, refusals } = run;
  const { operation, work } = batches;
  const { [operation]: words, ...others } = ledger.fact('refusedAlike') ?? {};
  const fresh = words === undefined ? [] : freshOf(run, batch, batches);
  if (words === undefined || (fresh.length === 0 && batch.length <= FEW)) return batch;
  const first = fresh[0] ?? longestAgo(run, batch, batches);
  if (first === undefined) return batch;
  refusals.hear(operation);
  await work([first]);
  if (refusals.hear(operation) !== words) {
    ledger.setFacts({ refusedAlike: others });
    return batch.filter((one) => one !== first);
  }
  if (fresh.length === 0) return [];
  throw refusedAll('The service still refuses everything with the same words', words);
}

function longestAgo<T>({ ledger }: Run, items: readonly T[], { changeOf }: Batches<T>): T | undefined {
  const triedAt = new Map(
    ledger.troubles.failures().map(({ subject, id, lastAt }) => [`${subject} ${id}`, lastAt]),
  );
  const at = (item: T): number => {
    const { subject, id } = changeOf(item);
    return triedAt.get(`${subject} ${id}`) ?? 0;
  };
  return items.toSorted((a, b) => at(a) - at(b))[0];
}

function refusedAll(what: string, words: string): ServiceError {
  return new ServiceError(
    `${what}: ${words}. Ask its operator whether this application may do that; the next run tries one record again.`,
  );
}

interface Suspicion<T> extends Refused<T> {
  readonly words: string;
}

/**
 * Tries single records until one is not refused with these words, and returns those that were tried. Throws a
 * ServiceError where all are refused so.
 */
async function probe<T>(run: Run, suspicion: Suspicion<T>): Promise<ReadonlySet<T>> {
  const { batch, probes, words, operation, work, changeOf } = suspicion;
  const tried = new Set<T>();
  for (const one of probes) {
    tried.add(one);
    await work([one]);
    if (run.refusals.hear(operation) !== words) return tried;
  }
  const { ledger } = run;
  const others = batch.filter((one) => !tried.has(one));
  ledger.troubles.failed(others.map((one) => failureOf(changeOf(one), words)));
  ledger.setFacts({ refusedAlike: { ...ledger.fact('refusedAlike'), [operation]: words } });
  throw refusedAll(
    `The service refuses ${batch.length} records together and ${PROBES} of them alone with the same words, and has taken none`,
    words,
  );
}

/** Returns this many from all over the list, its ends included. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  if (all.length <= count) return all;
  const step = (all.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => all[Math.round(index * step)]).filter(
    (one) => one !== undefined,
  );
}
