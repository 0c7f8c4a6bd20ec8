import type { FullReadNeeded } from '../../domain/reading/increment.ts';
import type { SourcePart } from '../../domain/reading/source-part.ts';
import type { SourceEvidence, SourceRead } from '../../domain/reading/source.ts';
import { describeKeyless, type Begun } from './record-notes.ts';
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
  /** How it was told what changed; `null`: everything was read. */
  readonly how: string | null;
  /** Returns the evidence with all records of which this read speaks. */
  whole(evidence: SourceEvidence): SourceEvidence;
  /** Puts down what the next read can begin with. Called when the read has proven complete. */
  keep(): void;
}

/** Reads what changed since the last read where that is enough, and everybody otherwise. */
export async function readNotedPeople(
  run: Run,
  read: SourceRead,
  stager: PersonStager,
  begun: Begun,
): Promise<PeopleRead | FullReadNeeded> {
  const started = await startIncrement(run, begun, stager.recognizer?.salt);
  if ('why' in started) return readInFull(run, read, stager, { ...begun, why: started.why });
  const added = await readIncrement(run, stager, started);
  return 'why' in added ? added : afterIncrement(run, started, added);
}

function afterIncrement(run: Run, { increment, known }: Started, added: Added): PeopleRead {
  const { ledger } = run;
  return {
    inScope: added.inScope,
    noted: {
      how: known.mark.how,
      whole: (evidence) => wholeEvidence(evidence, added.records),
      keep() {
        ledger.records.keepChanges();
        ledger.setFacts({ increments: { known: { ...known, mark: increment.mark() }, why: null } });
      },
    },
  };
}

async function readInFull(
  run: Run,
  read: SourceRead,
  stager: PersonStager,
  begun: Begun & FullReadNeeded,
): Promise<PeopleRead> {
  const { recognizer } = stager;
  const staged = await stageAll(run, stager, read.people(recognizer));
  const evidence = read.evidence();
  return {
    inScope: staged + (recognizer?.count ?? 0),
    noted: {
      how: null,
      whole: () => evidence,
      keep: () => keepInFull(run, begun, { salt: recognizer?.salt, evidence }),
    },
  };
}

interface FoundRecords {
  readonly salt: string | undefined;
  readonly evidence: SourceEvidence;
}

function keepInFull(run: Run, begun: Begun & FullReadNeeded, found: FoundRecords): void {
  const { ledger, log, source } = run;
  const useless = uselessFor(run, begun, found);
  const why = useless ?? begun.why;
  log.note('info', 'all of the source was read', { why });
  if (useless === null) ledger.records.keepAll();
  else ledger.records.clear();
  const known =
    useless !== null || found.salt === undefined || begun.source === null
      ? null
      : { identity: source.identity, salt: found.salt, mark: begun.source.mark, fullAt: begun.at };
  ledger.setFacts({ increments: { known, why } });
}

/** Returns why the next read has to be a full one too; `null`: an increment may do. */
function uselessFor(
  { ledger }: Run,
  begun: Begun & FullReadNeeded,
  { salt, evidence }: FoundRecords,
): string | null {
  if (begun.source === null || salt === undefined) return begun.why;
  const keyless = begun.notes?.keyless ?? 0;
  if (keyless > 0) return describeKeyless(keyless);
  const shared = ledger.records.shared();
  if (shared !== null) return `several records have the key ${shared}`;
  const all = evidence.parts
    .filter(({ part }) => part === 'people')
    .reduce((sum, { records, leftOut = 0 }) => sum + records - leftOut, 0);
  const noted = ledger.records.noted();
  return all === noted ? null : `${noted} of ${all} records were noted`;
}

/**
 * Returns the evidence of an increment as that of all records. How many each base has is not known.
 */
function wholeEvidence({ parts, ...evidence }: SourceEvidence, records: number): SourceEvidence {
  return {
    ...evidence,
    parts: parts.map((one) => (one.part === 'people' ? ofAll(one, records) : one)),
  };
}

function ofAll(part: SourcePart, records: number): SourcePart {
  const { bases: _, ...rest } = part;
  return { ...rest, records };
}
