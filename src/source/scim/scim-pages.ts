import { isObject } from '../../lib/parse-lossless.ts';
import type { JsonAnswer, JsonClient } from '../http/json-client.ts';
import { countOf, textOf } from '../http/json-path.ts';
import {
  nextByOffset,
  type Given,
  type KeyedRecord,
  type ListPage,
  type OffsetStep,
  type PagedList,
} from '../http/lists/read-list.ts';
import { changed, incomplete, RefusedAnswer } from '../http/problems.ts';

/** What is asked for: one list of resources. */
export interface ScimList {
  readonly resource: string;
  readonly filter?: string | undefined;
  /** Names of the attributes that are wanted; absent: all. */
  readonly attributes?: string;
  readonly pageSize: number;
  /** Why `totalResults` needs no other proof: an administrator says that the server counts all there is. */
  readonly trust?: string | undefined;
}

/** A server and its address. */
export interface ScimServer {
  readonly client: JsonClient;
  readonly url: string;
}

const pageAt = (before: number): string => `startIndex ${before + 1}`;

/**
 * Returns a list as it is read. It is complete only if three conditions hold: every page has the same `totalResults`, as
 * many distinct ids came, and something else confirms the total. Servers cap pages, and some count only what they give.
 */
export function scimPages(server: ScimServer, list: ScimList): PagedList<OffsetStep, ScimPage> {
  const { resource } = list;
  return {
    name: resource,
    first: { overlaps: false, before: 0, asked: pageAt(0) },
    ask: ({ before }) => askPage(server, list, before + 1),
    next(step, { total }, given) {
      if (given.size === total) return null;
      const next = nextByOffset(step, given, pageAt);
      if (next === null) throw incomplete(resource, `a page is empty after ${given.size} of ${total}`);
      return next;
    },
    async prove(given) {
      const total = `totalResults ${given.size.toLocaleString('en')}`;
      return given.size === 0 ? total : `${total}, ${await confirmed(server, list, given)}`;
    },
  };
}

const TRUST = 'set source.complete.trust to the reason why you know that';

/**
 * Returns what else confirms that all records came. Throws a SourceError if nothing but `totalResults` does: a server
 * that cuts its lists counts what it gives. A filter that leaves out one record has to count one less. If the
 * server does not support that filter, it has to page: nothing follows the last record, or a page of one
 * record at the end is just that record.
 */
async function confirmed(server: ScimServer, list: ScimList, given: Given): Promise<string> {
  const behind = await askBehind(server, list, given);
  if (list.trust !== undefined) return `trusted: ${list.trust}`;
  if (await countsOneLess(server, list, given)) return 'one less without one of them';
  if (behind === 'nothing') return 'nothing behind them';
  if (await endsWithLast(server, list, given)) return 'the last one alone at its place';
  throw incomplete(
    list.resource,
    `totalResults is ${given.size}, the page behind these records is ${behind}, and nothing else confirms the ` +
      `total; if the server gives all there is, ${TRUST}`,
  );
}

/** Statuses of a server that has nothing there, or fails if there is nothing. */
const NOTHING_THERE: ReadonlySet<number> = new Set([400, 404, 416, 500, 501]);

/** Returns what stands behind the last record. Throws a SourceError if that is more, or the total is another one now. */
async function askBehind(
  server: ScimServer,
  list: ScimList,
  given: Given,
): Promise<'nothing' | 'refused' | 'the same again'> {
  const { resource } = list;
  const page = await orNull(
    askPage(server, list, given.size + 1),
    (error) => error instanceof RefusedAnswer && NOTHING_THERE.has(error.status),
  );
  if (page === null) return 'refused';
  const isEmpty = page.records.length === 0;
  if (!isEmpty && page.records.every(({ key }) => given.has(key))) return 'the same again';
  if (page.total !== given.size && !(isEmpty && page.total === 0))
    throw changed(resource, `totalResults was ${given.size} and is ${page.total}`);
  if (isEmpty) return 'nothing';
  throw incomplete(resource, `totalResults is ${given.size}, and more records come behind these`);
}

/**
 * Returns whether the list without its first record counts one less. Throws a SourceError if it counts more than that:
 * it is cut at this number, or by the size of a page. A server that gives the first record has ignored the filter.
 */
