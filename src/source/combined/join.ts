import type { Decisive, Person, Reading } from '../../domain/records/records.ts';
import type { JoinSettings, RowsWanted } from '../../domain/source-settings.ts';
import { inAnyCase } from '../../domain/text/fold.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Keyed, Partner, PartnerStore } from './partner-store.ts';
import type { Mapper } from '../mapping/mapper.ts';
import { FieldProblem } from '../mapping/rules/rule.ts';
import { decidingSlots, decisiveIn, namesOf } from '../mapping/decisive.ts';
import { allValues, firstValue, isUnknown, type Cell, type RawRecord } from '../mapping/values/raw-record.ts';
import { marked, refusedPerson } from '../records/mapped.ts';

/** Number of keys of one partner that are kept: values of several parts of a key multiply. */
const MOST_KEYS = 1_000;

/**
 * Completes the people of one source by records of another one. The rules read a value of the partner as `NAME.COLUMN`,
 * where `NAME` is the name of that source.
 */
export class Join {
  readonly settings: JoinSettings;
  #names: readonly string[] = [];
  #places: readonly (readonly string[])[] = [];
  /** Those that decide about people, or by which the partner is found. */
  #deciding: ReturnType<typeof decidingSlots> = [];
  #store: PartnerStore | null = null;
  #hasSecrets = false;
  /** Slots whose value is unknown for every partner. */
  #unknown: ReadonlySet<number> = new Set();

  constructor(settings: JoinSettings) {
    this.settings = settings;
  }

