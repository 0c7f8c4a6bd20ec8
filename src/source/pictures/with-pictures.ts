import type { Recognition } from '../../domain/records/recognition.ts';
import type { Reading, Unit } from '../../domain/records/records.ts';
import type { Readings, Sample, Source, SourceRead } from '../../domain/reading/source.ts';
import { stopped } from '../connect/stopped.ts';
import { PictureFolder } from './picture-folder.ts';
import { PictureReader } from './picture-reader.ts';

/**
 * Returns the source with the logos of its units read: what the rule gives (a path, an address, or bytes as base64)
 * becomes the digest of the picture (`logoOf`). A picture that cannot be read costs the unit its logo alone, as any
 * field that cannot be read.
 *
 * @param base where the pictures are put down as files; `null`: nowhere, they are only looked at
 */
export function withPictures(source: Source, base: string | null): Source {
  return {
    fingerprint: source.fingerprint,
    besides: source.besides,
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
  const units = samples.map(({ reading }) => reading as Reading<Unit>);
  await stoppable(signal, () => reader.readAll(units.flatMap((unit) => referenceOf(unit) ?? [])));
  return samples.map((sample, index) => {
    const unit = units[index];
    return unit === undefined ? sample : { ...sample, reading: pictured(unit, reader) };
  });
}

class PicturedRead implements SourceRead {
  readonly pictures: PictureFolder;
  readonly #read: SourceRead;
  readonly #reader: PictureReader;
  readonly #signal: AbortSignal;

  constructor(read: SourceRead, base: string | null, signal: AbortSignal) {
    this.#read = read;
    this.#signal = signal;
    this.pictures = new PictureFolder(base);
    this.#reader = new PictureReader(this.pictures, signal);
  }

  get incremental(): SourceRead['incremental'] {
    return this.#read.incremental;
  }

  /**
   * Yields units whose pictures are bytes as they come, so that no bytes pile up, and the others at the end: nothing is
   * fetched while the source waits for us to go on.
   */
  async *units(): Readings<Unit> {
    const later: Reading<Unit>[] = [];
    for await (const batch of this.#read.units()) {
      const now: Reading<Unit>[] = [];
      for (const unit of batch) {
        const reference = referenceOf(unit);
        const isReady = reference === null || this.#reader.at(reference) !== null;
        (isReady ? now : later).push(isReady ? pictured(unit, this.#reader) : unit);
      }
      yield now;
    }
    const references = later.flatMap((unit) => referenceOf(unit) ?? []);
    await stoppable(this.#signal, () => this.#reader.readAll(references));
    yield later.map((unit) => pictured(unit, this.#reader));
  }

  positions(): ReturnType<SourceRead['positions']> {
    return this.#read.positions();
  }

  people(recognition?: Recognition): ReturnType<SourceRead['people']> {
    return this.#read.people(recognition);
  }

  hide(names: Parameters<SourceRead['hide']>[0]): void {
    this.#read.hide(names);
  }

  expect(groups: Parameters<SourceRead['expect']>[0]): void {
    this.#read.expect(groups);
  }

  lookOutside(): void {
    this.#read.lookOutside();
  }

  marks(): ReturnType<SourceRead['marks']> {
    return this.#read.marks();
  }

  evidence(): ReturnType<SourceRead['evidence']> {
    return this.#read.evidence();
  }

  mayChange(): Promise<string | null> {
    return this.#read.mayChange();
  }

  close(): Promise<void> {
    return this.#read.close();
  }
}

/** Returns what the rule for the logo gave; `null`: nothing, or the record cannot be used anyway. */
function referenceOf(reading: Reading<Unit>): string | null {
  const value = reading.ok ? reading.record.fields['logo'] : null;
  return typeof value === 'string' ? value : null;
}

/** Returns the unit with the picture's digest as its logo, or without a logo and with the reason. */
function pictured(reading: Reading<Unit>, reader: PictureReader): Reading<Unit> {
  const reference = referenceOf(reading);
  const picture = reference === null ? null : reader.at(reference);
  if (!reading.ok || picture === null) return reading;
  const { record } = reading;
  if ('logo' in picture)
    return { ...reading, record: { ...record, fields: { ...record.fields, ...picture } } };
  const { logo: _, ...fields } = record.fields;
  const losses = [...(record.losses ?? []), { field: 'logo', reason: picture.problem }];
  return { ...reading, record: { ...record, fields, losses } };
}

async function stoppable(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw signal.aborted ? stopped() : error;
  }
}
