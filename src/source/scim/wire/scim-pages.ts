import { SourceError } from '../../../domain/errors.ts';
import { printable } from '../../../domain/text/printable.ts';
import { KeySet } from '../../../lib/key-set.ts';
import type { Resource } from './attributes.ts';
import type { ScimClient } from './scim-client.ts';
import { firstAgain, incomplete, pageOf, requireStart, type Page } from './scim-page.ts';
import { ScimRefusedError } from './scim-refused-error.ts';

/** What is asked for: one list of resources. */
export interface ScimList {
  readonly resource: string;
  readonly filter?: string | undefined;
  /** Names of the attributes that are wanted; absent: all. */
  readonly attributes?: string;
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
 * `totalResults`, as many distinct ids came, and nothing stands behind them: servers cap pages, some count only what
 * they give, and a record that comes or goes meanwhile moves others across their edges. Of ids only hashes are held.
 */
export async function* scimPages(
  client: ScimClient,
  list: ScimList,
  progress: ScimProgress,
): AsyncGenerator<readonly Resource[]> {
  const { resource } = list;
  const seen = new KeySet();
  let total: number | null = null;
  let first: string | null = null;
  while (total === null || seen.size < total) {
    const page = await askPage(client, list, seen.size + 1);
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
  if (total > 0) await requireEnd(client, list, { seen, isOnePage: progress.pages === 1 });
  progress.end = `totalResults ${total.toLocaleString('en')}`;
}

/** Asks for one page of a list. */
export async function askPage(client: ScimClient, list: ScimList, startIndex: number): Promise<Page> {
  const { resource, filter, attributes, pageSize } = list;
  const answer = await client.ask(resource, {
    startIndex: String(startIndex),
    count: String(pageSize),
    ...(filter !== undefined && { filter }),
    ...(attributes !== undefined && { attributes }),
  });
  return pageOf(answer, resource);
}

/** What a list has given. */
interface Given {
  readonly seen: KeySet;
  readonly isOnePage: boolean;
}

/**
 * Asks for one page more, which has to be empty: a server that counts only what it gives has told the number of a page
 * as that of all. Some refuse a page behind the last one, or do not page at all and give everything again: that is the
 * end too, unless all that came is one page of just the size that was asked for.
 */
async function requireEnd(client: ScimClient, list: ScimList, { seen, isOnePage }: Given): Promise<void> {
  const { resource, pageSize } = list;
  const total = seen.size;
  const page = await askBehind(client, list, total + 1);
  if (page?.resources.length === 0) {
    if (page.total === total || page.total === 0) return;
    throw changed(resource, `totalResults was ${total} and is ${page.total}`);
  }
  const isRefused = page === null;
  if (isRefused || page.resources.every(({ id }) => seen.has(id))) {
    if (!isOnePage || total !== pageSize) return;
    const what = isRefused ? 'is refused' : 'is the same again';
    throw incomplete(
      resource,
      `totalResults is ${total}, just as many as came in one page, and the page behind it ${what}: ` +
        'nobody can tell whether that is all; give another source.pageSize',
    );
  }
  if (page.total !== total) throw changed(resource, `totalResults was ${total} and is ${page.total}`);
  throw incomplete(resource, `totalResults is ${total}, and more records come behind these`);
}

/** Statuses of a server that has nothing there, or fails where there is nothing. */
const NOTHING_THERE: ReadonlySet<number> = new Set([400, 404, 416, 500, 501]);

/** Returns the page behind the last one; `null`: the server refuses to be asked for it. */
async function askBehind(client: ScimClient, list: ScimList, startIndex: number): Promise<Page | null> {
  try {
    return await askPage(client, list, startIndex);
  } catch (error) {
    if (error instanceof ScimRefusedError && NOTHING_THERE.has(error.status)) return null;
    throw error;
  }
}

function noteId(seen: KeySet, id: string, resource: string): void {
  if (!seen.add(id)) throw changed(resource, `${printable(id)} came twice`);
}

function changed(resource: string, what: string): SourceError {
  const unused = 'the read is incomplete and nothing of it is used';
  return new SourceError(`source: /${resource} changed while it was read: ${what}; ${unused}.`, {
    isPassing: true,
  });
}
