import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '../../app/app.ts';
import { planDry, type DryPlan } from '../../app/runs.ts';
import type { Plan } from '../../domain/changes.ts';
import { ConfigError, LedgerError, SourceError, StoppedError } from '../../domain/errors.ts';
import type { Source, SourceEvidence, SourceRead } from '../../domain/reading/source.ts';
import type { Person, Position, PositionRow, Reading, Unit } from '../../domain/records/records.ts';
import { shownIn, type Shown } from './examples.ts';

/** What a run would read, and what it would do. */
export interface Tried {
  readonly survey: Survey;
  /** `null`: the read does not count. */
  readonly plan: Plan | null;
  /** People who would be created. */
  readonly shown: Shown;
  /** Why it does not count; `null`: it does. */
  readonly error: SourceError | null;
}

/**
 * Makes the plan that a run would make, on a copy of the ledger. If the service does not answer, it compares with what
 * the ledger last saw of it. Throws what ended a read before its end.
 */
export async function tryRun(app: App, source: Source, signal: AbortSignal): Promise<Tried> {
  const counted = surveyed(source);
  const tried = ({ plan, book }: DryPlan): Tried => {
    const survey = counted.survey();
    if (survey === null) throw new Error('the source was not read to its end');
    return { survey, plan, shown: shownIn(book.sequencedChanges()), error: null };
  };
  const dry = (isServiceSilent: boolean): Promise<Tried> => {
    const options = { source: counted.source, isServiceSilent };
    return planDry(app, signal, tried, options).catch((error: unknown) => {
      // A ledger that cannot be opened has a part of its own.
      if (!(error instanceof LedgerError || error instanceof ConfigError)) throw error;
      return planDry(withoutLedger(app), signal, tried, options);
    });
  };
  try {
    return await dry(false);
  } catch (error) {
    const survey = counted.survey();
    if (survey === null || error instanceof StoppedError) throw error;
    return error instanceof SourceError ? { survey, plan: null, shown: shownIn([]), error } : dry(true);
  }
}

/** A copy of the ledger that is not there is an empty one. */
function withoutLedger(app: App): App {
  const path = join(tmpdir(), `rollcall-check-${randomUUID()}.db`);
  return { ...app, settings: { ...app.settings, state: { ...app.settings.state, path } } };
}

/** Counts of one complete read: the records that could be mapped. */
const NO_COUNTS = {
  units: 0,
  people: 0,
  /** People whose `active` is false. */
  inactive: 0,
  /** Records of people that cannot be used. */
  refused: 0,
  positions: 0,
  /** Positions that name no unit. */
  atRoot: 0,
  /** People for whom `sync.protect.where` holds. */
  isProtected: 0,
};

interface Counts extends Record<keyof typeof NO_COUNTS, number> {
  /** Records that each `where` leaves out, by its place and expression; they count nowhere else. */
  readonly outOfScope: Map<string, number>;
  /** The first person who is not active. */
  leaver: Person | null;
}

/** What one complete read of the source has shown. */
export interface Survey extends Readonly<Counts> {
  readonly evidence: SourceEvidence;
}

/** A source, and what has been seen of it while it was read. */
interface Surveyed {
  readonly source: Source;
  /** Returns what the last read has shown; `null`: it was not read to its end. */
  survey(): Survey | null;
}

/**
 * Returns a source that counts its records while a run reads it. It counts all of them, even those that the
 * ledger knows.
 */
function surveyed(source: Source): Surveyed {
  let survey: Survey | null = null;
  const open = async (signal: AbortSignal): Promise<SourceRead> => {
    survey = null;
    const read = await source.open(signal);
    const counts: Counts = { ...NO_COUNTS, outOfScope: new Map(), leaver: null };
    let isComplete = false;
    return {
      units: () => eachCounted(read.units(), (reading) => countUnit(counts, reading)),
      positions: () => eachCounted(read.positions(), (reading) => countRow(counts, reading)),
      async *people() {
        yield* eachCounted(read.people(), (reading) => countPerson(counts, reading));
        isComplete = true;
      },
      marks: () => read.marks(),
      evidence: () => read.evidence(),
      pictures: read.pictures,
      async close() {
        if (isComplete) survey = { ...counts, evidence: read.evidence() };
        await read.close();
      },
    };
  };
  return { source: { ...source, open }, survey: () => survey };
}

/** Yields what is read, each record after it was looked at. */
async function* eachCounted<T>(
  batches: AsyncIterable<Iterable<T>>,
  countReading: (reading: T) => void,
): AsyncGenerator<Iterable<T>> {
  for await (const batch of batches) {
    const readings = [...batch];
    readings.forEach(countReading);
    yield readings;
  }
}

function countUnit(counts: Counts, reading: Reading<Unit>): void {
  if (reading.ok && isInScope(counts, 'source.units.where', reading.record)) counts.units += 1;
}

/** Returns whether no `where` leaves a record out, or counts it. */
function isInScope({ outOfScope }: Counts, place: string, record: Unit | Person): boolean {
  if (record.outOfScope === undefined) return true;
  const by = `${place}: ${record.outOfScope}`;
  outOfScope.set(by, (outOfScope.get(by) ?? 0) + 1);
  return false;
}

function countPerson(counts: Counts, reading: Reading<Person>): void {
  if (!reading.ok) return void (counts.refused += 1);
  const { record } = reading;
  if (record.isProtected === true) counts.isProtected += 1;
  if (!isInScope(counts, 'source.people.where', record)) return;
  counts.people += 1;
  if (record.active === false) {
    counts.inactive += 1;
    counts.leaver ??= record;
  }
  for (const position of record.positions) countPosition(counts, position);
}

function countRow(counts: Counts, reading: Reading<PositionRow>): void {
  if (reading.ok) countPosition(counts, reading.record.position);
}

function countPosition(counts: Counts, { unit }: Position): void {
  counts.positions += 1;
  if (unit === null) counts.atRoot += 1;
}
