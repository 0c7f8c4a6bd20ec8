import { EqualityFilter, OrFilter, type Filter } from 'ldapts';

import type { FullReadNeeded } from '../../../domain/reading/increment.ts';
import { printable } from '../../../domain/text/printable.ts';
import { digest } from '../../../lib/digest.ts';
import type { PagedSearch } from '../wire/paged-search.ts';
import type { RawEntry } from '../wire/raw-entry.ts';
import { valueOf } from '../ber/value-of.ts';
import type { EntryKeys } from '../read/entry-keys.ts';
import type { PeopleSearch } from './people-search.ts';
import type { Touched } from './way.ts';

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
  readonly made: string | null;
}

/** Returns whether an entry was there before the mark. */
export type IsOld = (made: string | null) => boolean;

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
  changedSince(text: string, isOld: IsOld): FullReadNeeded | null {
    const before = parse(text);
    for (const [key, { dn, made }] of this.#byKey) {
      const place = before.get(short(key));
      if (place === undefined ? isOld(made) : place !== short(dn)) return moved(dn);
      before.delete(short(key));
    }
    const why = 'a container among people was removed, or moved out of sight';
    return before.size === 0 ? null : { why };
  }

  /** Returns the names of those entries that are old and not in the list. */
  unknownIn(found: ContainerList, isOld: IsOld): readonly string[] {
    return [...found.#byKey].flatMap(([key, { dn, made }]) =>
      !this.#byKey.has(key) && isOld(made) ? [dn] : [],
    );
  }
}

export function moved(dn: string): FullReadNeeded {
  return { why: `a container above people may have changed its name or its place: ${printable(dn)}` };
}

const short = (text: string): string => digest(text).slice(0, SHORT);

function parse(text: string): Map<string, string> {
  const places = new Map<string, string>();
  for (let at = 0; at < text.length; at += 2 * SHORT)
    places.set(text.slice(at, at + SHORT), text.slice(at + SHORT, at + 2 * SHORT));
  return places;
}

/** Lists entries among the containers of people, each base too. */
export class ContainerSearch {
  readonly #people: PeopleSearch;
  readonly #keys: EntryKeys;
  readonly #made: string;

  /** @param made attribute that tells when an entry was made */
  constructor(people: PeopleSearch, keys: EntryKeys, made: string) {
    this.#people = people;
    this.#keys = keys;
    this.#made = made;
  }

  /** Lists those of the usual classes. */
  async usual(): Promise<ContainerList> {
    const filters = CLASSES.map((value) => new EqualityFilter({ attribute: 'objectClass', value }));
    return this.#list(new OrFilter({ filters }), []);
  }

  /** Lists those that were touched. */
  async touched({ filter, attribute, isTouched = () => true }: Touched): Promise<ContainerList> {
    const more = attribute === undefined ? [] : [attribute];
    return this.#list(filter, more, (entry) =>
      isTouched(attribute === undefined ? null : textIn(entry, attribute)),
    );
  }

  async #list(
    filter: Filter,
    more: readonly string[],
    isIt: (entry: RawEntry) => boolean = () => true,
  ): Promise<ContainerList> {
    const asked = { filter, attributes: [this.#keys.attribute, this.#made, ...more] };
    const found = new Map<string, Container>();
    for await (const { entries } of this.#people.found(placesOf(this.#people.searches, asked)))
      for (const entry of entries)
        if (isIt(entry))
          found.set(this.#keys.of(entry) ?? entry.dn, { dn: entry.dn, made: textIn(entry, this.#made) });
    return new ContainerList(found);
  }
}

/** Returns the searches for what people are below: of a base without its subtree, that is the base alone. */
function placesOf(
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
