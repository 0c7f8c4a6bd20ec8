import type { Person, Reading } from '../../domain/records/records.ts';
import type { JoinSettings, RowsWanted } from '../../domain/source-settings.ts';
import { printable } from '../../domain/text/printable.ts';
import { FieldProblem } from '../mapping/rules/field-problem.ts';
import type { Mapper } from '../mapping/mapper.ts';
import { firstValue, type Cell, type RawRecord } from '../mapping/values/raw-record.ts';
import { refusedPerson } from '../records/refused-person.ts';
import type { PartnerStore } from './partner-store.ts';

/** Where a slot of a person's rules gets its value: from the own record, or from the partner. */
type Origin = { readonly own: number } | { readonly partner: number };

/**
 * Completes the people of one source by records of another one. The rules read a value of the partner as `NAME.COLUMN`,
 * where `NAME` is the name of that source.
 */
export class Join {
  readonly settings: JoinSettings;
  #names: readonly string[] = [];
  #places: readonly (readonly string[])[] = [];
  #store: PartnerStore | null = null;

  constructor(settings: JoinSettings) {
    this.settings = settings;
  }

  /** What is wanted of the partner: first what it is found by, then what the rules read. Known once `joined` was called. */
  get wanted(): RowsWanted {
    return { path: 'source.people.join', names: this.#names, places: this.#places };
  }

  /** Sets the partners that are looked up from now on. */
  use(store: PartnerStore | null): void {
    this.#store = store;
  }

  /** Returns the key of a raw record of the partner; `null`: it lacks a part of it. */
  keyOf(cells: readonly Cell[]): readonly string[] | null {
    return keyIn(
      cells,
      this.settings.on.map((_, index) => index),
    );
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
    return {
      names: ownNames,
      places: ownPlaces,
      secretNames: people.secretNames,
      map: (raw) => this.#map(raw, people, { origins, keySlots }),
    };
  }

  #map(raw: RawRecord, people: Mapper<Person>, { origins, keySlots }: Slots): Reading<Person> {
    const key = keyIn(raw.cells, keySlots);
    const found = key === null ? null : (this.#store?.find(key) ?? null);
    const problem = this.#problem(found);
    if (problem !== null) return refusedPerson(people.map(completed(raw, origins, 'unknown')), problem, raw);
    return people.map(completed(raw, origins, found === 'several' ? null : found));
  }

  /** Returns why a person cannot be completed. The same for all of them, so that they are counted together. */
  #problem(found: readonly Cell[] | 'several' | null): FieldProblem | null {
    const { from, on, missing } = this.settings;
    if (found === null && missing === 'empty') return null;
    if (found !== null && found !== 'several') return null;
    const pairs = on.map(([own, name]) => `${from}.${printable(name)} = ${printable(own)}`).join(', ');
    return found === null
      ? new FieldProblem(
          'join',
          `no record of ${from} belongs to it (${pairs}); missing: empty takes it without one`,
        )
      : new FieldProblem(
          'join',
          `several records of ${from} belong to it (${pairs}): nobody knows which one`,
        );
  }
}

interface Slots {
  readonly origins: readonly Origin[];
  readonly keySlots: readonly number[];
}

function keyIn(cells: readonly Cell[], slots: readonly number[]): readonly string[] | null {
  const key = slots.map((slot) => firstValue(cells[slot]));
  return key.every((part) => part !== undefined) ? key : null;
}

/**
 * Returns the record with the values of its partner. Of an unknown partner every value is unknown, and not empty: an
 * empty one could say that somebody has left, or is out of scope.
 */
function completed(
  raw: RawRecord,
  origins: readonly Origin[],
  partner: readonly Cell[] | 'unknown' | null,
): RawRecord {
  const values = partner === 'unknown' ? null : partner;
  const cells = origins.map((origin) => ('own' in origin ? raw.cells[origin.own] : values?.[origin.partner]));
  const own = placed(raw.unknown, origins);
  const unknown = partner === 'unknown' ? new Set([...(own ?? []), ...foreignSlots(origins)]) : own;
  return { ...raw, cells, unknown, garbled: placed(raw.garbled, origins) };
}

const foreignSlots = (origins: readonly Origin[]): readonly number[] =>
  [...origins.entries()].filter(([, origin]) => 'partner' in origin).map(([slot]) => slot);

/** Returns slots of the own record as those of the completed one. */
function placed(own: RawRecord['unknown'], origins: readonly Origin[]): RawRecord['unknown'] {
  if (own === undefined) return undefined;
  const slots = [...origins.entries()].filter(([, origin]) => 'own' in origin && own.has(origin.own));
  return new Set(slots.map(([slot]) => slot));
}
