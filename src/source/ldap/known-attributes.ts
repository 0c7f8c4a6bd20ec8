import { Filter } from 'ldapts';

import type { UnknownAttribute } from '../../domain/records/source.ts';
import { suggest } from '../../lib/suggest.ts';
import type { Mapper } from '../mapping/mapper.ts';
import type { LdapConnection } from './ldap-connection.ts';
import type { PagedSearch } from './paged-search.ts';
import { isAnywhere, readSchema } from './read-schema.ts';
import type { DirectorySchema } from './schema.ts';

/** One search and what its mapping asks for. */
export interface Wanted {
  readonly search: PagedSearch;
  readonly mapper: Pick<Mapper<unknown>, 'names' | 'places'>;
}

/** What one read knows of the server's attributes. */
export interface Attributes {
  readonly schema: DirectorySchema;
  /** Names in the configuration that are neither in the schema nor on any entry. */
  readonly unknown: readonly UnknownAttribute[];
}

/**
 * Compares the names in the configuration with the server's schema, and names missing there with the entries.
 */
export async function knownAttributes(
  connection: LdapConnection,
  wanted: readonly Wanted[],
): Promise<Attributes> {
  const schema = await readSchema(connection);
  const unknown: UnknownAttribute[] = [];
  for (const { search, mapper } of wanted) {
    for (const [name, places] of placesOf({ search, mapper })) {
      if (schema.knows(name) || (await isAnywhere(connection, name, search))) continue;
      unknown.push({ part: search.part, name, places, suggestion: suggest(name, schema.names) ?? null });
    }
  }
  return { schema, unknown };
}

/** Returns where the configuration has each attribute. */
function placesOf({ search, mapper }: Wanted): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, readonly string[]>();
  for (const [slot, name] of mapper.names.entries()) places.set(name, mapper.places[slot] ?? []);
  for (const name of attributesIn(search.filter)) {
    places.set(name, [...(places.get(name) ?? []), `${search.path}.filter`]);
  }
  return places;
}

/** Returns the attributes that a filter tests: its own, and those of the filters in it. */
function attributesIn(filter: Filter): ReadonlySet<string> {
  const part = (key: string): unknown => Reflect.get(filter, key);
  const own = [part('attribute'), part('matchType')].filter(
    (name) => typeof name === 'string' && name !== '',
  );
  const below = [part('filters'), part('filter')].flat().filter((each) => each instanceof Filter);
  return new Set([...(own as string[]), ...below.flatMap((each) => [...attributesIn(each)])]);
}
