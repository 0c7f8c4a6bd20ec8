import type { Log, Progress } from '../../domain/events.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { ListLimits, Page, Service } from '../../domain/ports/service.ts';
import { serviceRunProblem } from '../../domain/run-problems.ts';

/** A paged list of the service, and what is made of its pages. */
export interface List<R> {
  readonly what: string;
  readonly progress: Progress;
  /** Returns the time of the service's clock, ms. */
  readonly now: () => number;
  readonly pages: (since: number | null) => AsyncIterable<Page<R>>;
  /** Begins a read, the first or another one. */
  readonly begin: () => void;
  readonly take: (records: readonly R[]) => void;
  /** How many distinct ids were taken since the beginning. */
  readonly count: () => number;
}

export interface ListRead extends Once {
  /** Whether this is all there is, and not only what changed. */
  readonly isAll: boolean;
}

interface Once {
  readonly count: number;
  readonly total: number;
}

const DAY_MS = 86_400_000;

/**
 * How far a list may grow while it is read, since others may add to it: to this multiple of its total, and this many
 * more. A list that grows beyond that has no end (promise 12).
 */
const MOST_GROWTH = 2;
const MOST_MORE = 1_000;

/**
 * Reads a list until it has as many distinct ids as `total_count`. If it has not, reads it again, because the
 * list may have changed in between. In a list of what changed since a time, `total_count` may count all
 * records (interface: not shown). Then its end, an empty page, has to be seen twice. If that does not settle
 * it, everything is read instead. Throws a ServiceError if even that is incomplete.
 */
export async function readList<R>(list: List<R>, since: number | null): Promise<ListRead> {
  const isAll = since === null;
  const first = await readOnce(list, since);
  if (first.count === first.total) return { ...first, isAll };
  const second = await readOnce(list, since);
  if (second.count === second.total) return { ...second, isAll };
  if (isAll) {
    // A record that is counted and never shown may be one of ours: nothing can tell.
    const { count, total } = second;
    throw serviceRunProblem('service-list-incomplete', { what: list.what, count, total });
  }
  const isEnd = second.count >= first.count && second.count < second.total;
  if (isEnd && (await countsEverything(list))) return { count: second.count, total: second.count, isAll };
  return readList(list, null);
}

/** Reads the list once; `total` is what its last page says. */
async function readOnce<R>(list: List<R>, since: number | null): Promise<Once> {
  const { progress } = list;
  list.begin();
  let total: number | null = null;
  let most = 0;
  progress.start('refresh', total);
  for await (const { records, totalCount } of list.pages(since)) {
    list.take(records);
    if (total === null) {
      progress.start('refresh', totalCount);
      most = MOST_GROWTH * totalCount + MOST_MORE;
    }
    progress.advance(records.length);
    total = totalCount;
    if (list.count() > most)
      throw serviceRunProblem('service-list-endless', { what: list.what, count: list.count(), most, total });
  }
  return { count: list.count(), total: total ?? 0 };
}

/**
 * Returns whether `total_count` counts everything: nothing has changed since tomorrow, so a total above 0 counts more
 * than what changed.
 */
async function countsEverything<R>({ pages, now }: List<R>): Promise<boolean> {
  for await (const { records, totalCount } of pages(now() + DAY_MS))
    return records.length === 0 && totalCount > 0;
  return false;
}

/** Applies the list limits that an earlier run found out, so that not each run has to. */
export function recallListLimits(ledger: Ledger, service: Service): void {
  service.keepTo(ledger.fact('listLimits') ?? {});
}

/** Remembers the list limits that this run found out for the next one, and logs them once. */
export function rememberListLimits(ledger: Ledger, log: Log, service: Service): void {
  const found = service.listLimits();
  if (isSame(found, ledger.fact('listLimits') ?? {})) return;
  ledger.setFacts({ listLimits: found });
  log.note(
    'info',
    'the service refused longer lists, or read them in part: from now on they are asked for this short',
    { ...found },
  );
}

function isSame(one: ListLimits, other: ListLimits): boolean {
  const { pageSize, namesPerQuery, urlBytes } = other;
  return one.pageSize === pageSize && one.namesPerQuery === namesPerQuery && one.urlBytes === urlBytes;
}
