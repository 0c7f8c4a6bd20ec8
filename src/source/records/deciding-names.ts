import { ACCOUNT_ACTIVE } from '../../domain/directories/vendors.ts';
import type { Deciding } from '../../domain/reading/deciding.ts';
import type { HiddenName } from '../../domain/reading/source-part.ts';
import type { Mapper } from '../mapping/mapper.ts';
import { firstValue, type RawRecord } from '../mapping/values/raw-record.ts';

/** A name and where the configuration has it. */
export type Watching = Pick<Deciding, 'name' | 'places'>;

/** Places of rules that decide who is active, in scope or protected, or whose partner somebody is. */
const DECIDES = /^(?:source\.people\.(?:fields\.active|where|join\.on)|sync\.protect\.where)$/u;

/** Returns the names that decide, with their slots. */
export function decidingSlots(names: readonly Watching[]): readonly (Watching & { readonly slot: number })[] {
  return names
    .map((one, slot) => ({ ...one, slot }))
    .filter(
      ({ name, places }) =>
        name.toLowerCase() !== ACCOUNT_ACTIVE && places.some((place) => DECIDES.test(place)),
    );
}

const NONE: readonly string[] = [];

/** Counts who has the names that decide. */
export class Watched {
  readonly #part: 'people' | 'partners';
  readonly #names: readonly (Watching & { readonly slot: number })[];
  readonly #had: number[];
  readonly #hadInScope: number[];
  #inScope = 0;
  #decoded = 0;
  #recognized = 0;

  /** @param names all names of the records, in their order */
  constructor(part: 'people' | 'partners', names: readonly Watching[]) {
    this.#part = part;
    this.#names = decidingSlots(names);
    this.#had = this.#names.map(() => 0);
    this.#hadInScope = this.#names.map(() => 0);
  }

  /** Counts a record; returns the names of which it has a value. */
  look({ cells }: RawRecord): readonly string[] {
    this.#decoded += 1;
    if (this.#names.length === 0) return NONE;
    const has: string[] = [];
    for (const [at, { slot, name }] of this.#names.entries()) {
      if (firstValue(cells[slot]) === undefined) continue;
      this.#had[at] = (this.#had[at] ?? 0) + 1;
      has.push(name);
    }
    return has;
  }

  /** Counts the record of somebody in scope who has not left, with the names of which it has a value. */
  scope(has: readonly string[]): void {
    this.#inScope += 1;
    for (const [at, { name }] of this.#names.entries())
      if (has.includes(name)) this.#hadInScope[at] = (this.#hadInScope[at] ?? 0) + 1;
  }

  /** Counts a record that was recognized. */
  pass(): void {
    this.#recognized += 1;
  }

  counts(): readonly Deciding[] {
    const [part, decoded, recognized] = [this.#part, this.#decoded, this.#recognized];
    return this.#names.map(({ name, places }, at) => {
      const scope = { had: this.#hadInScope[at] ?? 0, of: this.#inScope };
      const counts = { had: this.#had[at] ?? 0, decoded, recognized };
      return { part, name, places, ...counts, ...(part === 'people' && { scope }) };
    });
  }
}

/** Returns the names of a mapper in the order of its slots. */
export const namesOf = ({ names, places }: Pick<Mapper<unknown>, 'names' | 'places'>): readonly Watching[] =>
  names.map((name, slot) => ({ name, places: places[slot] ?? [] }));

/** Why a name is unknown in all records: `which …`. */
export const HIDDEN =
  'which most had in the last complete read, and nobody has now: have it filled in again, or, where it is hidden from the ' +
  'reading account, give it the right; where it is gone for good, take it out of the rule';

/** Returns the mapper with some of its names unknown: no rule that reads one tells anything of a record without a value. */
export function hiding<T>(mapper: Mapper<T>, hidden: readonly Pick<HiddenName, 'name'>[]): Mapper<T> {
  const names = new Set(hidden.map(({ name }) => name));
  const slots = [...mapper.names.keys()].filter((slot) => names.has(mapper.names[slot] ?? ''));
  const whys = slots.map((slot) => [slot, HIDDEN] as const);
  return {
    ...mapper,
    map: (raw) => {
      const unknown = new Set([...(raw.unknown ?? []), ...slots]);
      return mapper.map({ ...raw, unknown, whyUnknown: new Map([...(raw.whyUnknown ?? []), ...whys]) });
    },
  };
}
