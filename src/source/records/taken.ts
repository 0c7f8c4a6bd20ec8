import type { RecordKey } from '../../domain/reading/increment.ts';
import type { Print, Recognition, Spot } from '../../domain/records/recognition.ts';
import type { Person, Reading } from '../../domain/records/records.ts';
import { digest } from '../../lib/digest.ts';
import type { Arrived } from './arrived.ts';
import type { Mappers } from './compile-parts.ts';
import type { Watched } from './deciding-names.ts';
import type { Mapped } from './mapped.ts';
import type { SeveralValues } from './several-values.ts';

/** Which records need not be decoded, and what is told with the others. */
export interface Asking {
  readonly part: keyof Mappers;
  readonly recognition?: Recognition | undefined;
  /** Counts who has what decides; absent: nothing does. */
  readonly watched?: 'people' | 'partners';
  /** Where records are is told with them. */
  readonly hasSpots?: true;
}

/** What notes the records that pass. */
interface Noting {
  readonly watched: Watched | null;
  readonly several: SeveralValues;
}

/** Yields those records that are not recognized. */
export function* taken<T>(
  batch: Iterable<Arrived<T>>,
  { recognition, hasSpots }: Asking,
  { watched, several }: Noting,
): Iterable<Keyed<T>> {
  for (const { one, print, key, isKnown } of printed(batch, recognition)) {
    if (isKnown) {
      watched?.pass();
      continue;
    }
    const mapped = one.take();
    several.count(mapped);
    const has = watched?.look(mapped.raw);
    count(watched, has, mapped.reading);
    const reading = print === null ? mapped.reading : withPrint(mapped, print);
    const { broughtBy } = one;
    yield withBeside(reading, { spot: hasSpots === true ? one.spot?.() : undefined, broughtBy, key, has });
  }
}

/** Counts somebody in scope who has not left. */
function count(watched: Watched | null, has: readonly string[] | undefined, reading: Reading<unknown>): void {
  if (watched === null || has === undefined || !reading.ok) return;
  const { outOfScope, active } = reading.record as Partial<Person>;
  if (outOfScope === undefined && active !== false) watched.scope(has);
}

interface Beside {
  readonly spot: Spot | undefined;
  readonly broughtBy: string | undefined;
  readonly key: RecordKey | null;
  readonly has: readonly string[] | undefined;
}

/** Returns the reading with where its record is, what tells it from others, and what it has of what decides. */
function withBeside<T>(reading: Reading<T>, { spot, broughtBy, key, has }: Beside): Keyed<T> {
  if (spot === undefined && broughtBy === undefined && key === null && has === undefined) return reading;
  return {
    ...reading,
    ...(spot !== undefined && { spot }),
    ...(broughtBy !== undefined && { broughtBy }),
    ...(key !== null && { key }),
    ...(has !== undefined && { has: reading.has === undefined ? has : [...has, ...reading.has] }),
  };
}

/** A reading with what tells its record from others. */
export type Keyed<T> = Reading<T> & { readonly key?: RecordKey };

/** A record that arrived, with what it is recognized by. */
interface Printed<T> {
  readonly one: Arrived<T>;
  /** The print with what else decides about the record. */
  readonly print: Print | null;
  /** Where increments are wanted; `null`: they are not, or the record has none. */
  readonly key: RecordKey | null;
  readonly isKnown: boolean;
}

/** Yields the records of a page with their prints, all of which are looked up together. */
function* printed<T>(
  batch: Iterable<Arrived<T>>,
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

const keyOf = <T>(one: Arrived<T>): RecordKey | null => one.key?.() ?? null;

/** Returns the reading with its print where a later read may go without the record: nothing of it is told each time. */
function withPrint<T>({ raw, reading }: Mapped<T>, print: Print): Reading<T> {
  return raw.isPassing === true || !reading.ok ? reading : { ...reading, print };
}
