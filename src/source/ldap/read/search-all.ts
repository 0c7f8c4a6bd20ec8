import { SourceError } from '../../../domain/errors.ts';
import { printable } from '../../../domain/text/printable.ts';
import { KeySet } from '../../../lib/digest.ts';
import { LdapConnection } from '../wire/ldap-connection.ts';
import { searchPages, type PagedSearch, type SearchProgress } from '../wire/paged-search.ts';
import type { RawEntry } from '../wire/raw-entry.ts';

/** Entries that came together. */
interface FoundEntries {
  readonly entries: RawEntry[];
  /** Number of the base, in the order of the list. */
  readonly search: number;
}

/**
 * Yields the entries of all bases, one base after the other. Throws a `SourceError` for anything that leaves the read
 * incomplete.
 */
export async function* searchAll(
  connection: LdapConnection,
  searches: readonly PagedSearch[],
  progress: SearchProgress,
): AsyncGenerator<FoundEntries> {
  for (const [search, paged] of searches.entries()) {
    const seen = new SeenNames(paged);
    for await (const entries of searchPages(connection, paged, progress)) {
      seen.note(entries);
      yield { entries, search };
    }
  }
  progress.end = 'cookie empty';
}

/**
 * The names of the entries of one search: none comes twice, and if one does, pages overlap and others are
 * missing between them.
 */
class SeenNames {
  readonly #search: PagedSearch;
  readonly #names = new KeySet();

  constructor(search: PagedSearch) {
    this.#search = search;
  }

  /** Throws a `SourceError` if an entry came before. */
  note(entries: readonly RawEntry[]): void {
    for (const entry of entries) {
      const { bytes, dnStart, dnEnd } = entry.place;
      if (!this.#names.add(bytes.subarray(dnStart, dnEnd))) throw twice(this.#search, entry.dn);
    }
  }
}

function twice({ path, base }: PagedSearch, dn: string): SourceError {
  return new SourceError(
    `${path}: ${printable(dn)} came twice in one search below ${printable(base)}: its pages overlap, and others may be ` +
      'missing: the read is incomplete and nothing of it is used. If this repeats, name one server in source.url ' +
      'rather than several behind one address, and look at its referrals.',
    { isPassing: true },
  );
}
