import type { KeyedReadings } from '../../domain/reading/increment.ts';
import type { SourceMark, SourcePart } from '../../domain/reading/source-part.ts';
import type { PositionSample, Readings, Sample, SourceEvidence } from '../../domain/reading/source.ts';
import type { Person, PositionRow, Reading, Recognition, Unit } from '../../domain/records/records.ts';
import type { FieldRule, OneSource } from '../../domain/source-settings.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { decidingAmong, describeEmpty, type Deciding } from '../mapping/decisive.ts';
import type { Mapper } from '../mapping/mapper.ts';
import { showRule } from '../mapping/rules/rule.ts';
import type { Column, RawRecord } from '../mapping/values/raw-record.ts';
import { lazily, sampleOf, shown, type IncomingRecord, type Mapped } from './mapped.ts';
import { asksOf, fingerprintOf, rulesOf } from './rule-texts.ts';
import type { Mappers, RowsRead, RowsSource, SourceContext } from './source-context.ts';
import { SeveralValues, unrecognized, type Asking, type Keyed } from './unrecognized.ts';

/** What is asked for one part of a source, with its mapping; `A` is how this kind of source asks. */
export type Plan<A, T> = A & { readonly mapper: Mapper<T> };

/** What is asked for each part; `null`: another source has this part, or no source has it. */
export interface Plans<A> {
  readonly units: Plan<A, Unit> | null;
  readonly people: Plan<A, Person> | null;
  readonly positions: Plan<A, readonly PositionRow[]> | null;
  readonly rows: Plan<A, RawRecord> | null;
}

/** Returns a plan for each part that has rules. */
export function plansOf<A extends object>(
  { units, people, positions, rows }: Mappers,
  askOf: (part: keyof Plans<A>) => A | null,
): Plans<A> {
  const plan = <T>(part: keyof Plans<A>, mapper: Mapper<T> | null): Plan<A, T> | null => {
    const ask = mapper === null ? null : askOf(part);
    return ask === null || mapper === null ? null : { ...ask, mapper };
  };
  return {
    units: plan('units', units),
    people: plan('people', people),
    positions: plan('positions', positions),
    rows: plan('rows', rows),
  };
}

/** How far the read of one part has come. */
export interface Progress {
  records: number;
  pages: number;
  /** What ended it; `null`: it has not ended. */
  end: string | null;
}

/** One read of a source whose parts are read by plans; a kind says how one plan is read. */
export abstract class PlannedRead<A> implements RowsRead {
  readonly #plans: Plans<A>;
  readonly #several = new Map<keyof Plans<A>, SeveralValues>();
  readonly #empty = new Map<string, Map<string, Column>>();
  readonly #progress = new Map<SourcePart['part'], Progress>();

  constructor(plans: Plans<A>) {
    this.#plans = plans;
  }

  /** Yields the records of one plan as they come; to its end, or it throws. Each batch is read before the next. */
  abstract incoming<T>(plan: Plan<A, T>): AsyncIterable<Iterable<IncomingRecord<T>>>;
  /** Returns the evidence of this kind of source. */
  abstract ownEvidence(): SourceEvidence;
  abstract marks(): Promise<readonly SourceMark[]>;
  abstract close(): Promise<void>;

  /** Returns whether it is worth a word that no record has this column; a table has each that its header names. */
  protected isMissed(_column: Column): boolean {
    return false;
  }

  /** Returns columns that records have besides those of the mapper. */
  protected more(_plan: Plan<A, unknown>): readonly Column[] {
    return [];
  }

  /** Begins to count a part. */
  protected beginPart(part: SourcePart['part']): Progress {
    const progress: Progress = { records: 0, pages: 0, end: null };
    this.#progress.set(part, progress);
    return progress;
  }

  /** Returns how far a part has come: those who changed count together, however many questions they take. */
  protected progressOf(part: SourcePart['part']): Progress {
    return this.#progress.get(part) ?? this.beginPart(part);
  }