async function countsOneLess(server: ScimServer, list: ScimList, { size, first }: Given): Promise<boolean> {
  const others = narrowed({ ...list, pageSize: 1 }, `id ne ${JSON.stringify(first)}`);
  const page = await orNull(askPage(server, others, 1), isRefusal);
  if (page === null) return false;
  const isIgnored = page.records.some(({ key }) => key === first);
  const expected = isIgnored ? size : size - 1;
  if (page.total > expected) {
    const asked = isIgnored ? 'with count=1' : 'without one of the records';
    const what = `totalResults is ${size}, and ${page.total} ${asked}: the server cuts this list, or it changes`;
    throw incomplete(list.resource, `${what}; if it does neither, ${TRUST}`, { isPassing: true });
  }
  if (isIgnored) await requireFiltered(server, list, size);
  return !isIgnored && page.total === expected;
}

/** Throws a SourceError if the filter of a list leaves nothing out, of a server that has ignored another one. */
async function requireFiltered(server: ScimServer, list: ScimList, total: number): Promise<void> {
  if (list.filter === undefined) return;
  const all = await orNull(askPage(server, { ...list, filter: undefined, pageSize: 1 }, 1), isRefusal);
  if (all?.total !== total) return;
  throw incomplete(
    list.resource,
    `the server ignores filters: ${total.toLocaleString('en')} records come with the filter and without it; leave it out, ` +
      `and choose by where; if all of them are meant, ${TRUST}`,
  );
}

/** Returns whether a page of one record at the end of the list has the last record alone, and the same total. */
async function endsWithLast(server: ScimServer, list: ScimList, { size, last }: Given): Promise<boolean> {
  const page = await orNull(askPage(server, { ...list, pageSize: 1 }, size), isRefusal);
  return page?.total === size && page.records.length === 1 && page.records[0]?.key === last;
}

async function orNull(
  asked: Promise<ScimPage>,
  isNothing: (error: unknown) => boolean,
): Promise<ScimPage | null> {
  try {
    return await asked;
  } catch (error) {
    if (isNothing(error)) return null;
    throw error;
  }
}

/** One page of a list. */
export interface ScimPage extends ListPage {
  /** `totalResults`. */
  readonly total: number;
  /** Time of the server's clock, ms; `null`: it does not tell it. */
  readonly date: number | null;
}

/** Returns the page that a server has answered with. Throws a SourceError if it is none. */
function pageOf({ value, date }: JsonAnswer, resource: string): ScimPage {
  const { totalResults, Resources = [] } = isObject(value) ? value : {};
  const total = countOf(totalResults);
  if (total === null || !Array.isArray(Resources)) {
    throw incomplete(resource, 'the answer is no SCIM list: it has no totalResults or no Resources');
  }
  // The `id` is one that no other resource of the server has and that never changes (RFC 7643, section 3.1).
  const records = Resources.map((record: unknown): KeyedRecord => {
    const key = isObject(record) ? textOf(record['id']) : undefined;
    if (!isObject(record) || key === undefined || key === '')
      throw incomplete(resource, 'a record has no id');
    return { key, record };
  });
  return { total, records, date };
}

/** Returns the list of those of its records that pass a filter too (RFC 7644, section 3.4.2.2). */
export function narrowed(list: ScimList, filter: string): ScimList {
  return { ...list, filter: list.filter === undefined ? filter : `(${list.filter}) and (${filter})` };
}

/** Asks for one page of a list. */
export async function askPage(server: ScimServer, list: ScimList, startIndex: number): Promise<ScimPage> {
  const { resource, filter, attributes, pageSize } = list;
  const query = {
    startIndex: String(startIndex),
    count: String(pageSize),
    ...(filter !== undefined && { filter }),
    ...(attributes !== undefined && { attributes }),
  };
  return pageOf(await askScim(server, resource, query), resource);
}

/** Asks for the resources of a path below the address of the server. */
export function askScim(
  { client, url }: ScimServer,
  name: string,
  query: Readonly<Record<string, string>> = {},
): Promise<JsonAnswer> {
  const search = new URLSearchParams(query).toString();
  return client.ask({ url: `${url}/${name}?${search}`, name, body: null });
}

/** Statuses that say nothing about the question: a token, or a server that wants a pause or is down. */
const OTHER_TROUBLE: ReadonlySet<number> = new Set([401, 429, 502, 503, 504]);

/** Returns whether the server has refused the question itself. */
export const isRefusal = (error: unknown): error is RefusedAnswer =>
  error instanceof RefusedAnswer && !OTHER_TROUBLE.has(error.status);
