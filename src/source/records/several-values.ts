import type { Position, Reading, Unit } from '../../domain/records/records.ts';
import type { Mapped } from './mapped.ts';

/** Counts records that have several values where one is meant, by field. */
export class SeveralValues {
  readonly #part: string;
  readonly #fields = new Map<string, { records: number; readonly first: string }>();

  constructor(part: string) {
    this.#part = part;
  }

  count({ raw, reading }: Mapped<unknown>): void {
    for (const field of fieldsIn(reading)) {
      const known = this.#fields.get(field);
      if (known === undefined) this.#fields.set(field, { records: 1, first: raw.place });
      else known.records += 1;
    }
  }

  /** One sentence for each field. */
  get warnings(): readonly string[] {
    return [...this.#fields].map(([field, { records, first }]) => {
      const where = records === 1 ? `on ${first}` : `on ${records} records, the first ${first}`;
      return `source.${this.#part}.fields.${field} has several values ${where}: the value that was sent stays while it is there; map an attribute with one value`;
    });
  }
}

function fieldsIn(reading: Reading<unknown>): Iterable<string> {
  if (!reading.ok) return [];
  const { choices, positions = [] } = reading.record as Partial<Unit> & {
    readonly positions?: readonly Position[];
  };
  const ofPositions = positions.flatMap((one) => Object.keys(one.choices ?? {}));
  return new Set([...Object.keys(choices ?? {}), ...ofPositions.map((field) => `positions.${field}`)]);
}
