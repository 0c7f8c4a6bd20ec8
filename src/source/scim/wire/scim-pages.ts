import { printable } from '../../../domain/text/printable.ts';
import { KeySet } from '../../../lib/digest.ts';
import type { Resource } from './attributes.ts';
import type { ScimClient } from './scim-client.ts';
import { askPage, type ScimList } from './scim-list.ts';
import { changed, firstAgain, incomplete, requireStart, type Page } from './scim-page.ts';
import { requireWhole, type Given } from './whole-list.ts';

/** How far the read of one list has come. */
export interface ScimProgress {
  pages: number;
  /** What ended the read; `null`: it has not ended. */
  end: string | null;
}

/**
 * Yields the resources of a list, page by page. It has ended well only where every page told the same
 * `totalResults`, as many distinct ids came, and something else says that these are all: servers cap pages, some count
 * only what they give, and a record that comes or goes meanwhile moves others across their edges. Of ids only hashes are
 * held.
 */
export async function* scimPages(
  client: ScimClient,
  list: ScimList,
  progress: ScimProgress,
): AsyncGenerator<readonly Resource[]> {
  const { resource } = list;
  const given: Noted = { seen: new KeySet(), first: '', last: '' };
  const { seen } = given;
  let total: number | null = null;
  let firstPage: string | null = null;
  while (total === null || seen.size < total) {
    const page = await askPage(client, list, seen.size + 1);
    total ??= page.total;
    if (page.total !== total) throw changed(resource, `totalResults was ${total} and is ${page.total}`);
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

type Noted = { -readonly [K in keyof Given]: Given[K] };

function noteIds({ resources }: Page, noted: Noted, resource: string): void {
  for (const { id } of resources) {
    if (!noted.seen.add(id)) throw changed(resource, `${printable(id)} came twice`);
    noted.first ||= id;
    noted.last = id;
  }
}
