import { fullRead } from '../../domain/full-reads.ts';
import type { SourceStage } from '../../domain/ports/ledger/source-stage.ts';
import type { Replay } from '../../domain/ports/source-records.ts';
import type { IncrementalRead, ReadMark, RecordKey } from '../../domain/reading/increment.ts';
import type { SourceRead } from '../../domain/reading/source.ts';
import type { Print } from '../../domain/records/records.ts';
import type { Run } from '../state/world.ts';

/** What is noted of the record besides its key. */
export interface NotedRecord {
  readonly print: Print | null;
  readonly replay: Replay | null;
}

const NOTHING: NotedRecord = { print: null, replay: null };

/** Notes the records of a read, by their keys. */
export class RecordNotes {
  readonly #staging: SourceStage;
  #keyless = 0;
  #count = 0;

  constructor(staging: SourceStage) {
    this.#staging = staging;
  }

  /** Number of records without a key. */
  get keyless(): number {
    return this.#keyless;
  }

  /** Number of the others. */
  get count(): number {
    return this.#count;
  }

  note(key: RecordKey | undefined, { print, replay }: NotedRecord = NOTHING): void {
    if (key === undefined) this.#keyless += 1;
    else {
      this.#count += 1;
      this.#staging.note({ is: 'record', record: { key, print, replay } });
    }
  }
}

/** A read for which rollcall notes its mark and its records, so that the next read can be an increment. */
export interface NotedRead {
  /** When it began, ms. */
  readonly at: number;
  /** What tells changes, with the mark of this read and the notes of its records; `null`: nothing does. */
  readonly source: {
    readonly incremental: IncrementalRead;
    readonly mark: ReadMark;
    readonly notes: RecordNotes;
  } | null;
  /** Why the source is read in full, as far as it is known yet; `null`: nothing speaks for it. */
  readonly why: string | null;
}

/**
 * Begins to note what the next read can begin with; `null`: increments are not wanted.
 *
 * @param partialReason why an increment was not enough; `undefined`: none was tried
 */
export async function beginIncrements(
  run: Run,
  { incremental }: SourceRead,
  partialReason: string | undefined,
): Promise<NotedRead | null> {
  if (incremental === undefined) return null;
  const { clock, ledger } = run;
  const at = clock.now();
  if ('why' in incremental) return { at, source: null, why: incremental.why };
  const mark = await incremental.begin();
  if ('why' in mark) return { at, source: null, why: mark.why };
  const source = { incremental, mark, notes: new RecordNotes(ledger.staging) };
  return { at, source, why: partialReason ?? (run.full ? fullRead('full-asked', {}).why : null) };
}
