import { EqualityFilter, OrFilter, type Filter } from 'ldapts';

import type { RecordKey } from '../../../domain/reading/increment.ts';
import type { Person } from '../../../domain/records/records.ts';
import type { Plan } from '../../records/planned-read.ts';
import { valueOf } from '../ber/value-of.ts';
import { searchesOf, type Course, type ReachAsk } from '../read/course.ts';
import type { EntryKeys } from '../read/entry-keys.ts';
import { searchAll } from '../read/search-all.ts';
import { newProgress } from '../wire/paged-search.ts';
import type { RawEntry } from '../wire/raw-entry.ts';

/** What tells the changes of a directory works with. */
export interface ChangesCourse extends Course {
  readonly plan: Plan<ReachAsk, Person>;
  readonly keys: EntryKeys;
}

/** Classes of entries that people usually are below. */
const CLASSES = [
  'organizationalUnit',
  'organization',
  'domain',
  'dcObject',
  'container',
  'nsContainer',
  'country',
  'locality',
  'builtinDomain',
  'domainDNS',
  'lostAndFound',
] as const;

const USUAL: Filter = new OrFilter({
  filters: CLASSES.map((value) => new EqualityFilter({ attribute: 'objectClass', value })),
});

/**
 * The entries of the usual classes that people are below, with the bases: names by key. Where one of them is renamed or
 * moved, all people below have other names, and no server tells that of them.
 */
export type Containers = ReadonlyMap<RecordKey, string>;

export async function containersNow(course: ChangesCourse): Promise<Containers> {
  const found = new Map<RecordKey, string>();
  for await (const entry of entriesAmong(course, USUAL))
    found.set(course.keys.of(entry) ?? entry.dn, entry.dn);
  return found;
}

/** Yields the entries among people for which a filter holds, of whatever kind, with these attributes and their keys. */
export async function* entriesAmong(
  course: ChangesCourse,
  filter: Filter,
  attributes: readonly string[] = [],
): AsyncGenerator<RawEntry> {
  const { plan, keys, directory, side, signal } = course;
  const searches = searchesOf(plan, course).map((search) => ({
    ...search,
    filter,
    attributes: [keys.attribute, ...attributes],
    // People of a base without its subtree are below the base alone.
    scope: search.scope === 'one' ? ('base' as const) : search.scope,
  }));
  const from = { server: directory.server, connection: await side.get('list') };
  for await (const { entries } of searchAll(from, searches, { progress: newProgress(), signal }))
    yield* entries;
}

export function textIn(entry: RawEntry, attribute: string): string | null {
  return valueOf(entry.place, Buffer.from(attribute.toLowerCase()))?.toString('utf8') ?? null;
}
