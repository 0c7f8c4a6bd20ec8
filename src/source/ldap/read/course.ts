import type { RootValues } from '../../../domain/directories/vendors.ts';
import type { LdapSettings } from '../settings/ldap-settings.ts';
import type { Plan } from '../../records/planned-read.ts';
import { SIZE_LIMIT, type LdapConnection, type SearchAsk } from '../wire/connection.ts';
import { valuesIn } from '../wire/entry.ts';
import type { PagedSearch } from '../wire/paged-search.ts';
import { attributesFor } from './entry-reader.ts';
import type { Directory } from './open-directory.ts';
import type { Reach } from './reach.ts';

/** What one part reads. */
export interface ReachAsk {
  readonly reach: Reach;
}

/** What all parts of one read share. */
export interface Course {
  readonly settings: LdapSettings;
  /** When the read began. */
  readonly at: Date;
  readonly directory: Directory;
  /** Returns a connection that no paged search occupies, as that of `directory` may be. */
  readonly look: () => Promise<LdapConnection>;
}

/** Entries of a page, which no server refuses as it is installed. */
export const pageSizeOf = ({ pageSize = 500 }: LdapSettings): number => pageSize;

/**
 * Returns the searches of one part, one for each base.
 * @param more attributes that are read in addition to those of the rules
 */
export function searchesOf<T>(
  { reach: { path, bases, scope, filter }, mapper }: Plan<ReachAsk, T>,
  { settings, directory }: Course,
  more: readonly string[] = [],
): readonly PagedSearch[] {
  const { attributes, partitions } = directory;
  const asked = attributesFor(mapper.columns, attributes.accounts, more);
  const pageSize = pageSizeOf(settings);
  return bases.map((base) => ({ path, base, scope, filter, attributes: asked, pageSize, partitions }));
}

const FEW = 100;

/** Result codes of an entry that is not there or may not be read. */
const [NO_SUCH_OBJECT, NO_ACCESS] = [32, 50];

/**
 * Returns the values of few entries by their attributes, however many more there are; none if the server shows none.
 * Throws a `SourceError`.
 */
export async function lookAt(
  { directory: { connection } }: Pick<Course, 'directory'>,
  asked: Pick<SearchAsk, 'base' | 'scope' | 'filter' | 'attributes'>,
): Promise<readonly RootValues[]> {
  const doing = asked.base === '' ? 'looking at its root entry' : `looking at ${asked.base}`;
  const look = { ...asked, atMost: FEW, path: 'source.people', doing };
  const { entries } = await connection.look(look, [SIZE_LIMIT, NO_SUCH_OBJECT, NO_ACCESS]);
  return entries.map((entry) => (attribute) => valuesIn(entry, attribute));
}
