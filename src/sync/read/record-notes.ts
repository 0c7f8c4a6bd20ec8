import type { Replay, SourceRecords } from '../../domain/ports/source-records.ts';
import type { RecordKey } from '../../domain/reading/increment.ts';
import type { Print } from '../../domain/records/records.ts';

/** What the record tells, beside its key. */
export interface Told {
  readonly print: Print | null;
  readonly replay: Replay | null;
}

const NOTHING: Told = { print: null, replay: null };

export const describeKeyless = (records: number): string =>
  records === 1 ? 'a record has no key' : `${records} records have no key`;

/** Notes the records of a read, by their keys. */
export class RecordNotes {
  readonly #records: SourceRecords;
  #keyless = 0;

  constructor(records: SourceRecords) {
    this.#records = records;
  }

  /** Number of records without a key. */
  get keyless(): number {
    return this.#keyless;
  }

  note(key: RecordKey | undefined, { print, replay }: Told = NOTHING): void {
    if (key === undefined) this.#keyless += 1;
    else this.#records.note({ key, print, replay });
  }
}
