import { PagedResultsControl, SearchRequest, type Filter } from 'ldapts';

import { SourceError } from '../../../domain/errors.ts';
import type { LdapSettings } from '../../../domain/source-settings.ts';
import { dnBehind } from './dn.ts';
import { ProtocolError } from './ber.ts';
import { cookieOf } from './controls.ts';
import type { LdapConnection, Search } from './ldap-connection.ts';
import { ldapError, refusedBy, type LdapTask } from './ldap-error.ts';
import type { LdapResult } from './parse-message.ts';
import type { RawEntry } from './raw-entry.ts';
import type { AnswerPart } from './answers.ts';

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
}

export function newProgress(): SearchProgress {
  return { records: 0, pages: 0, end: null, referrals: [], leftOut: new Set() };
}

/** Number of empty pages in a row after which a search fails: servers may send some with a cookie. */
const MAX_EMPTY_PAGES = 1_000;

/**
 * Yields all entries, usually page by page, until the server's cookie is empty (RFC 2696). It asks for the next
 * page before it yields the current one. Throws a `SourceError` for anything that leaves the read incomplete.
 */
export async function* searchPages(
  connection: LdapConnection,
  search: PagedSearch,
  progress: SearchProgress,
): AsyncGenerator<RawEntry[]> {
  const asked = { connection, search, task: taskOf(connection, search) };
  let open: Search | null = ask(asked, null);
  const course = new PageCourse(asked);
  try {
    let part = course.next(checked(await open.take(), asked));
    for (;;) {
      if (part.isEnd) open = part.cookie === null ? null : ask(asked, part.cookie);
      record(part, progress);
      yield part.entries;
      if (open === null) return;
      part = course.next(checked(await open.take(), asked));
    }
  } finally {
    open?.drop();
  }
}

interface PageRequest {
  readonly connection: LdapConnection;
  readonly search: PagedSearch;
  readonly task: LdapTask;
}

/** A page, or a part of one that is very large. */
interface EntryPage {
  /** Entries, which the caller may take out of the list. */
  readonly entries: RawEntry[];
  readonly referrals: readonly (readonly string[])[];
  readonly leftOut: readonly string[];
  readonly isEnd: boolean;
  /** Cookie for the next page; `null`: the server has no more, or this page is not at its end. */
  readonly cookie: Buffer | null;
  /** Whether the server said at the end that these are paged results. */
  readonly isPaged: boolean;
}

/** @param cookie of the page before; `null`: the first one is asked for */
function ask({ connection, search, task }: PageRequest, cookie: Buffer | null): Search {
  return connection.search(requestOf(search, cookie), task);
}

/** Returns what came as a page. Throws a `SourceError` if it says that something is missing. */
function checked(
  { entries, references, intermediates: asides, result }: AnswerPart,
  { search, task }: PageRequest,
): EntryPage {
  if (result !== null && result.code !== 0) throw refusedBy(result, task);
  if (asides.length > 0) throw ldapError(new ProtocolError('it tells what was not asked for'), task);
  const referrals = references.filter((uris) => partitionOf(uris, search) === null);
  if (referrals.length > 0 && search.referrals === 'fail') throw referred(task, referrals.flat());
  const received = result === null ? null : cookieIn(result, task);
  const cookie = received === null || received.length === 0 ? null : received;
  return {
    entries,
    isEnd: result !== null,
    cookie,
    isPaged: received !== null,
    referrals,
    leftOut: references.flatMap((uris) => partitionOf(uris, search) ?? []),
  };
}

function cookieIn({ controls }: LdapResult, task: LdapTask): Buffer | null {
  try {
    return cookieOf(controls);
  } catch (error) {
    throw ldapError(error, task);
  }
}

/** The pages of one search, one after the other. */
class PageCourse {
  readonly #task: LdapTask;
  readonly #isOne: boolean;
  readonly #size: number;
  #pages = 0;
  #entries = 0;
  #empty = 0;

  constructor({ task, search }: PageRequest) {
    this.#task = task;
    this.#isOne = search.scope === 'base';
    this.#size = search.pageSize;
  }

  /** Returns the page. Throws a `SourceError` after too many empty ones, or if it does not prove its end. */
  next(page: EntryPage): EntryPage {
    this.#entries += page.entries.length;
    if (!page.isEnd) return page;
    if (!page.isPaged && this.#isShort) throw unproven(this.#task);
    this.#empty = this.#entries === 0 ? this.#empty + 1 : 0;
    if (this.#empty > MAX_EMPTY_PAGES) throw endless(this.#task);
    this.#pages += 1;
    this.#entries = 0;
    return page;
  }

  /** Whether a page without the control may be one of several: after a cookie, or as long as it was asked to be. */
  get #isShort(): boolean {
    return this.#pages > 0 || (this.#entries === this.#size && !this.#isOne);
  }
}

/** Returns the known part of the directory that a reference leads to; `null`: it leads elsewhere. */
function partitionOf(uris: readonly string[], { partitions }: PagedSearch): string | null {
  if (partitions.size === 0) return null;
  return uris.flatMap((uri) => dnBehind(uri) ?? []).find((dn) => partitions.has(dn)) ?? null;
}

function requestOf(search: PagedSearch, cookie: Buffer | null): SearchRequest {
  const size = search.pageSize;
  return new SearchRequest({
    messageId: -1,
    baseDN: search.base,
    scope: search.scope,
    filter: search.filter,
    attributes: [...search.attributes],
    timeLimit: search.timeLimitSeconds,
    controls: [
      new PagedResultsControl({ critical: true, value: cookie === null ? { size } : { size, cookie } }),
    ],
  });
}

function record(page: EntryPage, progress: SearchProgress): void {
  if (page.isEnd) progress.pages += 1;
  progress.records += page.entries.length;
  for (const dn of page.leftOut) progress.leftOut.add(dn);
  progress.referrals.push(...page.referrals.flat());
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

function unproven(task: LdapTask): SourceError {
  const why =
    'a page came without the control of paged results (RFC 2696): whether more follows is not known';
  const remedy = 'Look at what stands between here and the server.';
  return new SourceError(`${task.server}, ${task.doing}: ${why}; the read is incomplete. ${remedy}`);
}

function endless(task: LdapTask): SourceError {
  return new SourceError(
    `${task.server}, ${task.doing}: more than ${MAX_EMPTY_PAGES} empty pages: incomplete.`,
  );
}
