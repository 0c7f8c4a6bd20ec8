import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { KeptRecords } from '../../domain/ports/ledger/source-stage.ts';
import type { FullReadNeeded } from '../../domain/reading/increment.ts';
import type { SourcePart } from '../../domain/reading/source-part.ts';
import type { SourceEvidence, SourceRead } from '../../domain/reading/source.ts';
import { fullRead } from '../../domain/full-reads.ts';
import { printable } from '../../domain/text/printable.ts';
import type { NotedRead } from './record-notes.ts';
import type { PersonStager } from './person-stager.ts';
import { readIncrement, startIncrement, type Added, type Started } from './read-increment.ts';
import { stageAll } from './stage-all.ts';
import type { Run } from '../state/world.ts';

/** People as they were read. */
export interface PeopleRead {
  /** How many records are in scope. */
  readonly inScope: number;
  /** How they were read; absent: increments are not wanted. */
  readonly noted?: ReadNotes;
}

/** What becomes of a read of which is noted with what the next one can begin. */
interface ReadNotes {
  /** How the source reported what changed; `null`: everything was read. */
  readonly how: string | null;
  /** Returns the evidence with all records of which this read speaks. */
  whole(evidence: SourceEvidence): SourceEvidence;
  /** Returns what the next read can begin with. Called when the read has proven complete. */
  keep(): KeptRecords;
}

/** Reads what changed since the last read if that is enough, else all people. */
export async function readNotedPeople(
  run: Run,
  read: SourceRead,
  stager: PersonStager,
  notedRead: NotedRead,
): Promise<PeopleRead | FullReadNeeded> {
  const started = await startIncrement(run, notedRead, stager.recognizer);
  if ('why' in started) return readInFull(run, read, stager, { ...notedRead, why: started.why });
  const added = await readIncrement(run, stager, started);
  return 'why' in added ? added : afterIncrement(started, added);
}

function afterIncrement({ increment, known }: Started, { inScope, records }: Added): PeopleRead {
  return {
    inScope,
    noted: {
      how: known.mark.how,
      whole: (evidence) => wholeEvidence(evidence, records),
      keep: () => ({
        records: 'changes',
        fact: { known: { ...known, mark: increment.mark(), records }, why: null },
      }),
    },
  };
}

async function readInFull(
  run: Run,
  read: SourceRead,
  stager: PersonStager,
  notedRead: NotedRead & FullReadNeeded,
): Promise<PeopleRead> {
  const { recognizer } = stager;
  const staged = await stageAll(run, stager, read.people(recognizer));
  const evidence = read.evidence();
  return {
    inScope: staged + (recognizer?.count ?? 0),
    noted: {
      how: null,
      whole: () => evidence,
      keep: () => keepInFull(run, notedRead, { basis: recognizer?.basis, evidence }),
    },
  };
}

interface FoundRecords {
  readonly basis: string | undefined;
  readonly evidence: SourceEvidence;
}

function keepInFull(run: Run, notedRead: NotedRead & FullReadNeeded, found: FoundRecords): KeptRecords {
  const { log, source } = run;
  const useless = uselessFor(run.ledger, notedRead, found);
  const why = useless?.why ?? notedRead.why;
  log.note('info', 'all of the source was read', { why });
  if (useless !== null || found.basis === undefined || notedRead.source === null)
    return { records: useless === null ? 'all' : 'none', fact: { known: null, why } };
  const { mark, notes } = notedRead.source;
  const { identity } = source;
  const known = { identity, basis: found.basis, mark, fullAt: notedRead.at, records: notes.count };
  return { records: 'all', fact: { known, why } };
}

/** Returns why the next read has to be a full one too; `null`: an increment may do. */
function uselessFor(
  ledger: Ledger,
  notedRead: NotedRead & FullReadNeeded,
  { basis, evidence }: FoundRecords,
): FullReadNeeded | null {
  if (notedRead.source === null || basis === undefined) return notedRead;
  const { keyless, count } = notedRead.source.notes;
  if (keyless > 0) return fullRead('full-keyless', { count: keyless });
  const people = evidence.parts.filter(({ part }) => part === 'people');
  const empty = people.flatMap(({ bases = [] }) => bases.filter(({ records }) => records === 0))[0];
  if (empty !== undefined) return fullRead('full-base', { base: printable(empty.base) });
  const { shared } = ledger.staging.misfits([]);
  if (shared !== null) return fullRead('full-shared', { key: shared });
  const all = people.reduce((sum, { records, leftOut = 0 }) => sum + records - leftOut, 0);
  return all === count ? null : fullRead('full-count', { noted: count, all });
}

/**
 * Returns the evidence of an increment as that of all records. How many each base has is not known.
 */
function wholeEvidence({ parts, ...evidence }: SourceEvidence, records: number): SourceEvidence {
  return { ...evidence, parts: parts.map((one) => (one.part === 'people' ? ofAll(one, records) : one)) };
}

function ofAll(part: SourcePart, records: number): SourcePart {
  const { bases: _, ...rest } = part;
  return { ...rest, records };
}
