/** A raw value: absent, one text, or several. Not yet trimmed. */
export type Cell = string | readonly string[] | undefined;

/** In place of a value: the source does not tell it. A rule that reads it gives no value, not an empty one. */
export class Unknown {
  /** Why, as `which …`; absent: the source does not know the name. */
  readonly why: string | undefined;

  constructor(why?: string) {
    this.why = why;
  }
}

/** In place of a text: its bytes are no UTF-8. */
export class Garbled {
  readonly cell: Cell;

  constructor(cell: Cell) {
    this.cell = cell;
  }
}

/** What a record has under a name. */
export type Value = Cell | Unknown | Garbled;

/** An attribute or column that rules read. */
export interface Column {
  /** As it is first written in the rules; of another source `NAME.COLUMN`. */
  readonly name: string;
  /** Places in the configuration that read it: `source.people.fields.email`. */
  readonly places: readonly string[];
}

/** Values by the names of their columns. */
export interface Values extends Iterable<readonly [name: string, value: Value]> {
  get(name: string): Value;
}

/** Cells in the order of their columns: no map is filled for each record. */
export class Row implements Values {
  readonly #cells: readonly Value[];
  readonly #places: ReadonlyMap<string, number>;

  /** @param places place of the cell of each column, the same for all rows */
  constructor(cells: readonly Value[], places: ReadonlyMap<string, number>) {
    this.#cells = cells;
    this.#places = places;
  }

  get(name: string): Value {
    const at = this.#places.get(name);
    return at === undefined ? undefined : this.#cells[at];
  }

  *[Symbol.iterator](): Iterator<readonly [name: string, value: Value]> {
    for (const [name, at] of this.#places) yield [name, this.#cells[at]];
  }
}

/** A record as the source delivers it: a row of values by the names of its columns. A join makes it wider. */
export interface RawRecord {
  readonly values: Values;
  /** Place of the record, for a person: a DN, or the number of a row. */
  readonly place: string;
  /** When the read began: `now` of expressions. */
  readonly at: Date;
  /** Why the record cannot be used, even if all rules can be evaluated: its person stays unchanged. */
  readonly problem?: RecordProblem | undefined;
  /** Set for a group that shows no member, when members are who is in a unit. */
  readonly showsNoMember?: boolean | undefined;
  /** Set if the record's meaning depends on the time, or if every read has to report something about it. */
  readonly isPassing?: boolean | undefined;
}

export interface RecordProblem {
  readonly field: string;
  readonly reason: string;
}

/** Blanks, and characters that nobody sees (Unicode Cf: zero-width ones, marks of direction, byte order marks). */
const BLANK = /[\s\p{Cf}]/u;

/** Returns whether there is a letter, digit or sign of ASCII. */
function isSign(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code > 0x20 && code < 0x7f;
}

/** Returns the text without blanks and invisible characters at its ends. */
function trimmed(text: string): string {
  // Nearly all values begin and end so, and each value of each record passes here.
  if (isSign(text, 0) && isSign(text, text.length - 1)) return text;
  let [start, end] = [0, text.length];
  while (start < end && BLANK.test(text.charAt(start))) start += 1;
  while (end > start && BLANK.test(text.charAt(end - 1))) end -= 1;
  return end - start === text.length ? text : text.slice(start, end);
}

/**
 * Returns the first value in sorted order, trimmed; empty counts as absent. Servers return values in any
 * order.
 */
export function firstValue(value: Value): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return allValues(value)[0];
  const text = trimmed(value);
  return text === '' ? undefined : text;
}

/** Returns every value, trimmed, sorted, without empty ones. */
export function allValues(value: Value): readonly string[] {
  if (value === undefined || value instanceof Unknown) return [];
  if (value instanceof Garbled) return allValues(value.cell);
  const texts = typeof value === 'string' ? [value] : value;
  return texts
    .map((text) => trimmed(text))
    .filter((text) => text !== '')
    .toSorted();
}

/** Returns which of several values of a name the place of a record prefers. */
export type Preferred = (place: string, name: string, values: readonly string[]) => string | undefined;

/** The columns that the rules of one part read. Filled while rules are compiled, then fixed. */
export class Columns {
  readonly #columns = new Map<string, Column & { readonly places: string[] }>();
  readonly #fold: (name: string) => string;
  readonly #preferred: Preferred;

  /** @param fold returns the same spelling for equal names: lower case for LDAP */
  constructor(fold: (name: string) => string = (name) => name, preferred: Preferred = () => undefined) {
    this.#fold = fold;
    this.#preferred = preferred;
  }

  /** Returns the value where one is meant: of several the one that the record's place names, else the first. */
  first(value: Value, name: string, place: string): string | undefined {
    if (value === undefined || typeof value === 'string') return firstValue(value);
    const all = allValues(value);
    return all.length < 2 ? all[0] : (this.#preferred(place, name, all) ?? all[0]);
  }

  /** Returns the name of a column as it was first written. */
  nameOf(written: string): string {
    return this.#columnOf(written).name;
  }

  /** Notes that the rule at `place` of the configuration reads these columns. */
  usedAt(place: string, names: readonly string[]): void {
    for (const name of names) this.#columnOf(name).places.push(place);
  }

  get all(): readonly Column[] {
    return [...this.#columns.values()];
  }

  #columnOf(written: string): Column & { readonly places: string[] } {
    const key = this.#fold(written);
    const known = this.#columns.get(key) ?? { name: written, places: [] };
    this.#columns.set(key, known);
    return known;
  }
}

/** Returns a value as it may stand in a reason. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** Returns the places of the columns of this name: by exact name, else in any case. */
export function columnsNamed(name: string, columns: readonly string[]): readonly number[] {
  const places = (matches: (column: string) => boolean): readonly number[] =>
    columns.flatMap((column, index) => (matches(column) ? [index] : []));
  const exact = places((column) => column === name);
  return exact.length > 0 ? exact : places((column) => column.toLowerCase() === name.toLowerCase());
}
