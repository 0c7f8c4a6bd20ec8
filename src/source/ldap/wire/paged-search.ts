import {
  PagedResultsControl,
  SearchRequest,
  type Filter,
  type SearchEntry,
  type SearchResponse,
} from 'ldapts';

import { SourceError } from '../../../domain/errors.ts';
import type { LdapSettings } from '../../../domain/source-settings.ts';
import { canonicalDn } from '../terms/dn.ts';
import type { LdapConnection } from './ldap-connection.ts';
import { resultError, type LdapTask } from './ldap-error.ts';
import { parseReference } from '../terms/references.ts';

export interface PagedSearch {
  /** Path in the configuration, e.g. `source.units`. */
  readonly path: string;
  readonly base: string;
  readonly scope: 'sub' | 'one' | 'base';
  readonly filter: Filter;
  readonly attributes: readonly string[];
  readonly pageSize: number;
  /** Time limit of the server for one page, in seconds; ldapts itself would set 10. */
  readonly timeLimitSeconds: number;
  readonly referrals: LdapSettings['referrals'];
  readonly derefAliases: NonNullable<LdapSettings['derefAliases']>;
  /** Parts of the directory, in canonical spelling, that are left out wherever the server refers to them. */
  readonly partitions: ReadonlySet<string>;
}

/** What the searches of one part have delivered so far. */
export interface SearchProgress {
  records: number;
  pages: number;
  /** Set when the server itself says that nothing is left. */
  end: string | null;
  /** Referrals that were ignored. */
  readonly referrals: string[];
  /** Known parts of the directory that were left out. */
  readonly leftOut: Set<string>;
  /** Referrals that are still to be followed: for each, the addresses of servers that have the same. */
  readonly pending: (readonly string[])[];
  /** Referrals that were followed to their end. */
  readonly followed: string[];
}

export function newProgress(): SearchProgress {
  return { records: 0, pages: 0, end: null, referrals: [], leftOut: new Set(), pending: [], followed: [] };
}

/** Number of empty pages in a row after which a search fails: servers may send some with a cookie. */
const MAX_EMPTY_PAGES = 1_000;

/**
 * Yields all entries, page by page, until the server's cookie is empty (RFC 2696). It asks for the next page
 * before it yields the current one. Throws a `SourceError` for anything that leaves the read incomplete.
 */
export async function* searchPages(
  connection: LdapConnection,
  search: PagedSearch,
  progress: SearchProgress,
): AsyncGenerator<SearchEntry[]> {
  const { first, size } = await firstPage(connection, search);
  let next: Promise<Page> | null = Promise.resolve(first);
  let empty = 0;
  while (next !== null) {
    const page: Page = await next;
    next = page.cookie === null ? null : fetchPage(connection, search, { cookie: page.cookie, size });
    next?.catch(() => undefined);
    empty = page.entries.length === 0 ? empty + 1 : 0;
    if (empty > MAX_EMPTY_PAGES) throw endless(taskOf(connection, search));
    record(page, progress, search.referrals === 'follow');
    yield page.entries;
  }
}

/** Returns the first page, and the size of it that the server takes: some refuse a page that is too large. */
async function firstPage(
  connection: LdapConnection,
  search: PagedSearch,
): Promise<{ readonly first: Page; readonly size: number }> {
  for (let size = search.pageSize; ; size = Math.floor(size / 2)) {
    try {
      return { first: await fetchPage(connection, search, { cookie: null, size }), size };
    } catch (error) {
      if (!(error instanceof TooMuchError) || size < SMALLEST_PAGE * 2) throw error;
    }
  }
}

/** Entries in a page below which no smaller one is tried. */
const SMALLEST_PAGE = 10;

/** Result code of a server that refuses a page of this size, or whose other limits are reached. */
const ADMIN_LIMIT_EXCEEDED = 11;

/** The server's limits do not allow this search as it is. */
class TooMuchError extends SourceError {}

interface Page {
  /** Entries, which the caller may take out of the list. */
  readonly entries: SearchEntry[];
  readonly referrals: readonly (readonly string[])[];
  readonly leftOut: readonly string[];
  /** Cookie for the next page; `null`: the server has no more. */
  readonly cookie: Buffer | null;
}

interface PageRequest {
  readonly cookie: Buffer | null;
  readonly size: number;
}

async function fetchPage(
  connection: LdapConnection,
  search: PagedSearch,
  request: PageRequest,
): Promise<Page> {
  const task = taskOf(connection, search);
  const response = await connection.send(requestOf(search, request), task);
  if (response.status !== 0) {
    const error = resultError(response.status, response.errorMessage, task);
    throw response.status === ADMIN_LIMIT_EXCEEDED ? new TooMuchError(error.message) : error;
  }
  const references = response.searchReferences.map(({ uris }) => uris);
  const unknown = references.filter((uris) => partitionOf(uris, search) === null);
  if (unknown.length > 0 && search.referrals === 'fail') throw referred(task, unknown.flat());
  return { entries: response.searchEntries, cookie: cookieOf(response), ...sorted(references, search) };
}

/** Returns the known part of the directory that a reference leads to; `null`: it leads elsewhere. */
function partitionOf(uris: readonly string[], { partitions }: PagedSearch): string | null {
  if (partitions.size === 0) return null;
  const dns = uris.map((uri) => canonicalDn(parseReference(uri)?.dn ?? '') ?? '');
  return dns.find((dn) => partitions.has(dn)) ?? null;
}

function sorted(
  references: readonly (readonly string[])[],
  search: PagedSearch,
): Pick<Page, 'referrals' | 'leftOut'> {
  const leftOut = references.flatMap((uris) => partitionOf(uris, search) ?? []);
  return { leftOut, referrals: references.filter((uris) => partitionOf(uris, search) === null) };
}

function requestOf(search: PagedSearch, { cookie, size }: PageRequest): SearchRequest {
  return new SearchRequest({
    messageId: -1,
    baseDN: search.base,
    scope: search.scope,
    filter: search.filter,
    attributes: [...search.attributes],
    timeLimit: search.timeLimitSeconds,
    derefAliases: search.derefAliases,
    controls: [
      new PagedResultsControl({ critical: true, value: cookie === null ? { size } : { size, cookie } }),
    ],
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

function record(page: Page, progress: SearchProgress, isFollowed: boolean): void {
  progress.pages += 1;
  progress.records += page.entries.length;
  for (const dn of page.leftOut) progress.leftOut.add(dn);
  if (isFollowed) progress.pending.push(...page.referrals);
  else progress.referrals.push(...page.referrals.flat());
}

function taskOf(connection: LdapConnection, search: PagedSearch): LdapTask {
  const doing = `searching ${search.path} below ${search.base}`;
  return { server: connection.server, path: search.path, doing, base: search.base };
}

function referred(task: LdapTask, referrals: readonly string[]): SourceError {
  const remedy = 'Read that server itself, narrow the base, or set source.referrals: follow, or ignore.';
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
