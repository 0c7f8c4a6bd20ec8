import type { SqlSettings } from '../../domain/source-settings.ts';
import type { SourceEvidence } from '../../domain/reading/source.ts';
import type { SourcePart } from '../../domain/reading/source-part.ts';
import { spellIdentity } from '../../domain/ports/source-identity.ts';
import type { RawRecord } from '../mapping/values/raw-record.ts';
import type { Dialect } from '../mapping/rules/scope.ts';
import { compileParts } from '../records/compile-parts.ts';
import { finders, idRuleOf, PlannedRead, plansOf, type Plan, type Plans } from '../records/planned-read.ts';
import type { RowsSource } from '../records/rows-read.ts';
import type { SourceContext } from '../records/source-context.ts';
import { asksOf, fingerprintOf, rulesOf } from '../records/rule-texts.ts';
import { stopped } from '../connect/stopped.ts';
import { arrivedRecords, type Arrived } from '../records/arrived.ts';
import { lazily } from '../records/mapped.ts';
import { keepersOf } from '../records/keepers-of.ts';
import { openerOf } from '../records/recorded-read.ts';
import { chooseColumns } from './columns.ts';
import { placeOfDatabase } from './database-url.ts';
import { withinJson, type JsonKeys } from './json-keys.ts';
import type { ChooseColumns, SqlConnection } from './sql-connection.ts';

const SQL_DIALECT: Dialect = {
  foldName: (name) => name,
  canonicalRef: (text) => text,
  isTop: () => false,
  isRoot: () => false,
  defaultRefs: (id) => [id],
  defaultParent: null,
  leaveOut: (name) => `by the query${name === null ? '' : `, with where ${name} is not null`}`,
};

/** The query of one part. */
interface QueryAsk {
  readonly part: SourcePart['part'];
  /** Place in the configuration. */
  readonly path: string;
  readonly query: string;
}

/** Makes the one connection of a read. */
export type ConnectSql = (signal: AbortSignal) => Promise<SqlConnection>;

/** Returns a database as a source. Compiles the rules: throws a `ConfigError`. */
export function sqlSource(settings: SqlSettings, connect: ConnectSql, context: SourceContext): RowsSource {
  const { units, people, positions } = settings;
  const [unitId, personId] = [idRuleOf(units), idRuleOf(people)];
  const identity = spellIdentity({ ...placeOfDatabase(settings.url), unitId, personId });
  const plans = plansOf(
    compileParts(settings, SQL_DIALECT, context),
    (part) => askOf(settings, part),
    keepersOf({ settings, identity }, context),
  );
  const openIt = async (signal: AbortSignal): Promise<SqlRead> => {
    const at = new Date(context.clock.now());
    return new SqlRead({ plans, at }, await connectUnlessStopped(connect, signal));
  };
  const open = openerOf({ settings, identity, plans }, context, openIt);
  return {
    fingerprint: fingerprintOf(settings, ['sql']),
    besides: context.expressions.besides,
    asks: asksOf(settings),
    identity,
    hasPositions: positions !== undefined,
    rules: rulesOf(settings),
    open,
    ...finders(plans, open),
  };
}

async function connectUnlessStopped(connect: ConnectSql, signal: AbortSignal): Promise<SqlConnection> {
  if (signal.aborted) throw stopped();
  return connect(signal);
}

function askOf(settings: SqlSettings, part: keyof Plans<QueryAsk>): QueryAsk | null {
  const query = settings[part]?.query;
  if (query === undefined) return null;
  if (part === 'rows') return { part: 'partners', path: settings.rows?.path ?? '', query };
  return { part, path: `source.${part}`, query };
}

interface Progress {
  /** When the read began. */
  readonly at: Date;
  records: number;
  ended: boolean;
}

function newProgress(at: Date): Progress {
  return { at, records: 0, ended: false };
}

async function* arrivedRows<T>(
  connection: SqlConnection,
  { part, path, query, mapper }: Plan<QueryAsk, T>,
  progress: Progress,
): AsyncGenerator<Iterable<Arrived<T>>> {
  const { names, places } = mapper;
  let keys: JsonKeys = [];
  const choose: ChooseColumns = (columns) => {
    const choice = chooseColumns(names, columns, { path, places });
    ({ keys } = choice);
    return choice.picks;
  };
  for await (const batch of connection.rows(query, choose)) {
    const within = withinJson(keys);
    const records = lazily(batch, (row): RawRecord => {
      progress.records += 1;
      return { ...within(row), at: progress.at, place: `row ${progress.records} of ${part}` };
    });
    yield arrivedRecords(records, mapper);
  }
  progress.ended = true;
}

/** One read, with all parts on one connection, in one transaction. */
class SqlRead extends PlannedRead<QueryAsk> {
  readonly #at: Date;
  readonly #connection: SqlConnection;
  readonly #progress = new Map<SourcePart['part'], Progress>();

  constructor(
    { plans, at }: { readonly plans: Plans<QueryAsk>; readonly at: Date },
    connection: SqlConnection,
  ) {
    super(plans);
    this.#at = at;
    this.#connection = connection;
  }

  told(): SourceEvidence {
    const { type, snapshot, warnings } = this.#connection;
    const parts = [...this.#progress].map(([part, { records, ended }]) => {
      return { part, records, pages: 1, end: ended ? 'end of rows' : 'not ended' };
    });
    return { type, snapshot, parts, referrals: [], unknown: [], ...(warnings !== undefined && { warnings }) };
  }

  async mayChange(): Promise<string | null> {
    return this.#connection.mayChange();
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  arrived<T>(plan: Plan<QueryAsk, T>): AsyncIterable<Iterable<Arrived<T>>> {
    const progress = newProgress(this.#at);
    this.#progress.set(plan.part, progress);
    return arrivedRows(this.#connection, plan, progress);
  }
}
