import { SourceError } from '../../domain/errors.ts';
import { printable } from '../../domain/text/printable.ts';
import { KeySet } from '../../lib/key-set.ts';
import { isObject, type Resource } from './attributes.ts';
import type { ScimClient } from './scim-client.ts';

/** What is asked for: one list of resources. */
export interface ScimList {
  readonly resource: string;
  readonly filter?: string | undefined;
  readonly pageSize: number;
}

/** How far the read of one list has come. */
export interface ScimProgress {
  pages: number;
  /** What ended the read; `null`: it has not ended. */
  end: string | null;
}

/**
 * Yields the resources of a list, page by page. It has ended well only where every page told the same
 * `totalResults` and as many distinct ids came: servers cap pages, and a record that comes or goes meanwhile
 * moves others across their edges. Of ids only hashes are held.
 */
export async function* scimPages(
  client: ScimClient,
  { resource, filter, pageSize }: ScimList,
  progress: ScimProgress,
): AsyncGenerator<readonly Resource[]> {
  const seen = new KeySet();
  let total: number | null = null;
  let first: string | null = null;
  while (total === null || seen.size < total) {
    const query = { startIndex: String(seen.size + 1), count: String(pageSize) };
    const answer = await client.get(resource, filter === undefined ? query : { ...query, filter });
    const page = pageOf(answer, resource);
    total ??= page.total;
    if (page.total !== total) throw changed(resource, `totalResults was ${total} and is ${page.total}`);
    requireStart(page, seen.size + 1, resource);
    const ids = JSON.stringify(page.resources.map(({ id }) => id));
    if (ids === first) throw firstAgain(resource, seen.size + 1, total);
    first ??= ids;
    for (const { id } of page.resources) noteId(seen, id, resource);
    progress.pages += 1;
    if (seen.size > total) throw changed(resource, `totalResults is ${total}, and ${seen.size} came`);
    if (page.resources.length === 0 && seen.size < total) {
      throw incomplete(resource, `a page is empty after ${seen.size} of ${total}`);
    }
    yield page.resources.map((one) => one.record);
  }
  progress.end = `totalResults ${total.toLocaleString('en')}`;
}

interface Identified {
  readonly id: string;
  readonly record: Resource;
}

interface Page {
  readonly total: number;
  readonly start: number | null;
  readonly resources: readonly Identified[];
}

function pageOf(answer: Resource, resource: string): Page {
  const { totalResults, startIndex, Resources = [] } = answer;
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
  return { total, start: numberOf(startIndex), resources };
}

/** Some servers write numbers as text. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/u.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function noteId(seen: KeySet, id: string, resource: string): void {
  if (!seen.add(id)) throw changed(resource, `${printable(id)} came twice`);
}

function requireStart({ start }: Page, asked: number, resource: string): void {
  if (start === null || start === asked) return;
  const what = `was asked for startIndex ${asked}, and answers with ${start}`;
  throw incomplete(resource, `${what}: the server does not page as SCIM has it`);
}

/** Reading once more would bring the same page: the list has not changed. */
function firstAgain(resource: string, asked: number, total: number): SourceError {
  const what =
    `was asked for startIndex ${asked}, and answers with the first page again: the server may ignore startIndex. Where ` +
    `it gives all ${total.toLocaleString('en')} in one page, raise pageSize of the source to that; else ask its vendor how it pages`;
  return incomplete(resource, what);
}

function incomplete(resource: string, what: string): SourceError {
  return new SourceError(`source: /${resource}: ${what}; the read is incomplete and nothing of it is used.`);
}

function changed(resource: string, what: string): SourceError {
  const unused = 'the read is incomplete and nothing of it is used';
  return new SourceError(`source: /${resource} changed while it was read: ${what}; ${unused}.`, {
    isPassing: true,
  });
}
