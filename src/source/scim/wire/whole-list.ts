import type { KeySet } from '../../../lib/digest.ts';
import type { ScimClient } from './scim-client.ts';
import { askPage, isRefusal, narrowed, type ScimList } from './scim-list.ts';
import { changed, incomplete, type Page } from './scim-page.ts';
import { ScimRefusedError } from './scim-refused-error.ts';

/** What a list has given: as many distinct ids as its `totalResults`, and at least one. */
export interface Given {
  readonly seen: KeySet;
  readonly first: string;
  readonly last: string;
}

const TRUST = 'set source.trustTotals: true';

/**
 * Throws a SourceError unless something beside `totalResults` says that all has come: a server that cuts its lists
 * counts what it gives. A filter that leaves out one record has to count one less, and a server that takes no such
 * filter has to page: nothing stands behind the last record, or a page of one record at the end is just that record.
 */
export async function requireWhole(client: ScimClient, list: ScimList, given: Given): Promise<void> {
  const behind = await askBehind(client, list, given.seen);
  if (list.trustTotals === true || (await countsOneLess(client, list, given))) return;
  if (behind === 'nothing' || (await endsWithLast(client, list, given))) return;
  throw incomplete(
    list.resource,
    `totalResults is ${given.seen.size}, the page behind these records is ${behind}, and nothing else confirms the ` +
      `total; if the server gives all there is, ${TRUST}`,
  );
}

/** Statuses of a server that has nothing there, or fails where there is nothing. */
const NOTHING_THERE: ReadonlySet<number> = new Set([400, 404, 416, 500, 501]);

/** Returns what stands behind the last record. Throws a SourceError if that is more, or the total is another one now. */
async function askBehind(
  client: ScimClient,
  list: ScimList,
  seen: KeySet,
): Promise<'nothing' | 'refused' | 'the same again'> {
  const { resource } = list;
  const page = await orNull(
    askPage(client, list, seen.size + 1),
    (error) => error instanceof ScimRefusedError && NOTHING_THERE.has(error.status),
  );
  if (page === null) return 'refused';
  const isEmpty = page.resources.length === 0;
  if (!isEmpty && page.resources.every(({ id }) => seen.has(id))) return 'the same again';
  if (page.total !== seen.size && !(isEmpty && page.total === 0))
    throw changed(resource, `totalResults was ${seen.size} and is ${page.total}`);
  if (isEmpty) return 'nothing';
  throw incomplete(resource, `totalResults is ${seen.size}, and more records come behind these`);
}

/**
 * Returns whether the list without its first record counts one less. Throws a SourceError if it counts more than that:
 * it is cut at this number, or by the size of a page. A server that gives the first record has ignored the filter.
 */
async function countsOneLess(client: ScimClient, list: ScimList, { seen, first }: Given): Promise<boolean> {
  const others = narrowed({ ...list, pageSize: 1 }, `id ne ${JSON.stringify(first)}`);
  const page = await orNull(askPage(client, others, 1), isRefusal);
  if (page === null) return false;
  const isIgnored = page.resources.some(({ id }) => id === first);
  const expected = isIgnored ? seen.size : seen.size - 1;
  if (page.total > expected) {
    const asked = isIgnored ? 'with count=1' : 'without one of the records';
    const what = `totalResults is ${seen.size}, and ${page.total} ${asked}: the server cuts this list, or it changes`;
    throw incomplete(list.resource, `${what}; if it does neither, ${TRUST}`, { isPassing: true });
  }
  return !isIgnored && page.total === expected;
}

/** Returns whether a page of one record at the end of the list has the last record alone, and the same total. */
async function endsWithLast(client: ScimClient, list: ScimList, { seen, last }: Given): Promise<boolean> {
  const page = await orNull(askPage(client, { ...list, pageSize: 1 }, seen.size), isRefusal);
  return page?.total === seen.size && page.resources.length === 1 && page.resources[0]?.id === last;
}

async function orNull(asked: Promise<Page>, isNothing: (error: unknown) => boolean): Promise<Page | null> {
  try {
    return await asked;
  } catch (error) {
    if (isNothing(error)) return null;
    throw error;
  }
}
