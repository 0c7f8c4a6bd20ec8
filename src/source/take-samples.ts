import type { Reading } from '../domain/records.ts';
import type { Sample } from '../domain/source.ts';
import type { Mapper } from './mapping/mapper.ts';
import { allValues, type RawRecord } from './mapping/raw-record.ts';

/** A raw record and its reading. */
export interface Mapped<T> {
  readonly raw: RawRecord;
  readonly reading: Reading<T>;
}

/** The first records as they came and as they were mapped; leaving early ends the read. */
export async function takeSamples<T extends Sample['reading']>(
  subject: Sample['subject'],
  records: AsyncIterable<{ readonly raw: RawRecord; readonly reading: T }>,
  { count, mapper }: { readonly count: number; readonly mapper: Mapper<unknown> },
): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  if (count <= 0) return samples;
  for await (const { raw, reading } of records) {
    samples.push({ subject, place: raw.place, raw: shown(raw, mapper), reading });
    if (samples.length >= count) break;
  }
  return samples;
}

function shown(raw: RawRecord, mapper: Mapper<unknown>): Sample['raw'] {
  const entries = mapper.names.map((name, slot) => [name, allValues(raw.cells[slot])] as const);
  return Object.fromEntries(entries.filter(([name]) => !mapper.secretNames.has(name)));
}
