import type { Reading, Recognition, Unit } from '../../domain/records/records.ts';
import type { Readings, Sample, Source, SourceRead } from '../../domain/reading/source.ts';
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
    fingerprint: source.fingerprint,
    alsoDecides: source.alsoDecides,
    asks: source.asks,
    identity: source.identity,
    hasPositions: source.hasPositions,
    rules: source.rules,
    async open(signal) {
      return new PicturedRead(await source.open(signal), base, signal);
    },
    async find(subject, texts, signal) {
      const samples = await source.find(subject, texts, signal);
      return subject === 'unit' ? picturedSamples(samples, signal) : samples;
    },
    findPositions: (person, signal) => source.findPositions(person, signal),
  };
}

async function picturedSamples(samples: readonly Sample[], signal: AbortSignal): Promise<readonly Sample[]> {
  const reader = new PictureReader(new PictureFolder(null), signal);
  const all: Sample[] = [];
  for (const sample of samples)
    all.push({ ...sample, reading: await pictured(sample.reading as Reading<Unit>, reader) });
  return all;
}

class PicturedRead implements SourceRead {
  readonly pictures: PictureFolder;
  readonly #read: SourceRead;
  readonly #reader: PictureReader;

  constructor(read: SourceRead, base: string | null, signal: AbortSignal) {
    this.#read = read;
    this.pictures = new PictureFolder(base);
    this.#reader = new PictureReader(this.pictures, signal);
  }

  get incremental(): SourceRead['incremental'] {
    return this.#read.incremental;
  }

  async *units(): Readings<Unit> {
    for await (const batch of this.#read.units()) {
      const units: Reading<Unit>[] = [];
      // One after the other, so that no bytes pile up.
      for (const unit of batch) units.push(await pictured(unit, this.#reader));
      yield units;
    }
  }

  positions(): ReturnType<SourceRead['positions']> {
    return this.#read.positions();
  }

  people(recognition?: Recognition): ReturnType<SourceRead['people']> {
    return this.#read.people(recognition);
  }

  marks(): ReturnType<SourceRead['marks']> {
    return this.#read.marks();
  }

  evidence(): ReturnType<SourceRead['evidence']> {
    return this.#read.evidence();
  }

  close(): Promise<void> {
    return this.#read.close();
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
