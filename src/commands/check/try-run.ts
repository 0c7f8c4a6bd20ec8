import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '../../app.ts';
import { runDry, type DryReport } from '../../app/runs.ts';
import {
  FieldCounts,
  fieldsHave,
  Groups,
  personHas,
  unitHas,
  type FieldCount,
  type Group,
} from './field-counts.ts';
import { IncrementsTrial, type IncrementsTried } from './try-increments.ts';
import { namedText } from './words.ts';
import type { Plan } from '../../domain/changes.ts';
import { ConfigError, LedgerError, SourceError, StoppedError } from '../../domain/errors.ts';
import type { KeyedReading } from '../../domain/reading/increment.ts';
import type { Source, SourceEvidence, SourceRead } from '../../domain/reading/source.ts';
import { POSITION_FIELDS } from '../../domain/records/fields.ts';
import type { Person, Position, PositionRow, Reading, Unit } from '../../domain/records/records.ts';
import { printable } from '../../domain/text/printable.ts';
import { KeySet } from '../../lib/digest.ts';

const SAMPLES = 3;

/** What a run would read, and what it would do. */
export interface Tried {
  readonly survey: Survey;
  /** `null`: the read does not count. */
  readonly plan: Plan | null;
  /** Why it does not count; `null`: it does. */
  readonly error: SourceError | null;
}

/**
 * Makes the plan that a run would make, on a copy of the ledger; where the service does not answer, beside what the ledger
 * last saw of it. Throws what ended a read before its end.
 */
export async function tryRun(app: App, source: Source, signal: AbortSignal): Promise<Tried> {
  const looked = surveyed(source, { samples: SAMPLES });
  let plan: Plan | null = null;
  const onPlan = (made: Plan): void => void (plan = made);
  const dry = (isServiceSilent: boolean): Promise<DryReport> => {
    const beside = { source: looked.source, isServiceSilent };
    const request = { full: false, approve: [], trigger: 'command', dryRun: true, onPlan } as const;
    return runDry(app, request, signal, beside).catch((error: unknown) => {
      // A ledger that cannot be opened has a part of its own.
      if (!(error instanceof LedgerError || error instanceof ConfigError)) throw error;
      return runDry(withoutLedger(app), request, signal, beside);
    });
  };
  const first = await dry(false);
  const read = looked.survey();
  if (first.error instanceof SourceError && read !== null)
    return { survey: read, plan: null, error: first.error };
  const isAnswered = first.error === null || read === null || first.error instanceof StoppedError;
  const last = isAnswered ? first : await dry(true);
  const survey = looked.survey();
  if (last.error !== null || survey === null) throw last.error;
  return { survey, plan, error: null };
}

/** A copy of the ledger that is not there is an empty one. */
function withoutLedger(app: App): App {
  const path = join(tmpdir(), `rollcall-check-${randomUUID()}.db`);
  return { ...app, settings: { ...app.settings, state: { ...app.settings.state, path } } };
}

/** Number of people of whom rows of positions are remembered by name until their records come. */
const MOST_REMEMBERED = 10_000;
const FIRST = 5;

/** A source, and what has been seen of it while it was read. */
interface Surveyed {
  readonly source: Source;
  /** Returns what the last read has shown; `null`: it was not read to its end. */
  survey(): Survey | null;
}

/**
 * Returns a source that is looked at while a run reads it: all of it, whatever the ledger knows. Memory grows by a few
 * bytes for each person, however large the records are.
 */
function surveyed(source: Source, options: SurveyOptions): Surveyed {
  let survey: Survey | null = null;
  const open = async (signal: AbortSignal): Promise<SourceRead> => {
    survey = null;
    const read = await source.open(signal);
    return looking(read, new Surveyor(source, options), async (surveyor, trial) => {
      const increments = await trial.end(signal);
      survey = {
        ...surveyor.survey(),
        evidence: read.evidence(),
        increments,
      };
    });
  };
  return { source: { ...source, open }, survey: () => survey };
}

/** @param ended called with what was seen, where the read has come to its end */
function looking(
  read: SourceRead,
  surveyor: Surveyor,
  ended: (surveyor: Surveyor, trial: IncrementsTrial) => Promise<void>,
): SourceRead {
  const trial = new IncrementsTrial(read);
  let isWhole = false;
  const person = (reading: KeyedReading): void => {
    trial.note(reading);
    surveyor.person(reading);
  };
  return {
    units: () => seen(read.units(), (reading) => surveyor.unit(reading)),
    positions: () => seen(read.positions(), (reading) => surveyor.row(reading)),
    async *people() {
      yield* seen(read.people(), person);
      isWhole = true;
    },
    marks: () => read.marks(),
    evidence: () => read.evidence(),
    pictures: read.pictures,
    async close() {
      try {
        if (isWhole) await ended(surveyor, trial);
      } finally {
        await read.close();
      }
    },
  };
}

/** Yields what is read, each record after it was looked at. */
async function* seen<T>(
  batches: AsyncIterable<Iterable<T>>,
  look: (reading: T) => void,
): AsyncGenerator<Iterable<T>> {
  for await (const batch of batches) {
    const readings = [...batch];
    readings.forEach(look);
    yield readings;
  }
}

