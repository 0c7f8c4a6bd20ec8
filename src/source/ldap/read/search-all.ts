import { SourceError } from '../../../domain/errors.ts';
import type { LdapBase } from '../../../domain/source-settings.ts';
import { printable } from '../../../domain/text/printable.ts';
import { KeySet } from '../../../lib/digest.ts';
import { canonicalDn, parseReference, type LdapReference } from '../wire/dn.ts';
import { LdapConnection, type ServerSettings } from '../wire/ldap-connection.ts';
import { parseFilter, UnansweredError } from '../wire/ldap-error.ts';
import { searchPages, type PagedSearch, type SearchProgress } from '../wire/paged-search.ts';
import type { RawEntry } from '../wire/raw-entry.ts';

/** Number of servers in a chain of referrals. */
const DEEPEST = 5;
/** Number of places that one part of a read may be referred to. */
const MOST_PLACES = 200;

/** What one search was asked of. */
interface Asked {
  readonly server: ServerSettings;
  readonly connection: LdapConnection;
  /** Number of referrals that led there. */
  readonly depth: number;
}

interface Course {
  readonly progress: SearchProgress;
  readonly signal: AbortSignal;
}

/** Entries that came together. */
interface Found {
  readonly entries: RawEntry[];
  /** Number of the base, in the order of the list. */
  readonly search: number;
}

/**
 * Yields the entries of all bases, one base after the other, and what their referrals lead to. Throws a
 * `SourceError` for anything that leaves the read incomplete.
 */
export async function* searchAll(
  { server, connection }: Pick<Asked, 'server' | 'connection'>,
  searches: readonly PagedSearch[],
  { progress, signal }: Course,
): AsyncGenerator<Found> {
  const walk = new Walk(progress, signal);
  for (const [search, paged] of searches.entries()) {
    walk.isNew(server.url, paged);
    const seen = new SeenNames(paged);
    for await (const entries of walk.read({ server, connection, depth: 0 }, paged)) {
      seen.note(entries);
      yield { entries, search };
    }
  }
  progress.end = 'cookie empty';
}

/**
 * The names of the entries of one search: none comes twice, and where one does, pages overlap and others are
 * missing between them. Where aliases are followed, an entry may come by several ways (RFC 4511, section 4.5.1.3).
 */
class SeenNames {
  readonly #search: PagedSearch;
  readonly #names: KeySet | null;

  constructor(search: PagedSearch) {
    this.#search = search;
    const { derefAliases } = search;
    this.#names = derefAliases === 'search' || derefAliases === 'always' ? null : new KeySet();
  }

  /** Throws a `SourceError` where an entry came before. */
  note(entries: readonly RawEntry[]): void {
    if (this.#names === null) return;
    for (const entry of entries) {
      const { bytes, dnStart, dnEnd } = entry.place;
      if (!this.#names.add(bytes.subarray(dnStart, dnEnd))) throw twice(this.#search, entry.dn);
    }
  }
}

/** The way through a directory that is spread over servers: no place is read twice, and it ends. */
class Walk {
  readonly #progress: SearchProgress;
  readonly #signal: AbortSignal;
  readonly #seen = new Set<string>();

  constructor(progress: SearchProgress, signal: AbortSignal) {
    this.#progress = progress;
    this.#signal = signal;
  }

  /** Notes a place; returns whether it was not read yet. */
  isNew(url: string, { base, scope }: LdapBase | PagedSearch): boolean {
    const { hostname, port } = new URL(url);
    const before = this.#seen.size;
    this.#seen.add([hostname.toLowerCase(), port, canonicalDn(base) ?? base, scope].join(' '));
    return this.#seen.size > before;
  }

  async *read(asked: Asked, search: PagedSearch): AsyncGenerator<RawEntry[]> {
    yield* searchPages(asked.connection, search, this.#progress);
    for (const uris of this.#progress.pending.splice(0)) yield* this.#follow(uris, asked, search);
  }

  async *#follow(uris: readonly string[], asked: Asked, search: PagedSearch): AsyncGenerator<RawEntry[]> {
    const [first] = uris.flatMap((uri) => parseReference(uri) ?? []);
    if (first === undefined) throw lost(uris, 'is no address of a directory');
    const next = searchBehind(first, search);
    if (!this.isNew(serverBehind(first, asked.server).url, next)) return;
    if (asked.depth >= DEEPEST) throw lost(uris, `is the ${DEEPEST + 1}th referral in a row`);
    if (this.#seen.size > MOST_PLACES) throw lost(uris, `is one of more than ${MOST_PLACES} places`);
    const there = await this.#open(uris, asked);
    try {
      yield* this.read(there, next);
      this.#progress.followed.push(first.uri);
    } finally {
      await there.connection.close();
    }
  }

  /** Opens the first of the servers that a referral names and that answers. */
  async #open(uris: readonly string[], asked: Asked): Promise<Asked> {
    const failures: string[] = [];
    for (const reference of uris.flatMap((uri) => parseReference(uri) ?? [])) {
      const server = serverBehind(reference, asked.server);
      try {
        return {
          server,
          connection: await LdapConnection.open(server, this.#signal),
          depth: asked.depth + 1,
        };
      } catch (error) {
        if (!(error instanceof UnansweredError)) throw error;
        failures.push(error.message);
      }
    }
    throw lost(uris, `cannot be followed: ${failures.join(' ').replace(/\.$/u, '')}`);
  }
}

/** Returns the search that a reference asks for; what it does not say stays (RFC 4511, section 4.5.3). */
function searchBehind({ dn, scope, filter }: LdapReference, search: PagedSearch): PagedSearch {
  return {
    ...search,
    base: dn === '' ? search.base : dn,
    scope: scope ?? (search.scope === 'one' ? 'base' : search.scope),
    filter: filter === '' ? search.filter : parseFilter(`${search.path}, referral`, filter),
  };
}

function twice({ path, base }: PagedSearch, dn: string): SourceError {
  return new SourceError(
    `${path}: ${printable(dn)} came twice in one search below ${printable(base)}: its pages overlap, and others may be ` +
      'missing: the read is incomplete and nothing of it is used. Where it is always so, name one server in source.url ' +
      'rather than several behind one address, and look at its referrals.',
    { isPassing: true },
  );
}

function lost(uris: readonly string[], why: string): SourceError {
  return new SourceError(
    `source.referrals: ${uris.slice(0, 3).join(', ')} ${why}: the read is incomplete and nothing of it is used.`,
  );
}

/** Ports with TLS from the start, beside the ports without it. */
const SECURE_PORTS: ReadonlyMap<string, string> = new Map([
  ['', ''],
  ['389', ''],
]);

/**
 * Returns how to ask the server behind a reference: with the same bind, and never in clear text where the
 * server that named it is asked with TLS.
 */
export function serverBehind(reference: LdapReference, from: ServerSettings): ServerSettings {
  const { host, port } = reference;
  // A reference without a host is one to the same server.
  if (host === '') return from;
  const own = new URL(from.url);
  if (reference.protocol === 'ldaps:') return { ...from, ...address('ldaps:', host, port), startTls: false };
  const secure = own.protocol === 'ldaps:' ? SECURE_PORTS.get(port) : undefined;
  if (secure !== undefined) return { ...from, ...address('ldaps:', host, secure), startTls: false };
  const startTls = from.startTls || own.protocol === 'ldaps:';
  return { ...from, ...address('ldap:', host, port), startTls };
}

function address(protocol: string, host: string, port: string): { readonly url: string } {
  return { url: `${protocol}//${host}${port === '' ? '' : `:${port}`}` };
}
