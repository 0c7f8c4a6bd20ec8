import type { RecordKey } from '../../domain/reading/increment.ts';
import type { Decisive, Print, Reading, Recognition } from '../../domain/records/records.ts';
import { digest } from '../../lib/digest.ts';
import type { Arrived } from './arrived.ts';
import type { Mappers } from './compile-parts.ts';
import { decisiveIn, type NamedSlot } from '../mapping/values/decisive.ts';
import type { Mapped } from './mapped.ts';
import type { SeveralValues } from './several-values.ts';

/** Which records need not be decoded, and what is told with the others. */
export interface Asking {
  readonly part: keyof Mappers;
  readonly recognition?: Recognition | undefined;
  /** What each record has of the names that decide is told; absent: nothing decides. */
  readonly decides?: true;
}

/** What notes the records that pass. */
interface Noting {
  /** Names that decide; `null`: nothing does. */
  readonly deciding: readonly NamedSlot[] | null;
  readonly several: SeveralValues;
}

/** Yields those records that are not recognized. */
export function* taken<T>(
  batch: Iterable<Arrived<T>>,
  { recognition }: Asking,
  { deciding, several }: Noting,
): Iterable<Keyed<T>> {
  for (const { one, print, key, isKnown } of printed(batch, recognition)) {
    if (isKnown) continue;
    const mapped = one.take();
    several.count(mapped);
    const has = deciding === null ? undefined : decisiveIn(mapped.raw, deciding);
    const reading = print === null ? mapped.reading : withPrint(mapped, print);
    const { broughtBy } = one;
    yield withBeside(reading, { broughtBy, key, has });
  }
}

interface Beside {
  readonly broughtBy: string | undefined;
  readonly key: RecordKey | null;
  readonly has: Decisive | undefined;
}

/** Returns the reading with what brings its record, what tells it from others, and what it has of what decides. */
function withBeside<T>(reading: Reading<T>, { broughtBy, key, has }: Beside): Keyed<T> {
  if (broughtBy === undefined && key === null && has === undefined) return reading;
  return {
    ...reading,
    ...(broughtBy !== undefined && { broughtBy }),
    ...(key !== null && { key }),
    ...(has !== undefined && { has: { ...has, ...reading.has } }),
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
