import type { Person, Position, PositionRow, Reading, Unit } from '../../domain/records/records.ts';
import type { DistinctSettings } from '../../domain/source-settings.ts';
import { foldName } from '../../domain/text/fold.ts';

/** A unit that is made from values, and how often each spelling of its name came. */
interface Made {
  readonly parent: string | null;
  readonly spellings: Map<string, number>;
}

/**
 * Makes units from the values that positions have for `unit`. Spellings that differ in case or blanks are one unit, which
 * is called as most of its people call it. Its id is its path, folded: a renamed value is a new unit.
 */
export class DistinctUnits {
  readonly #separator: string | null;
  readonly #units = new Map<string, Made>();

  constructor({ separator }: DistinctSettings) {
    this.#separator = separator;
  }

  /** Takes the values of people who are in scope and have not left: nobody else needs a unit. */
  add(batch: Iterable<Reading<Person>>): void {
    for (const reading of batch) {
      if (!reading.ok || reading.record.outOfScope !== undefined || reading.record.active === false) continue;
      for (const { unit } of reading.record.positions) this.#take(unit);
    }
  }

  addRows(batch: Iterable<Reading<PositionRow>>): void {
    for (const reading of batch) if (reading.ok) this.#take(reading.record.position.unit);
  }

  /** Returns the units, parents first. */
  units(): readonly Reading<Unit>[] {
    return [...this.#units].map(([id, { parent, spellings }]) => {
      const record: Unit = { id, refs: [id], parent, fields: { name: mostCommon(spellings) } };
      return { ok: true, record };
    });
  }

  placed(reading: Reading<Person>): Reading<Person> {
    if (!reading.ok) return reading;
    const byUnit = new Map<string | null, Position>();
    for (const position of reading.record.positions) {
      const placed = this.#placedIn(position);
      if (!byUnit.has(placed.unit)) byUnit.set(placed.unit, placed);
    }
    return { ...reading, record: { ...reading.record, positions: [...byUnit.values()] } };
  }

  placedRow(reading: Reading<PositionRow>): Reading<PositionRow> {
    if (!reading.ok) return reading;
    return { ok: true, record: { ...reading.record, position: this.#placedIn(reading.record.position) } };
  }

  #placedIn(position: Position): Position {
    const id = this.#pathOf(position.unit).at(-1)?.id;
    return id === undefined ? position : { ...position, unit: id };
  }

  #take(value: string | null): void {
    let parent: string | null = null;
    for (const { id, name } of this.#pathOf(value)) {
      const made: Made = this.#units.get(id) ?? { parent, spellings: new Map() };
      this.#units.set(id, made);
      made.spellings.set(name, (made.spellings.get(name) ?? 0) + 1);
      parent = id;
    }
  }

  /** Returns the units from the top to the one that a value names; empty where it names none. */
  #pathOf(value: string | null): readonly { readonly id: string; readonly name: string }[] {
    if (value === null) return [];
    const parts = this.#separator === null ? [value] : value.split(this.#separator);
    const names = parts.map((part) => part.trim().replaceAll(/\s+/gu, ' ')).filter((part) => part !== '');
    const separator = this.#separator ?? '';
    return names.map((name, depth) => ({
      id: names
        .slice(0, depth + 1)
        .map((part) => foldName(part))
        .join(separator),
      name,
    }));
  }
}

const isPlain = (name: string): boolean => name !== name.toLowerCase() && name !== name.toUpperCase();

/** Returns the spelling that came most often; of several one that is neither all small nor all large. */
function mostCommon(spellings: ReadonlyMap<string, number>): string {
  const [first] = [...spellings].toSorted(
    ([a, n], [b, m]) => m - n || Number(isPlain(b)) - Number(isPlain(a)) || (a < b ? -1 : 1),
  );
  return first?.[0] ?? '';
}