  protected get parts(): readonly SourcePart[] {
    return [...this.#progress].map(([part, progress]) => {
      return { part, ...progress, end: progress.end ?? 'not ended' };
    });
  }

  evidence(): SourceEvidence {
    const ownEvidence = this.ownEvidence();
    const several = [...this.#several.values()].flatMap(({ warnings }) => warnings);
    const warnings = [...(ownEvidence.warnings ?? []), ...several];
    const empty = ownEvidence.parts.flatMap(({ part, records }) => {
      const columns = records === 0 ? [] : [...(this.#empty.get(part)?.values() ?? [])];
      return columns.filter((column) => this.isMissed(column)).map(describeEmpty);
    });
    return { ...ownEvidence, ...(warnings.length > 0 && { warnings }), ...(empty.length > 0 && { empty }) };
  }

  units(): Readings<Unit> {
    return this.#readings(this.#plans.units, { part: 'units' });
  }

  people(recognition?: Recognition): KeyedReadings {
    return this.#readings(this.#plans.people, { part: 'people', recognition, decides: true });
  }

  /**
   * Yields people of an increment as a full read has them, each with print and key.
   *
   * @param salt as in a `Recognition`
   */
  protected async *changedPeople(
    plan: Plan<A, Person>,
    batches: AsyncIterable<Iterable<IncomingRecord<Person>>>,
    salt: string,
  ): KeyedReadings {
    const deciding = this.#deciding(plan);
    const several = this.#several.get('people') ?? this.#countSeveral('people');
    const asking = { part: 'people', recognition: { salt, areKnown: KNOWS_NONE } } as const;
    const noting = { deciding, several, empty: new Map<string, Column>() };
    for await (const batch of batches) yield unrecognized(batch, asking, noting);
  }

  rows(): Readings<RawRecord> {
    return this.#readings(this.#plans.rows, { part: 'rows', decides: true });
  }

  async *positions(): AsyncGenerator<Iterable<Reading<PositionRow>>> {
    for await (const batch of this.#readings(this.#plans.positions, { part: 'positions' }))
      yield rowsOf(batch);
  }

  /** Yields the raw records of one plan, all of them mapped. */
  async *mapped<T>(plan: Plan<A, T>): AsyncGenerator<Iterable<Mapped<T>>> {
    for await (const batch of this.incoming(plan)) yield lazily(batch, (one) => one.take());
  }

  async *#readings<T>(plan: Plan<A, T> | null, asking: Asking): AsyncGenerator<Iterable<Keyed<T>>> {
    if (plan === null) return;
    const several = this.#countSeveral(asking.part);
    const deciding = asking.decides === true ? this.#deciding(plan) : null;
    const empty = new Map(plan.mapper.columns.map((column) => [column.name, column]));
    if (asking.recognition === undefined) this.#empty.set(asking.part, empty);
    const noting = { deciding, several, empty };
    for await (const batch of this.incoming(plan)) yield unrecognized(batch, asking, noting);
  }

  #countSeveral(part: keyof Plans<A>): SeveralValues {
    const several = new SeveralValues(part);
    this.#several.set(part, several);
    return several;
  }

  /** Returns the columns that decide about the records of a plan. */
  #deciding(plan: Plan<A, unknown>): readonly Deciding[] {
    return decidingAmong([...plan.mapper.columns, ...this.more(plan)]);
  }
}

const KNOWS_NONE: Recognition['areKnown'] = (prints) => prints.map(() => false);

/** Yields the rows; a row that names several units makes several positions. */
function* rowsOf(batch: Iterable<Reading<readonly PositionRow[]>>): Iterable<Reading<PositionRow>> {
  for (const reading of batch) {
    if (!reading.ok) yield reading;
    else for (const record of reading.record) yield { ok: true, record };
  }
}

/** What one kind of source adds to its settings. */
interface ReadKind<A> {
  /** What else decides about records, e.g. the search base, which stands for the root. */
  readonly decides: readonly string[];
  readonly identity: string;
  readonly plans: Plans<A>;
  readonly open: (signal: AbortSignal) => Promise<PlannedRead<A>>;
}

/** Returns the source of one directory, database or list of files. */
export function sourceOf<A>(
  settings: OneSource,
  { expressions }: SourceContext,
  { decides, identity, plans, open }: ReadKind<A>,
): RowsSource {
  return {
    fingerprint: fingerprintOf(settings, decides),
    alsoDecides: expressions.alsoDecides,
    asks: asksOf(settings),
    identity,
    hasPositions: settings.positions !== undefined,
    rules: rulesOf(settings),
    open,
    ...finders(plans, open),
  };
}

/** Returns what finds records, each time in a read of its own. */
function finders<A>(plans: Plans<A>, open: ReadKind<A>['open']): Pick<RowsSource, 'find' | 'findPositions'> {
  return {
    async find(subject, texts, signal): Promise<readonly Sample[]> {
      // Each plan maps to the records of its part.
      const plan: Plan<A, Unit | Person> | null = subject === 'unit' ? plans.units : plans.people;
      if (plan === null) return [];
      const read = await open(signal);
      try {
        return await findSamples(subject, read.mapped(plan), { texts, mapper: plan.mapper });
      } finally {
        await read.close();
      }
    },
    async findPositions(person, signal): Promise<readonly PositionSample[]> {
      const plan = plans.positions;
      if (plan === null) return [];
      const read = await open(signal);
      try {
        return await findPositions(read.mapped(plan), { person, mapper: plan.mapper });
      } finally {
        await read.close();
      }
    },
  };
}

/** Returns the rule for the ids of a part as text; empty: another source has the part. */
export const idRuleOf = (part: { readonly rules: { readonly id: FieldRule } } | undefined): string =>
  part === undefined ? '' : showRule(part.rules.id);

/** Number of samples that are returned: a common word may name many. */
const FOUND_AT_MOST = 20;

/**
 * Finds samples. Reads to the end, so that two records with one name are both found; other records are
 * dropped at once.
 */
async function findSamples<T extends Unit | Person>(
  subject: Sample['subject'],
  batches: AsyncIterable<Iterable<Mapped<T>>>,
  { texts, mapper }: { readonly texts: readonly string[]; readonly mapper: Mapper<unknown> },
): Promise<readonly Sample[]> {
  const wanted = new Set(texts.map((text) => foldUsername(text.trim())));
  const samples: Sample[] = [];
  for await (const batch of batches) {
    for (const { raw, reading } of batch) {
      const named = reading.ok ? namedBy(reading.record) : [reading.refusal.id];
      const isNamed = named.some((name) => typeof name === 'string' && wanted.has(foldUsername(name)));
      if (!isNamed && reading.ok) continue;
      const sample = sampleOf(subject, { raw, reading: reading as Sample['reading'] }, mapper);
      if ((isNamed || holds(sample, wanted)) && samples.length < FOUND_AT_MOST) samples.push(sample);
    }
  }
  return samples;
}

function namedBy(record: Unit | Person): readonly unknown[] {
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
async function findPositions(
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
