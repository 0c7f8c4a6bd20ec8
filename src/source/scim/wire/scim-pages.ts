import type { SourceError } from '../../../domain/errors.ts';
import { printable } from '../../../domain/text/printable.ts';
import { KeySet } from '../../../lib/digest.ts';
import { ScimRefusedError, type Resource } from './attributes.ts';
import { scimProblem } from './scim-problems.ts';
import type { ScimAnswer, ScimClient } from './scim-client.ts';
import { isObject } from '../../../lib/parse-lossless.ts';

/** How far the read of one list has come. */
export interface ScimProgress {
  pages: number;
  /** What ended the read; `null`: it has not ended. */
  end: string | null;
}

/**
 * Yields the resources of a list, page by page. The list is complete only if three conditions hold: every
 * page has the same `totalResults`, as many distinct ids came, and something else confirms the total. Servers
 * cap pages, and some count only what they give. A record that comes or goes meanwhile moves others across
 * the edges of pages. Of ids only hashes are kept.
 */
export async function* scimPages(
  client: ScimClient,
  list: ScimList,
  progress: ScimProgress,
): AsyncGenerator<readonly Resource[]> {
  const { resource } = list;
  const given: Given = { seen: new KeySet(), first: '', last: '' };
  const { seen } = given;
  let total: number | null = null;
  let firstPage: string | null = null;
  while (total === null || seen.size < total) {
    const page = await askPage(client, list, seen.size + 1);
    total ??= page.total;
    if (page.total !== total) throw await otherTotal(client, list, { total, seen, page });
    requireStart(page, seen.size + 1, resource);
    const ids = JSON.stringify(page.resources.map(({ id }) => id));
    if (ids === firstPage) throw firstAgain(resource, seen.size + 1, total);
    firstPage ??= ids;
    noteIds(page, given, resource);
    progress.pages += 1;
    if (seen.size > total) throw changed(resource, `totalResults is ${total}, and ${seen.size} came`);
    if (page.resources.length === 0 && seen.size < total) {
      throw incomplete(resource, `a page is empty after ${seen.size} of ${total}`);
    }
    yield page.resources.map((one) => one.record);
  }
  if (total > 0) await requireWhole(client, list, given);
  progress.end = `totalResults ${total.toLocaleString('en')}`;
}

interface OtherTotal {
  readonly total: number;
  readonly seen: KeySet;
  readonly page: ScimPage;
}

/** Returns the error of a page with another total. Servers that count from `startIndex` do so at each read. */
async function otherTotal(
  client: ScimClient,
  list: ScimList,
  { total, seen, page }: OtherTotal,
): Promise<SourceError> {
  const { resource } = list;
  const isRest = page.total === total - seen.size && (await askPage(client, list, 1)).total === total;
  if (!isRest) return changed(resource, `totalResults was ${total} and is ${page.total}`);
  const counts = `${total} at startIndex 1 and ${page.total} at ${seen.size + 1}`;
  const what = `totalResults counts from startIndex: ${counts}. It has to count all records (RFC 7644, section 3.4.2)`;
  return incomplete(resource, `${what}: ask the vendor for that`);
}

function noteIds({ resources }: ScimPage, noted: Given, resource: string): void {
  for (const { id } of resources) {
    if (!noted.seen.add(id)) throw changed(resource, `${printable(id)} came twice`);
    noted.first ||= id;
    noted.last = id;
  }
}

/** What a list has given: as many distinct ids as its `totalResults`, and at least one. */
interface Given {
  readonly seen: KeySet;
  first: string;
  last: string;
}

const TRUST = 'set source.complete.trust to the reason why you know that';

/**
 * Throws a SourceError unless something other than `totalResults` confirms that all records came: a server
 * that cuts its lists counts what it gives. A filter that leaves out one record has to count one less. If the
 * server does not support that filter, it has to page: nothing follows the last record, or a page of one
 * record at the end is just that record.
 */
async function requireWhole(client: ScimClient, list: ScimList, given: Given): Promise<void> {
  const behind = await askBehind(client, list, given.seen);
  if (list.isTrusted === true || (await countsOneLess(client, list, given))) return;
  if (behind === 'nothing' || (await endsWithLast(client, list, given))) return;
  throw incomplete(
    list.resource,
    `totalResults is ${given.seen.size}, the page behind these records is ${behind}, and nothing else confirms the ` +
      `total; if the server gives all there is, ${TRUST}`,
  );
}

/** Statuses of a server that has nothing there, or fails if there is nothing. */
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
  if (isIgnored) await requireFiltered(client, list, seen.size);
  return !isIgnored && page.total === expected;
}

