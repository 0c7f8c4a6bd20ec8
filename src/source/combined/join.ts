import { ACCOUNT_ACTIVE } from '../../domain/directories/vendors.ts';
import type { Decisive, Person, Reading, Refusal } from '../../domain/records/records.ts';
import type { JoinSettings, RowsWanted } from '../../domain/source-settings.ts';
import { inAnyCase, NearIds } from '../../domain/text/fold.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Keyed, Partner, PartnerSecrets, PartnerStore } from './partner-store.ts';
import type { Mapper } from '../mapping/mapper.ts';
import { FieldProblem } from '../mapping/rules/rule.ts';
import { decidingSlots, decisiveIn, namesOf } from '../mapping/decisive.ts';
import { allValues, firstValue, isUntold, type Cell, type RawRecord } from '../mapping/values/raw-record.ts';
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
  /** Those that decide about people, or by which the partner is found. */
  #deciding: ReturnType<typeof decidingSlots> = [];
  #places: readonly (readonly string[])[] = [];
  #store: PartnerStore | null = null;
  #secrets: readonly string[] = [];
  /** Slots of which nobody knows anything of any partner. */
  #unknown: ReadonlySet<number> = new Set();
  /** Slot of what the directory tells of the account; -1: no rule reads it. */
  #account = -1;

  constructor(settings: JoinSettings) {
    this.settings = settings;
  }

  /** What is wanted of the partner: first what it is found by, then what the rules read. Known once `joined` was called. */
  get wanted(): RowsWanted {
    const [names, places] = [this.#names, this.#places];
    return { path: 'source.people.join', names, places };
  }

  /** Which values of partners are secrets. Known once `joined` was called. */
  get secrets(): PartnerSecrets {
    const isSecret = inAnyCase(this.#secrets);
    const slots = [...this.#names.keys()].filter((slot) => isSecret(this.#names[slot] ?? ''));
    // What partners are found by comes first.
    const isInKey = slots.some((slot) => slot < this.settings.on.length);
    return { slots: new Set(slots), isInKey };
  }

  /** Sets the partners that are looked up from now on. */
  use(store: PartnerStore | null): void {
    this.#store = store;
  }

  /** Sets the names that the source of the partners does not know. */
  lacks(names: ReadonlySet<string>): void {
    const slots = [...this.#names.keys()].filter((slot) => names.has(this.#names[slot] ?? ''));
    // What is none of these is what the directory tells accounts by.
    const isOfAccount = this.#account >= 0 && [...names].some((name) => !this.#names.includes(name));
    const all = [...slots, ...(isOfAccount ? [this.#account] : [])];
    this.#unknown = new Set(all);
  }

  /**
   * Returns a raw record of the partner under each of its keys; none where it lacks a part of one.
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
    const partner = {
      cells,
      ...(others.length > 0 && { has: Object.fromEntries(others) }),
      ...(garbled !== undefined && { garbled }),
      ...(whyUnknown !== undefined && { untold: whyUnknown }),
    };
    return keys.map((key) => (keys.length === 1 ? { ...partner, key } : { ...partner, key, isOneOf: true }));
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
    this.#account = partnerNames.findIndex(inAnyCase([ACCOUNT_ACTIVE]));
    this.#places = partnerPlaces;
    this.#deciding = decidingSlots(namesOf({ names: partnerNames, places: partnerPlaces }));
    const isSecret = inAnyCase(people.secretNames);
    // Equal to a secret is as good as the secret.
    const telling = on.filter(([own, name]) => isSecret(own) || isSecret(`${from}.${name}`));
    this.#secrets = [
      ...partnerNames.filter((name) => isSecret(`${from}.${name}`)),
      ...telling.map(([, name]) => name),
    ];
    return {
      names: ownNames,
      places: ownPlaces,
      secretNames: new Set([...people.secretNames, ...telling.map(([own]) => own)]),
      map: (raw) => this.#map(raw, people, { origins, keySlots }),
      completing: (raw) => this.#completing(raw, people, { origins, keySlots }),
    };
  }

  /** Returns the values of the partner that the rules read; none where nobody knows who the partner is. */
  #completing(raw: RawRecord, people: Mapper<Person>, { origins, keySlots }: Slots): readonly Named[] {
    const found = partnerOf(this.#find(raw, keySlots));
    if (found === null) return [];
    const values = origins.flatMap((origin, slot): readonly Named[] =>
      'partner' in origin ? [[people.names[slot] ?? '', found.cells[origin.partner]]] : [],
    );
    const whole = completed(raw, origins, { ...found, unknown: this.#unknown });
    return [...values, ...(people.completing?.(whole) ?? [])];
  }

  #map(raw: RawRecord, people: Mapper<Person>, { origins, keySlots }: Slots): Reading<Person> {
    const found = this.#find(raw, keySlots);
    const problem = this.#problem(found);
    if (problem !== null) {
      const untold = people.map(completed(raw, origins, UNTOLD));
      return marked(refusedPerson(untold, problem, raw), marksOf(found));
    }
    const partner = partnerOf(found);
    const reading = people.map(completed(raw, origins, { cells: null, ...partner, unknown: this.#unknown }));
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

  #find(raw: RawRecord, keySlots: readonly number[]): Found {
    if (keySlots.some((slot) => raw.garbled?.has(slot) === true || isUntold(raw, slot))) return 'unreadable';
    if (keySlots.some((slot) => hasSeveral(raw.cells[slot]))) return 'ambiguous';
    const key = keyIn(raw.cells, keySlots);
    const found = key === null ? null : (this.#store?.find(key) ?? null);
    if (found === null) return key === null ? null : this.#nearly(key);
    return typeof found === 'string' ? found : this.#doubted(found);
  }

  /** Returns that a partner nearly has the key; `null`: none has. */
  #nearly(key: readonly string[]): Near | null {
    const near = this.#store?.near(key) ?? null;
    if (near === null) return null;
    return { words: key.map((part, at) => new NearIds(near.slice(at, at + 1)).wordsFor(part)).join('') };
  }

  /** Returns the partner without its word that the account is active, where something that is hidden may say otherwise. */
  #doubted(found: Partner): Partner {
    const isDoubted = this.#unknown.has(this.#account) && firstValue(found.cells[this.#account]) === 'true';
    return isDoubted ? { ...found, cells: found.cells.with(this.#account, undefined) } : found;
  }

  /** Returns why a person cannot be completed. The same for all of them, so that they are counted together. */
  #problem(found: Found): FieldProblem | null {
    const { from, on, missing } = this.settings;
    const pairs = on.map(([own, name]) => `${from}.${printable(name)} = ${printable(own)}`).join(', ');
    if (isNear(found))
      return because(`no record of ${from} belongs to it (${pairs}), but one nearly does${found.words}`);
    if (found === null && missing === 'empty') return null;
    if (found === null)
      return because(`no record of ${from} belongs to it (${pairs}); missing: empty takes it without one`);
    if (found === 'several')
      return because(`several records of ${from} belong to it (${pairs}): nobody knows which one`);
    if (found === 'unclear')
      return because(
        `the record of ${from} that belongs to it has several values in what it is found by (${pairs}): nobody knows whose it is; leave one`,
      );
    if (found === 'ambiguous')
      return because(
        `what it is found by in ${from} has several values (${pairs}): nobody knows which one; leave one`,
      );
    if (found === 'unreadable') return because(`what it is found by in ${from} cannot be read (${pairs})`);
    return null;
  }
}

const marksOf = (found: Found): Partial<Refusal> => (found === null ? { lacksPartner: true } : {});

const because = (why: string): FieldProblem => new FieldProblem('join', why);

/** `unreadable`: what the partner is found by cannot be read; `ambiguous`: it has several values. */
type Found = ReturnType<PartnerStore['find']> | Near | 'unreadable' | 'ambiguous';

const isNear = (found: Found): found is Near =>
  found !== null && typeof found === 'object' && 'words' in found;

const partnerOf = (found: Found): Partner | null =>
  found === null || typeof found === 'string' || isNear(found) ? null : found;

/** No partner has the key, but one nearly does. */
interface Near {
  readonly words: string;
}

const hasSeveral = (cell: Cell): boolean =>
  cell !== undefined && typeof cell !== 'string' && new Set(allValues(cell)).size > 1;

interface Slots {
  readonly origins: readonly Origin[];
  readonly keySlots: readonly number[];
}

function keyIn(cells: readonly Cell[], slots: readonly number[]): readonly string[] | null {
  const key = slots.map((slot) => firstValue(cells[slot]));
  return key.every((part) => part !== undefined) ? key : null;
}

type Named = readonly [name: string, cell: Cell];

/** Where a slot of a person's rules gets its value: from the own record, or from the partner. */
type Origin = { readonly own: number } | { readonly partner: number };

/** What is known of the partner of a record. */
interface KnownPartner {
  /** `null`: there is none. */
  readonly cells: readonly Cell[] | null;
  readonly garbled?: RawRecord['garbled'];
  /** Slots of which this partner tells nothing, with the reason. */
  readonly untold?: RawRecord['whyUnknown'];
  /** Slots of names of which nothing is known of any partner. */
  readonly unknown: ReadonlySet<number> | 'all';
}

/** Nobody knows who the partner is. Its values are unknown, not empty: an empty one could say that somebody has left. */
const UNTOLD: KnownPartner = { cells: null, unknown: 'all' };

/** Returns the record with the values of its partner. */
function completed(
  raw: RawRecord,
  origins: readonly Origin[],
  { cells, garbled, unknown, untold }: KnownPartner,
): RawRecord {
  const all = origins.map((origin) => ('own' in origin ? raw.cells[origin.own] : cells?.[origin.partner]));
  const own = placed(raw.unknown, origins);
  const lacking = unknown === 'all' || unknown.size > 0 ? foreignSlots(origins, unknown) : [];
  const silent = untold === undefined ? [] : foreignSlots(origins, untold);
  return {
    ...raw,
    cells: all,
    unknown: lacking.length + silent.length === 0 ? own : new Set([...(own ?? []), ...lacking, ...silent]),
    whyUnknown: whysOf(origins, raw.whyUnknown, untold),
    garbled: both(placed(raw.garbled, origins), foreign(garbled, origins)),
  };
}

function foreignSlots(
  origins: readonly Origin[],
  unknown: Pick<ReadonlySet<number>, 'has'> | 'all',
): readonly number[] {
  const isUnknown = (origin: Origin): boolean =>
    'partner' in origin && (unknown === 'all' || unknown.has(origin.partner));
  return [...origins.entries()].filter(([, origin]) => isUnknown(origin)).map(([slot]) => slot);
}

/** Returns slots of the partner as those of the completed record. */
const foreign = (slots: RawRecord['garbled'], origins: readonly Origin[]): RawRecord['garbled'] =>
  slots === undefined ? undefined : new Set(foreignSlots(origins, slots));

/** Returns why slots are unknown, own ones and those of the partner. */
function whysOf(
  origins: readonly Origin[],
  own: RawRecord['whyUnknown'],
  partner: RawRecord['whyUnknown'],
): RawRecord['whyUnknown'] {
  if (own === undefined && partner === undefined) return undefined;
  const whys = origins.flatMap((origin, slot) => {
    const why = 'own' in origin ? own?.get(origin.own) : partner?.get(origin.partner);
    return why === undefined ? [] : [[slot, why] as const];
  });
  return new Map(whys);
}

function both(one: RawRecord['garbled'], other: RawRecord['garbled']): RawRecord['garbled'] {
  return one === undefined || other === undefined ? (one ?? other) : new Set([...one, ...other]);
}

/** Returns slots of the own record as those of the completed one. */
function placed(own: RawRecord['unknown'], origins: readonly Origin[]): RawRecord['unknown'] {
  if (own === undefined) return undefined;
  const slots = [...origins.entries()].filter(([, origin]) => 'own' in origin && own.has(origin.own));
  return new Set(slots.map(([slot]) => slot));
}
