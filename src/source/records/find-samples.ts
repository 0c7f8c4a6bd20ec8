import { foldUsername } from '../../domain/text/fold.ts';
import type { Person, PositionRow, Unit } from '../../domain/records/records.ts';
import type { PositionSample, Sample } from '../../domain/records/source.ts';
import type { Mapper } from '../mapping/mapper.ts';
import { sampleOf, shown, type Mapped } from './mapped.ts';

/** Somebody who types a common word gets the first of what it means. */
const FOUND_AT_MOST = 20;

/** Reads to the end, so that two records of one name are both found; what is not found is let go at once. */
export async function findSamples<T extends Unit | Person>(
  subject: Sample['subject'],
  batches: AsyncIterable<Iterable<Mapped<T>>>,
  { texts, mapper }: { readonly texts: readonly string[]; readonly mapper: Mapper<unknown> },
): Promise<readonly Sample[]> {
  const wanted = new Set(texts.map((text) => foldUsername(text.trim())));
  const samples: Sample[] = [];
  for await (const batch of batches) {
    for (const { raw, reading } of batch) {
      const named = reading.ok ? namesOf(reading.record) : [reading.refusal.id];
      const isNamed = named.some((name) => typeof name === 'string' && wanted.has(foldUsername(name)));
      if (!isNamed && reading.ok) continue;
      const sample = sampleOf(subject, { raw, reading: reading as Sample['reading'] }, mapper);
      if ((isNamed || holds(sample, wanted)) && samples.length < FOUND_AT_MOST) samples.push(sample);
    }
  }
  return samples;
}

function namesOf(record: Unit | Person): readonly unknown[] {
  if ('username' in record) return [record.id, record.username];
  return [record.id, record.fields['serial_no'], record.fields['name']];
}

/** A refused record has no username: it is known by any of its values that may be shown. */
function holds({ raw }: Sample, wanted: ReadonlySet<string>): boolean {
  return Object.values(raw).some((values) => values.some((value) => wanted.has(foldUsername(value))));
}

/** Finds the rows of a separate positions query, by the id of its person. */
export async function findPositions(
  batches: AsyncIterable<Iterable<Mapped<readonly PositionRow[]>>>,
  { person, mapper }: { readonly person: string; readonly mapper: Mapper<unknown> },
): Promise<readonly PositionSample[]> {
  const samples: PositionSample[] = [];
  for await (const batch of batches) {
    for (const { raw, reading } of batch) {
      const ids = reading.ok ? reading.record.map((row) => row.person) : [reading.refusal.id];
      if (!ids.includes(person) || samples.length >= FOUND_AT_MOST) continue;
      samples.push({ place: raw.place, raw: shown(raw, mapper), reading });
    }
  }
  return samples;
}
