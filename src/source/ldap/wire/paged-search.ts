import { PagedResultsControl } from 'ldapts';
import { printable } from '../../../domain/text/printable.ts';
import { KeySet } from '../../../lib/digest.ts';
import type { AnswerPart } from './answer.ts';
import { ProtocolError } from './ber.ts';
import type { LdapConnection, Search, SearchAsk } from './connection.ts';
import { cookieOf } from './controls.ts';
import { dnBehind } from './dn.ts';
import type { RawEntry } from './entry.ts';
import { ldapError, ldapProblem, placeOf, refusedBy, serversIn, type LdapTask } from './ldap-problems.ts';

export interface PagedSearch extends Pick<SearchAsk, 'base' | 'scope' | 'filter' | 'attributes'> {
  /** Path in the configuration, e.g. `source.units`. */
  readonly path: string;
  readonly pageSize: number;
  /** Parts of the directory, in canonical spelling, that are left out wherever the server refers to them. */
  readonly partitions: ReadonlySet<string>;
  /** Whether references to other servers are ignored. */
  readonly stays?: boolean;
}

/** What the searches of one part have delivered so far. */
export interface SearchProgress {
  records: number;
  pages: number;
  /** Set when the server itself says that nothing is left. */
  end: string | null;
  /** Known parts of the directory that were left out. */
  readonly leftOut: Set<string>;
}

export function newProgress(): SearchProgress {
  return { records: 0, pages: 0, end: null, leftOut: new Set() };
}

/** Entries that came together. */
interface FoundEntries {
  readonly entries: RawEntry[];
  /** Number of the search, in the order of the list. */
  readonly search: number;
}

/**
 * Yields the entries of all searches, one search after the other. Throws a `SourceError` for anything that leaves the
 * read incomplete.
 */
export async function* searchAll(
  connection: LdapConnection,
  searches: readonly PagedSearch[],
  progress: SearchProgress,
): AsyncGenerator<FoundEntries> {
  for (const [search, paged] of searches.entries())
    for await (const entries of searchPages(connection, paged, progress)) yield { entries, search };
  progress.end = 'cookie empty';
}

/** Number of empty pages in a row after which a search fails: servers may send some with a cookie. */
const MAX_EMPTY_PAGES = 1_000;

/**
 * Yields all entries, usually page by page, until the server's cookie is empty (RFC 2696). It asks for the next
 * page before it yields the current one.
 */
async function* searchPages(
  connection: LdapConnection,
  search: PagedSearch,
  progress: SearchProgress,
): AsyncGenerator<RawEntry[]> {
  let open = ask(connection, search, null);
  const proof = new PageProof(search, open.task);
  try {
    for (;;) {
      const part = await open.take();
      const cookie = proof.next(part, progress);
      const isLast = part.result !== null && cookie === null;
      if (cookie !== null) open = ask(connection, search, cookie);
      yield part.entries;
      if (isLast) return;
    }
  } finally {
    open.drop();
  }
}

/** @param cookie of the page before; `null`: the first one is asked for */
function ask(connection: LdapConnection, search: PagedSearch, cookie: Buffer | null): Search {
  const { pageSize: size, path, base } = search;
  const value = cookie === null ? { size } : { size, cookie };
  const controls = [new PagedResultsControl({ critical: true, value })];
  return connection.search({ ...search, controls, doing: `searching ${path} below ${base}` });
}

/** Looks whether the pages of one search are all there is. */
class PageProof {
  readonly #search: PagedSearch;
  readonly #task: LdapTask;
  /** None comes twice: if one does, pages overlap, and others are missing between them. */
  readonly #names = new KeySet();
  #pages = 0;
  #entries = 0;
  #empty = 0;

  constructor(search: PagedSearch, task: LdapTask) {
    this.#search = search;
    this.#task = task;
  }

  /** Returns the cookie for the next page; `null`: this is the last one, or not at its end. Throws a `SourceError`. */
  next({ entries, references, intermediates, result }: AnswerPart, progress: SearchProgress): Buffer | null {
    if (result !== null && result.code !== 0) throw refusedBy(result, this.#task);
    if (intermediates.length > 0)
      throw ldapError(new ProtocolError('it says what was not asked'), this.#task);
    for (const uris of references) this.#refer(uris, progress);
    for (const entry of entries)
      if (!this.#names.add(entry.dnBytes))
        throw ldapProblem('ldap-twice', { at: this.#at, dn: printable(entry.dn) }, { isPassing: true });
    progress.records += entries.length;
    this.#entries += entries.length;
    if (result === null) return null;
    progress.pages += 1;
    return this.#cookie(result.controls);
  }

  #cookie(controls: Parameters<typeof cookieOf>[0]): Buffer | null {
    const cookie = this.#parsed(controls);
    if (cookie === null && this.#isShort) throw ldapProblem('ldap-no-proof', { at: this.#at });
    this.#empty = this.#entries === 0 ? this.#empty + 1 : 0;
    if (this.#empty > MAX_EMPTY_PAGES)
      throw ldapProblem('ldap-empty-pages', { at: this.#at, most: MAX_EMPTY_PAGES });
    this.#pages += 1;
    this.#entries = 0;
    return cookie === null || cookie.length === 0 ? null : cookie;
  }

  #parsed(controls: Parameters<typeof cookieOf>[0]): Buffer | null {
    try {
      return cookieOf(controls);
    } catch (error) {
      throw ldapError(error, this.#task);
    }
  }

  get #at(): string {
    return placeOf(this.#task);
  }

  /** Whether a page without the control may be one of several: after a cookie, or as long as it was asked to be. */
  get #isShort(): boolean {
    const { pageSize, scope } = this.#search;
    return this.#pages > 0 || (this.#entries === pageSize && scope !== 'base');
  }

  /** Looks at a reference to another server. Only known parts of the directory may be there. */
  #refer(uris: readonly string[], progress: SearchProgress): void {
    const { partitions, stays } = this.#search;
    const known = uris.flatMap((uri) => dnBehind(uri) ?? []).find((dn) => partitions.has(dn));
    if (known !== undefined) progress.leftOut.add(known);
    else if (stays !== true) throw ldapProblem('ldap-elsewhere', { at: this.#at, servers: serversIn(uris) });
  }
}
