import { foldUsername } from '../../domain/text/fold.ts';
import type { Person, PositionRow, Unit } from '../../domain/records/records.ts';
import type { PositionSample, Sample } from '../../domain/reading/source.ts';
import type { Mapper } from '../mapping/mapper.ts';
import { sampleOf, shown, type Mapped } from './mapped.ts';

/** Number of samples that are returned: a common word may name many. */
const FOUND_AT_MOST = 20;

/**
 * Finds samples. Reads to the end, so that two records with one name are both found; other records are
 * dropped at once.
 */
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

/**
 * Returns whether a refused record has one of these texts among the values that may be shown: it has no
 * username.
 */
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
