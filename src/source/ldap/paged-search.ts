import {
  FilterParser,
  PagedResultsControl,
  SearchRequest,
  type Filter,
  type SearchEntry,
  type SearchResponse,
} from 'ldapts';

import { SourceError } from '../../domain/errors.ts';
import type { SourcePart } from '../../domain/records/source.ts';
import type { LdapConnection } from './ldap-connection.ts';
import { filterError, resultError, type LdapTask } from './ldap-error.ts';

export interface PagedSearch {
  readonly part: SourcePart['part'];
  /** Path in the configuration, e.g. `source.units`. */
  readonly path: string;
  readonly base: string;
  readonly scope: 'sub' | 'one';
  readonly filter: Filter;
  readonly attributes: readonly string[];
  readonly pageSize: number;
  /** Time limit of the server for one page, in seconds; ldapts itself would set 10. */
  readonly timeLimitSeconds: number;
  readonly referrals: 'fail' | 'ignore';
}

/** What a search has delivered so far; `end` is set when the server itself says that nothing is left. */
export interface SearchProgress {
  records: number;
  pages: number;
  end: string | null;
  readonly referrals: string[];
}

/** Number of empty pages in a row after which a search fails: servers may send some with a cookie. */
const MAX_EMPTY_PAGES = 1_000;

/**
 * Parses a filter. Blanks and line breaks between conditions, as YAML folds them, are removed: RFC 4515 has
 * none. ldapts accepts missing parentheses, and may then ask for something that was not meant, so they are
 * counted. In values they are `\28`, `\29`.
 */
export function parseFilter(path: string, filter: string): Filter {
  const dense = filter.trim().replaceAll(/(?<=[()]|\([&|!])\s+(?=[()])/g, '');
  try {
    const count = (paren: string): number => dense.split(paren).length;
    if (count('(') !== count(')')) throw new Error('its parentheses do not match');
    return FilterParser.parseString(dense);
  } catch (error) {
    throw filterError(path, filter, error);
  }
}

/**
 * Yields all entries, page by page, until the server's cookie is empty (RFC 2696). It asks for the next page
 * before it yields the current one. Throws a `SourceError` for anything that leaves the read incomplete.
 */
export async function* searchPages(
  connection: LdapConnection,
  search: PagedSearch,
  progress: SearchProgress,
): AsyncGenerator<SearchEntry[]> {
  let next: Promise<Page> | null = fetchPage(connection, search, null);
  let empty = 0;
  while (next !== null) {
    const page: Page = await next;
    next = page.cookie === null ? null : fetchPage(connection, search, page.cookie);
    next?.catch(() => undefined);
    empty = page.entries.length === 0 ? empty + 1 : 0;
    if (empty > MAX_EMPTY_PAGES) throw endless(taskOf(connection, search));
    record(page, progress);
    yield page.entries;
  }
  progress.end = 'cookie empty';
}

interface Page {
  /** Entries, which the caller may take out of the list. */
  readonly entries: SearchEntry[];
  readonly referrals: readonly string[];
  /** Cookie for the next page; `null`: the server has no more. */
  readonly cookie: Buffer | null;
}

async function fetchPage(
  connection: LdapConnection,
  search: PagedSearch,
  cookie: Buffer | null,
): Promise<Page> {
  const task = taskOf(connection, search);
  const response = await connection.send(requestOf(search, cookie), task);
  if (response.status !== 0) throw resultError(response.status, response.errorMessage, task);
  const referrals = response.searchReferences.flatMap((reference) => reference.uris);
  if (referrals.length > 0 && search.referrals === 'fail') throw referred(task, referrals);
  return { entries: response.searchEntries, referrals, cookie: cookieOf(response) };
}

function requestOf(search: PagedSearch, cookie: Buffer | null): SearchRequest {
  const value = cookie === null ? { size: search.pageSize } : { size: search.pageSize, cookie };
  return new SearchRequest({
    messageId: -1,
    baseDN: search.base,
    scope: search.scope,
    filter: search.filter,
    attributes: [...search.attributes],
    timeLimit: search.timeLimitSeconds,
    controls: [new PagedResultsControl({ critical: true, value })],
  });
}

/**
 * Returns the cookie of an answer, which has no control only where the server sent everything at once (RFC
 * 2696, section 3).
 */
function cookieOf(response: SearchResponse): Buffer | null {
  const control = response.controls?.find((candidate) => candidate instanceof PagedResultsControl);
  const cookie = control?.value?.cookie;
  return cookie === undefined || cookie.length === 0 ? null : Buffer.from(cookie);
}

function record(page: Page, progress: SearchProgress): void {
  progress.pages += 1;
  progress.records += page.entries.length;
  progress.referrals.push(...page.referrals);
}

function taskOf(connection: LdapConnection, search: PagedSearch): LdapTask {
  const doing = `searching ${search.path} below ${search.base}`;
  return { server: connection.server, path: search.path, doing, base: search.base };
}

function referred(task: LdapTask, referrals: readonly string[]): SourceError {
  const remedy = 'Read that server itself, narrow the base, or set source.referrals: ignore.';
  const named = referrals.slice(0, 3).join(', ');
  return new SourceError(
    `${task.server}, ${task.doing}: a part is on another server (${named}): incomplete. ${remedy}`,
  );
}

function endless(task: LdapTask): SourceError {
  return new SourceError(
    `${task.server}, ${task.doing}: more than ${MAX_EMPTY_PAGES} empty pages: incomplete.`,
  );
}
