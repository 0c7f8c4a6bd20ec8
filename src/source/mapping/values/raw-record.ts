/** A raw value: absent, one text, or several. Not yet trimmed. */
export type Cell = string | readonly string[] | undefined;

/** A record as the source delivers it, its values in the order of the slots that the rules asked for. */
export interface RawRecord {
  readonly cells: readonly Cell[];
  /** Names of the cells after those of the slots: what tells whether an account is active. */
  readonly more?: readonly string[] | undefined;
  /** Place of the record, for a person: a DN, or the number of a row. */
  readonly place: string;
  /** When the read began: `now` of expressions. */
  readonly at: Date;
  /** Slots of names that the source does not know; a value in one of them counts all the same. */
  readonly unknown?: ReadonlySet<number> | undefined;
  /**
   * Why the values of such slots are unknown, as `which …`, unless the reason is that the source does not
   * know the name.
   */
  readonly whyUnknown?: ReadonlyMap<number, string> | undefined;
  /** Slots of texts whose bytes are no UTF-8. */
  readonly garbled?: ReadonlySet<number> | undefined;
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

/** Returns whether the record's value there is unknown: an absent value, or an empty text, then says nothing. */
export const isUnknown = ({ cells, unknown }: RawRecord, slot: number): boolean =>
  unknown?.has(slot) === true && firstValue(cells[slot]) === undefined;

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
export function firstValue(cell: Cell): string | undefined {
  if (cell === undefined) return undefined;
  if (typeof cell !== 'string') return allValues(cell)[0];
  const text = trimmed(cell);
  return text === '' ? undefined : text;
}

/** Returns every value, trimmed, sorted, without empty ones. */
export function allValues(cell: Cell): readonly string[] {
  if (cell === undefined) return [];
  const texts = typeof cell === 'string' ? [cell] : cell;
  return texts
    .map((text) => trimmed(text))
    .filter((text) => text !== '')
    .toSorted();
}

/** Returns which of several values of a name the place of a record prefers. */
export type Preferred = (place: string, name: string, values: readonly string[]) => string | undefined;

/**
 * The attributes or columns that the rules of one part need, each with its place in `RawRecord.cells`. Filled while
 * rules are compiled, then fixed.
 */
export class Slots {
  readonly #slots = new Map<string, number>();
  readonly #names: string[] = [];
  readonly #places: string[][] = [];
  readonly #fold: (name: string) => string;
  readonly #preferred: Preferred;

  /** @param fold returns the same spelling for equal names: lower case for LDAP */
  constructor(fold: (name: string) => string, preferred: Preferred = () => undefined) {
    this.#fold = fold;
    this.#preferred = preferred;
  }

  /** Returns the value where one is meant: of several the one that the record's place names, else the first. */
  first({ cells, place }: RawRecord, slot: number): string | undefined {
    const cell = cells[slot];
    if (cell === undefined || typeof cell === 'string') return firstValue(cell);
    const values = allValues(cell);
    return values.length < 2
      ? values[0]
      : (this.#preferred(place, this.#names[slot] ?? '', values) ?? values[0]);
  }

  slotOf(name: string): number {
    const key = this.#fold(name);
    const known = this.#slots.get(key);
    if (known !== undefined) return known;
    this.#slots.set(key, this.#names.length);
    this.#places.push([]);
    return this.#names.push(name) - 1;
  }

  /** Notes that the rule at `place` of the configuration reads these slots. */
  usedAt(place: string, slots: readonly number[]): void {
    for (const slot of slots) this.#places[slot]?.push(place);
  }

  /** Returns where the configuration has each name, in the order of the slots. */
  get places(): readonly (readonly string[])[] {
    return this.#places;
  }

  /** Returns the names as first written in the rules, in the order of the slots. */
  get names(): readonly string[] {
    return this.#names;
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