/** Throws a SourceError if the filter of a list leaves nothing out, of a server that has ignored another one. */
async function requireFiltered(client: ScimClient, list: ScimList, total: number): Promise<void> {
  if (list.filter === undefined) return;
  const all = await orNull(askPage(client, { ...list, filter: undefined, pageSize: 1 }, 1), isRefusal);
  if (all?.total !== total) return;
  throw incomplete(
    list.resource,
    `the server ignores filters: ${total.toLocaleString('en')} records come with the filter and without it; leave it out, ` +
      `and choose by where; if all of them are meant, ${TRUST}`,
  );
}

/** Returns whether a page of one record at the end of the list has the last record alone, and the same total. */
async function endsWithLast(client: ScimClient, list: ScimList, { seen, last }: Given): Promise<boolean> {
  const page = await orNull(askPage(client, { ...list, pageSize: 1 }, seen.size), isRefusal);
  return page?.total === seen.size && page.resources.length === 1 && page.resources[0]?.id === last;
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

/** A resource with its `id`, which no other one of the server has and which never changes (RFC 7643, section 3.1). */
interface Identified {
  readonly id: string;
  readonly record: Resource;
}

/** One page of a list. */
export interface ScimPage {
  /** `totalResults`. */
  readonly total: number;
  /** `startIndex`; `null`: the server does not tell it. */
  readonly start: number | null;
  readonly resources: readonly Identified[];
  /** Time of the server's clock, ms; `null`: it does not tell it. */
  readonly date: number | null;
}

/** Returns the page that a server has answered with. Throws a SourceError if it is none. */
function pageOf({ value, date }: ScimAnswer, resource: string): ScimPage {
  const { totalResults, startIndex, Resources = [] } = value;
  const total = numberOf(totalResults);
  if (total === null || !Array.isArray(Resources)) {
    throw incomplete(resource, 'the answer is no SCIM list: it has no totalResults or no Resources');
  }
  const resources = Resources.map((record: unknown): Identified => {
    const id = isObject(record) ? record['id'] : undefined;
    if (!isObject(record) || (typeof id !== 'string' && typeof id !== 'number') || id === '') {
      throw incomplete(resource, 'a record has no id');
    }
    return { id: String(id), record };
  });
  return { total, start: numberOf(startIndex), resources, date };
}

function incomplete(resource: string, what: string, details?: { readonly isPassing: boolean }): SourceError {
  return scimProblem('scim-incomplete', { resource, what }, details);
}

/** Returns the error of a list that may be complete if it is read again. */
function changed(resource: string, what: string): SourceError {
  return scimProblem('scim-changed', { resource, what }, { isPassing: true });
}

/** Some servers write numbers as text. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/u.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** Throws a SourceError if the page begins with another record than the one that was asked for. */
function requireStart({ start }: ScimPage, asked: number, resource: string): void {
  if (start === null || start === asked) return;
  const what = `was asked for startIndex ${asked}, and answers with ${start}`;
  throw incomplete(resource, `${what}: the server does not page as SCIM has it`);
}

/**
 * Returns why the end of a list could not be proven. A second read would bring the same page, because the
 * list has not changed.
 */
function firstAgain(resource: string, asked: number, total: number): SourceError {
  const what =
    `was asked for startIndex ${asked}, and answers with the first page again of ${total.toLocaleString('en')}: the ` +
    'server may ignore startIndex; ask its vendor how it pages';
  return incomplete(resource, what);
}

/** What is asked for: one list of resources. */
export interface ScimList {
  readonly resource: string;
  readonly filter?: string | undefined;
  /** Names of the attributes that are wanted; absent: all. */
  readonly attributes?: string;
  readonly pageSize: number;
  /** Whether `totalResults` needs no other proof: an administrator says that the server counts all there is. */
  readonly isTrusted?: boolean;
}

/** Returns the list of those of its records that pass a filter too (RFC 7644, section 3.4.2.2). */
export function narrowed(list: ScimList, filter: string): ScimList {
  return { ...list, filter: list.filter === undefined ? filter : `(${list.filter}) and (${filter})` };
}

/** Asks for one page of a list. */
export async function askPage(client: ScimClient, list: ScimList, startIndex: number): Promise<ScimPage> {
  const { resource, filter, attributes, pageSize } = list;
  const answer = await client.ask(resource, {
    startIndex: String(startIndex),
    count: String(pageSize),
    ...(filter !== undefined && { filter }),
    ...(attributes !== undefined && { attributes }),
  });
  return pageOf(answer, resource);
}

/** Statuses that say nothing about the question: a token, or a server that wants a pause or is down. */
const OTHER_TROUBLE: ReadonlySet<number> = new Set([401, 429, 502, 503, 504]);

/** Returns whether the server has refused the question itself. */
export const isRefusal = (error: unknown): error is ScimRefusedError =>
  error instanceof ScimRefusedError && !OTHER_TROUBLE.has(error.status);
