import type { Reading, Unit } from '../../domain/records/records.ts';
import type { Readings, Sample, Source, SourceRead } from '../../domain/reading/source.ts';
import { changed } from '../../lib/changed.ts';
import { PictureFolder, PictureReader } from './picture-reader.ts';

/**
 * Returns the source with the logos of its units read. The rule gives a path, or bytes as base64; the result
 * is the digest of the picture (`logoOf`). A picture that cannot be read costs the unit only its logo, like
 * any field that cannot be read.
 *
 * @param base where the pictures are stored as files; `null`: they are only looked at, not stored
 */
export function withPictures(source: Source, base: string | null): Source {
  return {
    ...source,
    async open(signal) {
      const read = await source.open(signal);
      const pictures = new PictureFolder(base);
      return changed(read, {
        pictures,
        units: () => picturedUnits(read, new PictureReader(pictures, signal)),
      });
    },
    async find(subject, texts, signal) {
      const samples = await source.find(subject, texts, signal);
      return subject === 'unit' ? picturedSamples(samples, signal) : samples;
    },
  };
}

async function picturedSamples(samples: readonly Sample[], signal: AbortSignal): Promise<readonly Sample[]> {
  const reader = new PictureReader(new PictureFolder(null), signal);
  const all: Sample[] = [];
  for (const sample of samples)
    all.push({ ...sample, reading: await pictured(sample.reading as Reading<Unit>, reader) });
  return all;
}

async function* picturedUnits(read: SourceRead, reader: PictureReader): Readings<Unit> {
  for await (const batch of read.units()) {
    const units: Reading<Unit>[] = [];
    // One after the other, so that no bytes pile up.
    for (const unit of batch) units.push(await pictured(unit, reader));
    yield units;
  }
}

/** Returns the unit with the picture's digest as its logo, or without a logo and with the reason. */
async function pictured(reading: Reading<Unit>, reader: PictureReader): Promise<Reading<Unit>> {
  if (!reading.ok) return reading;
  const { record } = reading;
  const { logo: reference, ...fields } = record.fields;
  if (typeof reference !== 'string') return reading;
  const picture = await reader.read(reference);
  if ('logo' in picture)
    return { ...reading, record: { ...record, fields: { ...record.fields, ...picture } } };
  const losses = [...(record.losses ?? []), { field: 'logo', reason: picture.problem }];
  return { ...reading, record: { ...record, fields, losses } };
}
