import type { Person, PositionRow, Reading, Unit } from '../../domain/records/records.ts';
import type { PositionSample, Readings, Sample, SourceEvidence } from '../../domain/records/source.ts';
import type { FieldRule } from '../../domain/source-settings.ts';
import type { PartKeeper, Whose } from '../kept/part-keeper.ts';
import type { Mapper } from '../mapping/mapper.ts';
import { showRule } from '../mapping/rules/rule.ts';
import type { RawRecord } from '../mapping/values/raw-record.ts';
import type { Mappers } from './compile-parts.ts';
import { findPositions, findSamples } from './find-samples.ts';
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

/** One read of a source whose parts are read by plans; a kind says how one plan is read. */
export abstract class PlannedRead<A> implements RowsRead {
  readonly #plans: Plans<A>;

  constructor(plans: Plans<A>) {
    this.#plans = plans;
  }

  /** Yields the raw records of one plan, mapped; to its end, or it throws. */
  abstract mapped<T>(plan: Plan<A, T>): AsyncIterable<Iterable<Mapped<T>>>;
  abstract evidence(): SourceEvidence;
  abstract mayChange(): Promise<string | null>;
  abstract close(): Promise<void>;

  units(): Readings<Unit> {
    return this.#readings(this.#plans.units, () => []);
  }

  people(): Readings<Person> {
    return this.#readings(this.#plans.people, whoseRecord);
  }

  rows(): Readings<RawRecord> {
    return this.#readings(this.#plans.rows, () => []);
  }

  async *positions(): AsyncGenerator<Iterable<Reading<PositionRow>>> {
    const { positions } = this.#plans;
    if (positions === null) return;
    for await (const batch of this.#kept(positions, whoseRow)) yield rowsOf(batch);
  }

  async *#readings<T>(
    plan: Plan<A, T> | null,
    whose: (reading: Reading<T>) => Whose,
  ): AsyncGenerator<Iterable<Reading<T>>> {
    if (plan === null) return;
    for await (const batch of this.#kept(plan, whose)) yield lazily(batch, ({ reading }) => reading);
  }

  /** Yields what was read, and keeps the raw records. */
  async *#kept<T>(
    plan: Plan<A, T>,
    whose: (reading: Reading<T>) => Whose,
  ): AsyncGenerator<Iterable<Mapped<T>>> {
    const rows = plan.keeper?.begin() ?? null;
    const kept = (one: Mapped<T>): Mapped<T> => {
      rows?.add(one.raw, whose(one.reading));
      return one;
    };
    for await (const batch of this.mapped(plan)) yield rows === null ? batch : lazily(batch, kept);
    rows?.end(this.evidence());
  }
}

function whoseRecord(reading: Reading<Person>): Whose {
  if (reading.ok) return [reading.record.id, reading.record.username];
  return [reading.refusal.id, reading.refusal.label];
}

function whoseRow(reading: Reading<readonly PositionRow[]>): Whose {
  return [reading.ok ? reading.record[0]?.person : reading.refusal.id];
}

/** Yields the rows; a row that names several units makes several positions. */
function* rowsOf(batch: Iterable<Mapped<readonly PositionRow[]>>): Iterable<Reading<PositionRow>> {
  for (const { reading } of batch) {
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