  /** What is wanted of the partner: first what it is found by, then what the rules read. Known once `joined` was called. */
  get wanted(): RowsWanted {
    return { path: 'source.people.join', names: this.#names, places: this.#places };
  }

  /** Whether values of partners are secrets. Known once `joined` was called. */
  get hasSecrets(): boolean {
    return this.#hasSecrets;
  }

  /** Sets the partners that are looked up from now on. */
  use(store: PartnerStore | null): void {
    this.#store = store;
  }

  /** Sets the names that the source of the partners does not know. */
  lacks(names: ReadonlySet<string>): void {
    this.#unknown = new Set([...this.#names.keys()].filter((slot) => names.has(this.#names[slot] ?? '')));
  }

  /**
   * Returns a raw record of the partner under each of its keys; none if it lacks a part of one.
   *
   * @param deciding what it has of the names that decide
   */
  keyed(
    { cells, garbled, whyUnknown }: Pick<RawRecord, 'cells' | 'garbled' | 'whyUnknown'>,
    deciding: Decisive = {},
  ): readonly Keyed[] {
    let keys: readonly (readonly string[])[] = [[]];
    for (const slot of this.settings.on.keys()) {
      const values = [...new Set(allValues(cells[slot]))];
      keys = keys.flatMap((key) => values.map((value) => [...key, value])).slice(0, MOST_KEYS);
    }
    const others = Object.entries(deciding).filter(
      ([name]) => !this.#deciding.some((one) => one.name === name),
    );
    const has = others.length > 0 && { has: Object.fromEntries(others) };
    const isOneOf = keys.length > 1 && { isOneOf: true as const };
    return keys.map((key) => ({ cells, garbled, whyUnknown, key, ...has, ...isOneOf }));
  }

  /** Returns the rules of people with those names taken from the partner that are its own. */
  joined(people: Mapper<Person>): Mapper<Person> {
    const { on, from } = this.settings;
    const ownNames: string[] = [];
    const ownPlaces: (readonly string[])[] = [];
    const partnerNames = on.map(([, name]) => name);
    const partnerPlaces: (readonly string[])[] = on.map(() => ['source.people.join.on']);
    const origins = people.names.map((name, slot): Origin => {
      const places = people.places[slot] ?? [];
      if (!name.startsWith(`${from}.`)) {
        ownPlaces.push(places);
        return { own: ownNames.push(name) - 1 };
      }
      partnerPlaces.push(places);
      return { partner: partnerNames.push(name.slice(from.length + 1)) - 1 };
    });
    const keySlots = on.map(([name]) => {
      ownPlaces.push(['source.people.join.on']);
      return ownNames.push(name) - 1;
    });
    this.#names = partnerNames;
    this.#places = partnerPlaces;
    this.#deciding = decidingSlots(namesOf({ names: partnerNames, places: partnerPlaces }));
    const isSecret = inAnyCase(people.secretNames);
    // A value that equals a secret is treated as secret too.
    const telling = on.filter(([own, name]) => isSecret(own) || isSecret(`${from}.${name}`));
    this.#hasSecrets = telling.length > 0 || partnerNames.some((name) => isSecret(`${from}.${name}`));
    const slots = { origins, keySlots };
    return {
      names: ownNames,
      places: ownPlaces,
      secretNames: new Set([...people.secretNames, ...telling.map(([own]) => own)]),
      map: (raw) => this.#map(raw, people, slots),
      completing: (raw) => this.#completing(raw, people, slots),
    };
  }

  /** Returns the values of the partner that the rules read; none if the partner is unknown. */
  #completing(raw: RawRecord, people: Mapper<Person>, { origins, keySlots }: Slots): readonly NamedCell[] {
    const found = this.#find(raw, keySlots);
    if (found === null || typeof found === 'string') return [];
    const values = origins.flatMap((origin, slot): readonly NamedCell[] =>
      'partner' in origin ? [[people.names[slot] ?? '', found.cells[origin.partner]]] : [],
    );
    const whole = completed(raw, origins, { ...found, unknown: this.#unknown });
    return [...values, ...(people.completing?.(whole) ?? [])];
  }

  #map(raw: RawRecord, people: Mapper<Person>, { origins, keySlots }: Slots): Reading<Person> {
    const found = this.#find(raw, keySlots);
    const problem = this.#problem(found);
    if (problem !== null) {
      const refused = people.map(completed(raw, origins, UNKNOWN_PARTNER));
      const reading = refusedPerson(refused, new FieldProblem('join', problem), raw);
      return found === null ? marked(reading, { lacksPartner: true }) : reading;
    }
    const partner = found === null || typeof found === 'string' ? null : found;
    const reading = people.map(completed(raw, origins, { cells: [], ...partner, unknown: this.#unknown }));
    return {
      ...reading,
      has: { ...reading.has, ...(partner === null ? {} : this.#decidingIn(partner)) },
      ...(partner === null && { lacksPartner: this.#keyNames() }),
    };
  }

  /** Returns what the partner has of the names that decide, as `NAME.COLUMN`. */
  #decidingIn(partner: Partner): Decisive {
    const all = Object.entries({ ...decisiveIn(partner, this.#deciding), ...partner.has });
    return Object.fromEntries(all.map(([name, value]) => [`${this.settings.from}.${name}`, value]));
  }

  /** Returns the names, `NAME.COLUMN`, by which a partner is found. */
  #keyNames(): readonly string[] {
    return this.settings.on.map(([, name]) => `${this.settings.from}.${name}`);
  }

  #find(raw: RawRecord, keySlots: readonly number[]): FoundPartner {
    if (keySlots.some((slot) => raw.garbled?.has(slot) === true || isUnknown(raw, slot))) return 'unreadable';
    if (keySlots.some((slot) => new Set(allValues(raw.cells[slot])).size > 1)) return 'ambiguous';
    const key = keySlots.flatMap((slot) => firstValue(raw.cells[slot]) ?? []);
    return key.length < keySlots.length ? null : (this.#store?.find(key) ?? null);
  }

  /** Returns why a person cannot be completed. The same for all of them, so that they are counted together. */
  #problem(found: FoundPartner): string | null {
    const { from, on, missing } = this.settings;
    if (found === null ? missing === 'empty' : typeof found !== 'string') return null;
    const pairs = on.map(([own, name]) => `${from}.${printable(name)} = ${printable(own)}`).join(', ');
    if (found === 'several')
      return `several records of ${from} belong to it, or one that has several values there (${pairs}): keep one of them`;
    if (found === 'ambiguous')
      return `what it is found by in ${from} has several values (${pairs}): keep one of them`;
    if (found === 'unreadable') return `what it is found by in ${from} cannot be read (${pairs})`;
    return `no record of ${from} belongs to it (${pairs}): compare both, with their blanks and leading zeros; missing: empty takes it without one`;
  }
}

/** `unreadable`: what the partner is found by cannot be read; `ambiguous`: it has several values. */
type FoundPartner = ReturnType<PartnerStore['find']> | 'unreadable' | 'ambiguous';

interface Slots {
  readonly origins: readonly Origin[];
  readonly keySlots: readonly number[];
}

type NamedCell = readonly [name: string, cell: Cell];

/** Where a slot of a person's rules gets its value: from the own record, or from the partner. */
type Origin = { readonly own: number } | { readonly partner: number };

/** What is known of a record, or of its partner. */
interface Side extends Pick<RawRecord, 'cells' | 'garbled' | 'whyUnknown'> {
  /** Slots of which nothing is known. */
  readonly unknown?: Pick<ReadonlySet<number>, 'has'> | undefined;
}

/** The partner is unknown. Its values are unknown, not empty: an empty value could make the person a leaver. */
const UNKNOWN_PARTNER: Side = { cells: [], unknown: { has: () => true } };

/** Returns the record with the values of its partner. */
function completed(raw: RawRecord, origins: readonly Origin[], partner: Side): RawRecord {
  const [unknown, garbled, whyUnknown] = [new Set<number>(), new Set<number>(), new Map<number, string>()];
  const cells = origins.map((origin, slot) => {
    const [side, at]: readonly [Side, number] =
      'own' in origin ? [raw, origin.own] : [partner, origin.partner];
    const why = side.whyUnknown?.get(at);
    if (why !== undefined) whyUnknown.set(slot, why);
    if (why !== undefined || side.unknown?.has(at) === true) unknown.add(slot);
    if (side.garbled?.has(at) === true) garbled.add(slot);
    return side.cells[at];
  });
  return {
    ...raw,
    cells,
    unknown: unknown.size > 0 ? unknown : undefined,
    whyUnknown,
    garbled: garbled.size > 0 ? garbled : undefined,
  };
}
