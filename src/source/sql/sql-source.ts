import type { Person, PositionRow, Reading, Unit } from '../../domain/records/records.ts';
import type { SqlSettings } from '../../domain/settings.ts';
import type { Sample, Source, SourceEvidence, SourcePart, SourceRead } from '../../domain/records/source.ts';
import { spellIdentity } from '../../domain/ports/source-identity.ts';
import { compilePeople } from '../mapping/map-person.ts';
import { compilePositionRows } from '../mapping/map-position.ts';
import { compileUnits } from '../mapping/map-unit.ts';
import type { Mapper } from '../mapping/mapper.ts';
import type { RawRecord } from '../mapping/rules/raw-record.ts';
import { showRule } from '../mapping/rules/rule.ts';
import type { Dialect } from '../mapping/rules/scope.ts';
import { asksOf, fingerprintOf, rulesOf } from '../records/rule-texts.ts';
import { findPositions, findSamples } from '../records/find-samples.ts';
import { stopped } from '../connect/stopped.ts';
import { lazily, type Mapped } from '../records/mapped.ts';
import { chooseColumns } from './columns.ts';
import { placeOfDatabase } from './database-url.ts';
import type { SqlConnection } from './sql-connection.ts';

const SQL_DIALECT: Dialect = {
  foldName: (name) => name,
  canonicalRef: (text) => text,
  isTop: () => false,
  isRoot: () => false,
  defaultRefs: (id) => [id],
  defaultParent: null,
  leaveOut: (name) => `by the query${name === null ? '' : `, with where ${name} is not null`}`,
};

/** One query with its mapping. */
interface Plan<T> {
  readonly part: SourcePart['part'];
  readonly query: string;
  readonly mapper: Mapper<T>;
}

interface Plans {
  readonly units: Plan<Unit>;
  readonly people: Plan<Person>;
  readonly positions: Plan<readonly PositionRow[]> | null;
}

/** Makes the one connection of a read. */
export type ConnectSql = (signal: AbortSignal) => Promise<SqlConnection>;

/** Returns a database as a source. Compiles the rules: throws a `ConfigError`. */
export function sqlSource(settings: SqlSettings, connect: ConnectSql): Source {
  const plans = plansOf(settings);
  const { units, people, positions } = settings;
  const [unitId, personId] = [showRule(units.rules.id), showRule(people.rules.id)];
  return {
    fingerprint: fingerprintOf(settings, ['sql']),
    asks: asksOf(settings),
    identity: spellIdentity({ ...placeOfDatabase(settings.url), unitId, personId }),
    hasPositions: positions !== undefined,
    rules: rulesOf(settings),
    async open(signal) {
      return new SqlRead(plans, await connectUnlessStopped(connect, signal));
    },
    async find(subject, texts, signal) {
      const connection = await connectUnlessStopped(connect, signal);
      try {
        return await found(connection, plans, { subject, texts });
      } finally {
        await connection.close();
      }
    },
    async findPositions(person, signal) {
      const plan = plans.positions;
      if (plan === null) return [];
      const connection = await connectUnlessStopped(connect, signal);
      try {
        const { mapper } = plan;
        return await findPositions(mappedRows(connection, plan, newProgress()), { person, mapper });
      } finally {
        await connection.close();
      }
    },
  };
}

async function connectUnlessStopped(connect: ConnectSql, signal: AbortSignal): Promise<SqlConnection> {
  if (signal.aborted) throw stopped();
  return connect(signal);
}

function plansOf({ units, people, positions }: SqlSettings): Plans {
  return {
    units: { part: 'units', query: units.query, mapper: compileUnits(units.rules, SQL_DIALECT) },
    people: { part: 'people', query: people.query, mapper: compilePeople(people.rules, SQL_DIALECT) },
    positions:
      positions === undefined
        ? null
        : {
            part: 'positions',
            query: positions.query,
            mapper: compilePositionRows(positions.rules, SQL_DIALECT),
          },
  };
}

async function found(
  connection: SqlConnection,
  { units, people }: Plans,
  { subject, texts }: { readonly subject: Sample['subject']; readonly texts: readonly string[] },
): Promise<readonly Sample[]> {
  return subject === 'unit'
    ? findSamples(subject, mappedRows(connection, units, newProgress()), { texts, mapper: units.mapper })
    : findSamples(subject, mappedRows(connection, people, newProgress()), { texts, mapper: people.mapper });
}

interface Progress {
  records: number;
  ended: boolean;
}

function newProgress(): Progress {
  return { records: 0, ended: false };
}

async function* mappedRows<T>(
  connection: SqlConnection,
  { part, query, mapper }: Plan<T>,
  progress: Progress,
): AsyncGenerator<Iterable<Mapped<T>>> {
  const path = `source.${part}`;
  const { places } = mapper;
  const batches = connection.rows(query, (columns) => chooseColumns(mapper.names, columns, { path, places }));
  for await (const batch of batches) {
    yield lazily(batch, (cells) => {
      progress.records += 1;
      const raw: RawRecord = { cells, place: `row ${progress.records} of ${part}` };
      return { raw, reading: mapper.map(raw) };
    });
  }
  progress.ended = true;
}

/** Yields the rows; a row that names several units makes several positions. */
function* rowsOf(batch: Iterable<Mapped<readonly PositionRow[]>>): Iterable<Reading<PositionRow>> {
  for (const { reading } of batch) {
    if (!reading.ok) yield reading;
    else for (const record of reading.record) yield { ok: true, record };
  }
}

/** One read, with all parts on one connection, in one transaction. */
class SqlRead implements SourceRead {
  readonly #plans: Plans;
  readonly #connection: SqlConnection;
  readonly #progress = new Map<SourcePart['part'], Progress>();

  constructor(plans: Plans, connection: SqlConnection) {
    this.#plans = plans;
    this.#connection = connection;
  }

  async *units(): AsyncGenerator<Iterable<Reading<Unit>>> {
    for await (const batch of this.#mapped(this.#plans.units)) yield lazily(batch, ({ reading }) => reading);
  }

  async *people(): AsyncGenerator<Iterable<Reading<Person>>> {
    for await (const batch of this.#mapped(this.#plans.people)) yield lazily(batch, ({ reading }) => reading);
  }

  async *positions(): AsyncGenerator<Iterable<Reading<PositionRow>>> {
    if (this.#plans.positions === null) return;
    for await (const batch of this.#mapped(this.#plans.positions)) {
      yield rowsOf(batch);
    }
  }

  evidence(): SourceEvidence {
    const { type, snapshot } = this.#connection;
    const parts = [...this.#progress].map(([part, { records, ended }]) => {
      return { part, records, pages: 1, end: ended ? 'end of rows' : 'not ended' };
    });
    return { type, snapshot, parts, referrals: [], unknown: [] };
  }

  async mayChange(): Promise<string | null> {
    return this.#connection.mayChange();
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  #mapped<T>(plan: Plan<T>): AsyncIterable<Iterable<Mapped<T>>> {
    const progress = newProgress();
    this.#progress.set(plan.part, progress);
    return mappedRows(this.#connection, plan, progress);
  }
}
