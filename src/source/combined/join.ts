import type { Decisive, Person, Reading } from '../../domain/records/records.ts';
import type { JoinSettings, RowsWanted } from '../../domain/source-settings.ts';
import { inAnyCase } from '../../domain/text/fold.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Keyed, PartnerStore } from './partner-store.ts';
import type { Mapper } from '../mapping/mapper.ts';
import { FieldProblem } from '../mapping/rules/rule.ts';
import {
  allValues,
  Columns,
  firstValue,
  Garbled,
  Unknown,
  type RawRecord,
  type Value,
} from '../mapping/values/raw-record.ts';
import { marked, refusedPerson } from '../records/mapped.ts';

/** Number of keys of one partner that are kept: values of several parts of a key multiply. */
const MOST_KEYS = 1_000;

/**
 * Completes the people of one source by records of another one: a row gets the columns of its partner, as `NAME.COLUMN`,
 * where `NAME` is the name of that source.
 */
export class Join {
  readonly settings: JoinSettings;
  /** What is wanted of the partner: what it is found by, and what the rules read. Known once `joined` was called. */
  wanted: RowsWanted = { path: 'source.people.join', columns: [] };
  /** Whether values of partners are secrets. Known once `joined` was called. */
  hasSecrets = false;
  /** Names of the partner that the rules read. */
  #read: readonly string[] = [];
  #store: PartnerStore | null = null;
  /** Names that the source of the partners does not know. */
  #lacking: ReadonlySet<string> = new Set();

  constructor(settings: JoinSettings) {
    this.settings = settings;
  }

  /** Sets the partners that are looked up from now on. */
  use(store: PartnerStore | null): void {
    this.#store = store;
  }

  /** Sets the names that the source of the partners does not know. */
  lacks(names: ReadonlySet<string>): void {
    this.#lacking = names;
  }

  /** Returns a record of the partner under each of its keys; none if it lacks a part of one. */
  keyed({ values }: Pick<RawRecord, 'values'>, has?: Decisive): readonly Keyed[] {
    let keys: readonly (readonly string[])[] = [[]];
    for (const [, name] of this.settings.on) {
      const each = [...new Set(allValues(values.get(name)))];
      keys = keys.flatMap((key) => each.map((value) => [...key, value])).slice(0, MOST_KEYS);
    }
    const isOneOf = keys.length > 1 && { isOneOf: true as const };
    return keys.map((key) => ({ values, has, key, ...isOneOf }));
  }

  /** Returns the rules of people with those columns taken from the partner that are its own. */
  joined(people: Mapper<Person>): Mapper<Person> {
    const { on } = this.settings;
    const [own, partner] = [new Columns(), new Columns()];
    for (const [ownKey, key] of on) {
      own.usedAt(KEY_PLACE, [ownKey]);
      partner.usedAt(KEY_PLACE, [key]);
    }
    const read: string[] = [];
    for (const { name, places } of people.columns) {
      const theirs = this.#partnerName(name);
      if (theirs !== null) read.push(theirs);
      for (const place of places) (theirs === null ? own : partner).usedAt(place, [theirs ?? name]);
    }
    this.#read = read;
    this.wanted = { ...this.wanted, columns: partner.all };
    const isSecret = inAnyCase(people.secretNames);
    // A value that equals a secret is treated as secret too.
    const telling = on.filter(([mine, name]) => isSecret(mine) || isSecret(this.#nameOf(name)));
    this.hasSecrets = telling.length > 0 || partner.all.some(({ name }) => isSecret(this.#nameOf(name)));
    return {
      columns: own.all,
      secretNames: new Set([...people.secretNames, ...telling.map(([mine]) => mine)]),
      map: (raw) => this.#map(raw, people),
      widened: (raw) => {
        const wide = this.#widened(raw, this.#find(raw));
        return people.widened?.(wide) ?? wide;
      },
    };
  }

  #nameOf(column: string): string {
    return `${this.settings.from}.${column}`;
  }

  /** Returns the partner's name of a column; `null`: the column is of the record itself. */
  #partnerName(name: string): string | null {
    const prefix = this.#nameOf('');
    return name.startsWith(prefix) ? name.slice(prefix.length) : null;
  }

  #map(raw: RawRecord, people: Mapper<Person>): Reading<Person> {
    const found = this.#find(raw);
    const reading = people.map(this.#widened(raw, found));
    const problem = this.#problem(found);
    if (problem !== null) {
      const refused = refusedPerson(reading, new FieldProblem('join', problem), raw);
      return found === null ? marked(refused, { lacksPartner: true }) : refused;
    }
    if (found === null || typeof found === 'string')
      return { ...reading, lacksPartner: this.settings.on.map(([, name]) => this.#nameOf(name)) };
    const has = Object.entries(found.has ?? {}).map(([name, value]) => [this.#nameOf(name), value] as const);
    return { ...reading, has: { ...reading.has, ...Object.fromEntries(has) } };
  }

  /** Returns the record with the columns of its partner; of none that are empty, of one that is not known unknown. */
  #widened(raw: RawRecord, found: FoundPartner): RawRecord {
    const partner = found === null || typeof found === 'string' ? null : found;
    const isUnknown = partner === null && this.#problem(found) !== null;
    const theirs = this.#read.map((name): readonly [string, Value] => {
      const value = partner?.values.get(name);
      const isLacking = this.#lacking.has(name) && firstValue(value) === undefined;
      return [this.#nameOf(name), isUnknown || isLacking ? NOT_KNOWN : value];
    });
    return { ...raw, values: new Map([...raw.values, ...theirs]) };
  }

  #find({ values }: RawRecord): FoundPartner {
    const cells = this.settings.on.map(([own]) => values.get(own));
    if (cells.some((cell) => cell instanceof Garbled || cell instanceof Unknown)) return 'unreadable';
    const all = cells.map((cell) => [...new Set(allValues(cell))]);
    if (all.some(({ length }) => length > 1)) return 'ambiguous';
    const key = all.flat();
    return key.length < all.length ? null : (this.#store?.find(key) ?? null);
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

const KEY_PLACE = 'source.people.join.on';

/** Values of an unknown partner are unknown, not empty: an empty value could make the person a leaver. */
const NOT_KNOWN = new Unknown();
