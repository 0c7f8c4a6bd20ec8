import { AndFilter, EqualityFilter, OrFilter, type Filter } from 'ldapts';

import type { FullReadNeeded } from '../../../domain/reading/increment.ts';
import { printable } from '../../../domain/text/printable.ts';
import { digest } from '../../../lib/digest.ts';
import type { PagedSearch } from '../wire/paged-search.ts';
import type { RawEntry } from '../wire/raw-entry.ts';
import { valueOf } from '../wire/value-of.ts';
import type { ChangesCourse, PeopleSearch } from './people-search.ts';

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

/** Characters of a digest here: 48 bits tell the containers of one directory apart. */
const SHORT = 8;

interface Container {
  readonly dn: string;
  /** When it was made, as the server tells it. */
  readonly created: string | null;
}

/** What tells the age of an entry. */
export interface Age {
  /** Attribute that has it. */
  readonly attribute: string;
  /** Returns whether an entry was there before the mark. */
  isOld(created: string | null): boolean;
}

/**
 * The entries above people: where one of them is renamed or moved, all people below have other names, and no server
 * tells that of them.
 */
export class ContainerList {
  readonly #byKey: ReadonlyMap<string, Container>;

  constructor(byKey: ReadonlyMap<string, Container>) {
    this.#byKey = byKey;
  }

  /** Returns the list as a text to be compared later. */
  get text(): string {
    return [...this.#byKey]
      .map(([key, { dn }]) => short(key) + short(dn))
      .toSorted()
      .join('');
  }

  /** Returns why people below may have other names than at an earlier list; `null`: they have not. */
  changedSince(text: string, { isOld }: Pick<Age, 'isOld'>): FullReadNeeded | null {
    const before = parse(text);
    for (const [key, { dn, created }] of this.#byKey) {
      const place = before.get(short(key));
      if (place === undefined ? isOld(created) : place !== short(dn)) return moved(dn);
      before.delete(short(key));
    }
    const why = 'a container among people was removed, or moved out of sight';
    return before.size === 0 ? null : { why };
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }
}

export function moved(dn: string): FullReadNeeded {
  return { why: `a container above people changed its name or its place: ${printable(dn)}` };
}

const short = (text: string): string => digest(text).slice(0, SHORT);

function parse(text: string): Map<string, string> {
  const places = new Map<string, string>();
  for (let at = 0; at < text.length; at += 2 * SHORT)
    places.set(text.slice(at, at + SHORT), text.slice(at + SHORT, at + 2 * SHORT));
  return places;
}

/** Lists the containers of the usual classes, each base among them. */
export async function listContainers(
  people: PeopleSearch,
  course: ChangesCourse,
  age: Age,
): Promise<ContainerList> {
  const filter = new OrFilter({
    filters: CLASSES.map((value) => new EqualityFilter({ attribute: 'objectClass', value })),
  });
  return new ContainerList(await containersIn(people, course, { age, filter }));
}

/**
 * Returns why people below an entry that is no usual container may have other names; `null`: they have not.
 * @param touched holds for entries that were changed since the mark, and that have others below them
 */
export async function unusualChange(
  people: PeopleSearch,
  course: ChangesCourse,
  { age, touched, known }: { readonly age: Age; readonly touched: Filter; readonly known: ContainerList },
): Promise<FullReadNeeded | null> {
  const found = await containersIn(people, course, { age, filter: touched });
  const old = [...found].find(([key, { created }]) => !known.has(key) && age.isOld(created));
  return old === undefined ? null : moved(old[1].dn);
}

/** Returns the filter for entries that have others below them and for which another one holds. */
export const withChildren = (parents: Filter, filter: Filter): Filter =>
  new AndFilter({ filters: [parents, filter] });

async function containersIn(
  people: PeopleSearch,
  { keys }: ChangesCourse,
  { age, filter }: { readonly age: Age; readonly filter: Filter },
): Promise<ReadonlyMap<string, Container>> {
  const attributes = [keys.attribute, age.attribute];
  const found = new Map<string, Container>();
  for await (const { entries } of people.found(placesOf(people.searches, { filter, attributes })))
    for (const entry of entries)
      found.set(keys.of(entry) ?? entry.dn, { dn: entry.dn, created: textIn(entry, age.attribute) });
  return found;
}

/** Returns the searches for what people are below: of a base without its subtree, that is the base alone. */
export function placesOf(
  searches: readonly PagedSearch[],
  asked: Pick<PagedSearch, 'filter' | 'attributes'>,
): readonly PagedSearch[] {
  return searches.map((search) => ({
    ...search,
    ...asked,
    scope: search.scope === 'one' ? 'base' : search.scope,
  }));
}

export function textIn(entry: RawEntry, attribute: string): string | null {
  return valueOf(entry.place, Buffer.from(attribute.toLowerCase()))?.toString('utf8') ?? null;
}
