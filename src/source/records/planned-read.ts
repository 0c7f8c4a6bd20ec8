import type { Print, Recognition, Spot } from '../../domain/records/recognition.ts';
import type { Person, PositionRow, Reading, Unit } from '../../domain/records/records.ts';
import type { KeyedReadings, RecordKey } from '../../domain/reading/increment.ts';
import type { PositionSample, Readings, Sample, SourceEvidence } from '../../domain/reading/source.ts';
import type { FollowedGroups } from '../../domain/reading/followed-groups.ts';
import type { HiddenName } from '../../domain/reading/source-part.ts';
import type { FieldRule } from '../../domain/source-settings.ts';
import { digest } from '../../lib/digest.ts';
import type { PartKeeper, RowKeeper, Whose } from '../kept/part-keeper.ts';
import type { Mapper } from '../mapping/mapper.ts';
import { showRule } from '../mapping/rules/rule.ts';
import type { RawRecord } from '../mapping/values/raw-record.ts';
import type { Arrived } from './arrived.ts';
import type { Mappers } from './compile-parts.ts';
import { findPositions, findSamples } from './find-samples.ts';
import { hiding, namesOf, Watched, type Watching } from './deciding-names.ts';
import { lazily, type Mapped } from './mapped.ts';
import type { RowsRead, RowsSource } from './rows-read.ts';

/** What is asked for one part of a source, with its mapping; `A` is how this kind of source asks. */
export type Plan<A, T> = A & { readonly mapper: Mapper<T>; readonly keeper: PartKeeper | null };

/** What is asked for each part; `null`: another source has this part, or nobody has. */
export interface Plans<A> {
  readonly units: Plan<A, Unit> | null;
  readonly people: Plan<A, Person> | null;
  readonly positions: Plan<A, readonly PositionRow[]> | null;
  readonly rows: Plan<A, RawRecord> | null;
}

/** Returns what keeps the records of a part; `null`: nothing is kept. */
export type KeeperOf = (part: keyof Mappers, mapper: Mapper<unknown>) => PartKeeper | null;

/** Returns a plan for each part that has rules. */
export function plansOf<A extends object>(
  { units, people, positions, rows }: Mappers,
  askOf: (part: keyof Plans<A>) => A | null,
  keeperOf: KeeperOf,
): Plans<A> {
  const plan = <T>(part: keyof Plans<A>, mapper: Mapper<T> | null): Plan<A, T> | null => {
    const ask = mapper === null ? null : askOf(part);
    return ask === null || mapper === null ? null : { ...ask, mapper, keeper: keeperOf(part, mapper) };
  };
  return {
    units: plan('units', units),
    people: plan('people', people),
    positions: plan('positions', positions),
    rows: plan('rows', rows),
  };
}

/** Whose records are read, and which of them need not be decoded. */
interface Asking<T> {
  readonly whose: (reading: Reading<T>) => Whose;
  readonly recognition?: Recognition | undefined;
  /** Counts who has what decides; absent: nothing does. */
  readonly watched?: 'people' | 'partners';
  /** Where records are is told with them. */
  readonly hasSpots?: true;
}

/** One read of a source whose parts are read by plans; a kind says how one plan is read. */
export abstract class PlannedRead<A> implements RowsRead {
  readonly #plans: Plans<A>;
  readonly #watched = new Map<string, Watched>();
  #hidden: readonly HiddenName[] = [];

  constructor(plans: Plans<A>) {
    this.#plans = plans;
  }

  /** Yields the records of one plan as they come; to its end, or it throws. Each batch is read before the next. */
  abstract arrived<T>(plan: Plan<A, T>): AsyncIterable<Iterable<Arrived<T>>>;
  /** Returns the evidence of this kind of source. */
  abstract told(): SourceEvidence;
  abstract mayChange(): Promise<string | null>;
  abstract close(): Promise<void>;

  hide(names: readonly HiddenName[]): void {
    this.#hidden = names;
  }

  /** Ignores them: only a directory has groups in groups. */
  expect(_groups: readonly FollowedGroups[]): void {}

  /** Returns the names that are taken as unknown in a part. */
  protected hiddenIn(part: 'people' | 'partners'): readonly HiddenName[] {
    return this.#hidden.filter((one) => one.part === part);
  }

  /** Returns names whose values stand in records behind those of the mapper, with their places. */
  protected more(_plan: Plan<A, unknown>): readonly Watching[] {
    return [];
  }

  evidence(): SourceEvidence {
    const deciding = [...this.#watched.values()].flatMap((watched) => watched.counts());
    return { ...this.told(), deciding, hidden: this.#hidden };
  }

  units(): Readings<Unit> {
    return this.#readings(this.#plans.units, { whose: () => [] });
  }

  people(recognition?: Recognition): KeyedReadings {
    return this.#readings(this.#plans.people, {
      whose: whoseRecord,
      recognition,
      watched: 'people',
      hasSpots: true,
    });
  }

  /**
   * Yields people of an increment as a full read has them, each with print and key.
   *
   * @param salt as in a `Recognition`
   */
  protected async *changedPeople(
    plan: Plan<A, Person>,
    batches: AsyncIterable<Iterable<Arrived<Person>>>,
    salt: string,
  ): KeyedReadings {
    const watched = this.#watched.get('people') ?? this.#watch(plan, 'people');
    const asking = { whose: whoseRecord, recognition: { salt, areKnown: NOBODY }, hasSpots: true as const };
    for await (const batch of batches) yield taken(batch, asking, { rows: null, watched });
  }

  rows(): Readings<RawRecord> {
    return this.#readings(this.#plans.rows, { whose: () => [], watched: 'partners' });
  }

