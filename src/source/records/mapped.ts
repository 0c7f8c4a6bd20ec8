import type { Reading } from '../../domain/records/records.ts';
import type { Sample } from '../../domain/reading/source.ts';
import type { Mapper } from '../mapping/mapper.ts';
import { showReference } from '../pictures/inline-picture.ts';
import { allValues, type RawRecord } from '../mapping/values/raw-record.ts';

/** A raw record and its reading. */
export interface Mapped<T> {
  readonly raw: RawRecord;
  readonly reading: Reading<T>;
}

/** Maps a batch record by record while it is read: no result is kept longer than it is used. */
export function* lazily<A, B>(items: Iterable<A>, map: (item: A) => B): Iterable<B> {
  for (const item of items) yield map(item);
}

/**
 * Takes the items out of a list that is no longer needed, so that each can be freed before the last is taken.
 */
export function* drained<T>(items: T[]): Iterable<T> {
  items.reverse();
  for (let item = items.pop(); item !== undefined; item = items.pop()) yield item;
}

export function sampleOf(
  subject: Sample['subject'],
  { raw, reading }: { readonly raw: RawRecord; readonly reading: Sample['reading'] },
  mapper: Mapper<unknown>,
): Sample {
  return { subject, place: raw.place, raw: shown(raw, mapper), reading };
}

/** Returns the raw values that may be shown, by name; those of other sources that complete the record come last. */
export function shown(raw: RawRecord, mapper: Mapper<unknown>): Sample['raw'] {
  const own = mapper.names.map((name, slot) => [name, raw.cells[slot]] as const);
  const entries = [...own, ...(mapper.completing?.(raw) ?? [])]
    .filter(([name]) => !mapper.secretNames.has(name))
    .map(([name, cell]) => [name, allValues(cell).map(showReference)] as const);
  return Object.fromEntries(entries);
}