const whereOf = (part: 'units' | 'people', expression: string): string =>
  `source.${part}.where: ${expression}`;

/** Counts and samples; what a record comes to is decided by the run. */
class Surveyor {
  readonly #options: SurveyOptions;
  readonly #unitFields: FieldCounts<Unit>;
  readonly #personFields: FieldCounts<Person>;
  readonly #positionFields: FieldCounts<Position['fields']>;
  readonly #samples = { unit: [] as Reading<Unit>[], person: [] as Reading<Person>[] };
  /** Source ids of the people whom rows of positions name, those who have come, and the first who have not. */
  readonly #named = new KeySet();
  readonly #met = new KeySet();
  readonly #unmet = new Set<string>();
  readonly #outOfScope = new Groups();
  readonly #protected = new Groups();
  #units = 0;
  #people = 0;
  #left = 0;
  #positions = 0;
  #atRoot = 0;

  constructor({ rules }: Source, options: SurveyOptions) {
    this.#options = options;
    this.#unitFields = new FieldCounts(rules.unit, unitHas);
    this.#personFields = new FieldCounts(rules.person, personHas);
    const optional = Object.entries(rules.position).filter(([field]) => field in POSITION_FIELDS);
    this.#positionFields = new FieldCounts(Object.fromEntries(optional), fieldsHave);
  }

  unit(reading: Reading<Unit>): void {
    if (reading.ok && reading.record.outOfScope !== undefined)
      return this.#outOfScope.add(whereOf('units', reading.record.outOfScope), printable(reading.record.id));
    if (this.#samples.unit.length < this.#options.samples) this.#samples.unit.push(reading);
    if (!reading.ok) return;
    this.#units += 1;
    this.#unitFields.add(reading.record);
  }

  person(reading: Reading<Person>): void {
    // Nobody is ours before the first run.
    if (!reading.ok && reading.refusal.ifOurs === true) return;
    if (reading.ok) this.#noteConditions(reading.record);
    if (reading.ok && reading.record.outOfScope !== undefined) return;
    if (this.#samples.person.length < this.#options.samples) this.#samples.person.push(reading);
    this.#meet(reading.ok ? reading.record.id : (reading.refusal.id ?? ''));
    if (!reading.ok) return;
    const { record } = reading;
    this.#people += 1;
    this.#personFields.add(record);
    if (record.active === false) this.#left += 1;
    for (const position of record.positions) this.#position(position);
  }

  #noteConditions({ id, username, outOfScope, isProtected }: Person): void {
    const name = namedText(username, id);
    if (outOfScope !== undefined) this.#outOfScope.add(whereOf('people', outOfScope), name);
    if (isProtected === true) this.#protected.add('', name);
  }

  #meet(id: string): void {
    if (!this.#named.has(id)) return;
    this.#met.add(id);
    this.#unmet.delete(id);
  }

  row(reading: Reading<PositionRow>): void {
    if (!reading.ok) return;
    const { person, position } = reading.record;
    if (this.#named.add(person) && this.#unmet.size < MOST_REMEMBERED) this.#unmet.add(person);
    this.#position(position);
  }

  #position({ unit, fields }: Position): void {
    this.#positions += 1;
    this.#positionFields.add(fields);
    if (unit === null) this.#atRoot += 1;
  }

  survey(): Omit<Survey, 'evidence' | 'increments'> {
    const first = [...this.#unmet].slice(0, FIRST).map((id) => printable(id));
    return {
      units: { count: this.#units, fields: this.#unitFields.list() },
      people: { count: this.#people, left: this.#left, fields: this.#personFields.list() },
      positions: { count: this.#positions, atRoot: this.#atRoot, fields: this.#positionFields.list() },
      samples: [...this.#samples.unit, ...this.#samples.person],
      strangers: { reason: '', count: this.#named.size - this.#met.size, first },
      outOfScope: this.#outOfScope.list(),
      protectedPeople: this.#protected.list()[0] ?? { reason: '', count: 0, first: [] },
    };
  }
}

/** What one complete read of the source has shown. */
export interface Survey {
  readonly evidence: SourceEvidence;
  /** What the account could change in the source, in a few words; `null`: nothing. */
  /** `null`: `source.changes` is off. */
  readonly increments: IncrementsTried | null;
  readonly units: Counted;
  readonly people: Counted & { readonly left: number };
  /** `atRoot`: positions that name no unit. */
  readonly positions: Counted & { readonly atRoot: number };
  readonly samples: readonly (Reading<Unit> | Reading<Person>)[];
  /** Those whom rows of positions name and who are not among the people. */
  readonly strangers: Group;
  /** Units and people whom `where` leaves out, by the expression. */
  readonly outOfScope: readonly Group[];
  /** People for whom `sync.protect.where` holds. */
  readonly protectedPeople: Group;
}

interface Counted {
  /** Records that could be mapped. */
  readonly count: number;
  readonly fields: readonly FieldCount[];
}

interface SurveyOptions {
  readonly samples: number;
}