  async *positions(): AsyncGenerator<Iterable<Reading<PositionRow>>> {
    for await (const batch of this.#readings(this.#plans.positions, { whose: whoseRow })) yield rowsOf(batch);
  }

  /** Yields the raw records of one plan, all of them mapped. */
  async *mapped<T>(plan: Plan<A, T>): AsyncGenerator<Iterable<Mapped<T>>> {
    for await (const batch of this.arrived(plan)) yield lazily(batch, (one) => one.take());
  }

  /** Yields what was read, and keeps the raw records. */
  async *#readings<T>(plan: Plan<A, T> | null, asking: Asking<T>): AsyncGenerator<Iterable<Keyed<T>>> {
    if (plan === null) return;
    const rows = plan.keeper?.begin() ?? null;
    const watched = this.#watch(plan, asking.watched);
    for await (const batch of this.arrived(this.hiding(plan, asking.watched)))
      yield taken(batch, asking, { rows, watched });
    rows?.end(this.evidence());
  }

  #watch(plan: Plan<A, unknown>, part: Asking<unknown>['watched']): Watched | null {
    if (part === undefined) return null;
    const watched = new Watched(part, [...namesOf(plan.mapper), ...this.more(plan)]);
    this.#watched.set(part, watched);
    return watched;
  }

  /** Returns the plan with names as unknown that nobody has any more. */
  protected hiding<T>(plan: Plan<A, T>, part: Asking<T>['watched']): Plan<A, T> {
    const names = part === undefined ? [] : this.hiddenIn(part);
    return names.length === 0 ? plan : { ...plan, mapper: hiding(plan.mapper, names) };
  }
}

const NOBODY: Recognition['areKnown'] = (prints) => prints.map(() => false);

/** Yields those records that are not recognized. */
function* taken<T>(
  batch: Iterable<Arrived<T>>,
  { whose, recognition, hasSpots }: Asking<T>,
  { rows, watched }: { readonly rows: RowKeeper | null; readonly watched: Watched | null },
): Iterable<Keyed<T>> {
  const told = ({ raw, reading }: Mapped<T>) => ({ raw, whose: whose(reading) });
  for (const { one, own, print, key, isKnown } of printed(batch, recognition, rows !== null)) {
    if (isKnown) {
      rows?.add(() => told(one.take()), own);
      watched?.pass();
      continue;
    }
    const mapped = one.take();
    watched?.look(mapped.raw);
    rows?.add(() => told(mapped), own);
    const reading = print === null ? mapped.reading : withPrint(mapped, print);
    yield placed(reading, hasSpots === true ? one.spot?.() : undefined, key);
  }
}

/** Returns the reading with where its record is, and with what tells it from others. */
function placed<T>(reading: Reading<T>, spot: Spot | undefined, key: RecordKey | null): Keyed<T> {
  if (spot === undefined && key === null) return reading;
  return { ...reading, ...(spot !== undefined && { spot }), ...(key !== null && { key }) };
}

type Keyed<T> = Reading<T> & { readonly key?: RecordKey };

/** A record that arrived, with what it is recognized by. */
interface Printed<T> {
  readonly one: Arrived<T>;
  /** The print of the record alone. */
  readonly own: Print | null;
  /** The print with what else decides about the record. */
  readonly print: Print | null;
  /** Where increments are wanted; `null`: they are not, or the record has none. */
  readonly key: RecordKey | null;
  readonly isKnown: boolean;
}

/** Yields the records of a page with their prints, all of which are looked up together. */
function* printed<T>(
  batch: Iterable<Arrived<T>>,
  recognition: Recognition | undefined,
  isKept: boolean,
): Iterable<Printed<T>> {
  if (recognition === undefined) {
    for (const one of batch)
      yield { one, own: isKept ? one.print() : null, print: null, key: keyOf(one), isKnown: false };
    return;
  }
  const page = [...batch].map((one) => ({ one, own: one.print() }));
  const prints = page.map(({ own }) => (own === null ? null : digest(recognition.salt + own)));
  const keys = page.map(({ one }) => keyOf(one));
  const known = recognition.areKnown(prints, keys);
  for (const [at, { one, own }] of page.entries())
    yield { one, own, print: prints[at] ?? null, key: keys[at] ?? null, isKnown: known[at] === true };
}

const keyOf = <T>(one: Arrived<T>): RecordKey | null => one.key?.() ?? null;

/** Returns the reading with its print where a later read may go without the record: nothing of it is told each time. */
function withPrint<T>({ raw, reading }: Mapped<T>, print: Print): Reading<T> {
  return raw.isPassing === true || !reading.ok ? reading : { ...reading, print };
}

function whoseRecord(reading: Reading<Person>): Whose {
  if (reading.ok) return [reading.record.id, reading.record.username];
  return [reading.refusal.id, reading.refusal.label];
}

function whoseRow(reading: Reading<readonly PositionRow[]>): Whose {
  return [reading.ok ? reading.record[0]?.person : reading.refusal.id];
}

/** Yields the rows; a row that names several units makes several positions. */
function* rowsOf(batch: Iterable<Reading<readonly PositionRow[]>>): Iterable<Reading<PositionRow>> {
  for (const reading of batch) {
    if (!reading.ok) yield reading;
    else for (const record of reading.record) yield { ok: true, record };
  }
}

/** Returns what finds records, each time in a read of its own. */
export function finders<A>(
  plans: Plans<A>,
  open: (signal: AbortSignal) => Promise<PlannedRead<A>>,
): Pick<RowsSource, 'find' | 'findPositions'> {
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
