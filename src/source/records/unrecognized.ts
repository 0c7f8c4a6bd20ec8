import type { RecordKey } from '../../domain/reading/increment.ts';
import type { Decisive, Position, Print, Reading, Recognition, Unit } from '../../domain/records/records.ts';
import { digest } from '../../lib/digest.ts';
import { decisiveIn, type Deciding } from '../mapping/decisive.ts';
import { firstValue, type Column } from '../mapping/values/raw-record.ts';
import type { IncomingRecord, Mapped } from './mapped.ts';
import type { Mappers } from './source-context.ts';

/** Which records need not be decoded, and what the others come with. */
export interface Asking {
  readonly part: keyof Mappers;
  readonly recognition?: Recognition | undefined;
  /**
   * Set if each reading comes with the values that the record has of the names that decide; absent: nothing
   * decides.
   */
  readonly decides?: true;
}

/** What notes the records that pass. */
interface Noting {
  /** Columns that decide; `null`: nothing does. */
  readonly deciding: readonly Deciding[] | null;
  readonly several: SeveralValues;
  /** Columns that no record had so far, by name: those of this one are taken out. */
  readonly empty: Map<string, Column>;
}

/** Yields those records that are not recognized. */
export function* unrecognized<T>(
  batch: Iterable<IncomingRecord<T>>,
  { recognition }: Asking,
  { deciding, several, empty }: Noting,
): Iterable<Keyed<T>> {
  for (const { one, print, key, isKnown } of printed(batch, recognition)) {
    if (isKnown) continue;
    const mapped = one.take();
    several.count(mapped);
    for (const name of empty.keys())
      if (firstValue(mapped.raw.values.get(name)) !== undefined) empty.delete(name);
    const has = deciding === null ? undefined : decisiveIn(mapped.raw, deciding);
    yield withOrigin(mapped, { print, broughtBy: one.broughtBy, key, has });
  }
}

interface RecordOrigin {
  readonly print: Print | null;
  readonly broughtBy: string | undefined;
  readonly key: RecordKey | null;
  readonly has: Decisive | undefined;
}

/**
 * Returns the reading with what brings its record, what tells it from others, and what it has of what decides; with its
 * print if later reads can skip the record, because they need not report anything about it.
 */
function withOrigin<T>({ raw, reading }: Mapped<T>, { print, broughtBy, key, has }: RecordOrigin): Keyed<T> {
  const isSkippable = print !== null && reading.ok && raw.isPassing !== true;
  if (!isSkippable && broughtBy === undefined && key === null && has === undefined) return reading;
  return {
    ...reading,
    ...(isSkippable && { print }),
    ...(broughtBy !== undefined && { broughtBy }),
    ...(key !== null && { key }),
    ...(has !== undefined && { has: { ...has, ...reading.has } }),
  };
}

/** A reading with what tells its record from others. */
export type Keyed<T> = Reading<T> & { readonly key?: RecordKey };

/** A record that arrived, with what it is recognized by. */
interface Printed<T> {
  readonly one: IncomingRecord<T>;
  /** The print with what else decides about the record. */
  readonly print: Print | null;
  /** Where increments are wanted; `null`: they are not, or the record has none. */
  readonly key: RecordKey | null;
  readonly isKnown: boolean;
}

/** Yields the records of a page with their prints, all of which are looked up together. */
function* printed<T>(
  batch: Iterable<IncomingRecord<T>>,
  recognition: Recognition | undefined,
): Iterable<Printed<T>> {
  if (recognition === undefined) {
    for (const one of batch) yield { one, print: null, key: keyOf(one), isKnown: false };
    return;
  }
  const page = [...batch].map((one) => ({ one, own: one.print() }));
  const prints = page.map(({ own }) => (own === null ? null : digest(recognition.salt + own)));
  const keys = page.map(({ one }) => keyOf(one));
  const known = recognition.areKnown(prints, keys);
  for (const [at, { one }] of page.entries())
    yield { one, print: prints[at] ?? null, key: keys[at] ?? null, isKnown: known[at] === true };
}

const keyOf = <T>(one: IncomingRecord<T>): RecordKey | null => one.key?.() ?? null;

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
