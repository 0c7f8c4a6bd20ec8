import { fullRead } from '../../../domain/full-reads.ts';
import type { SqlIncrements, SqlSettings } from '../kind.ts';
import type { FullReadNeeded, IncrementalRead } from '../../../domain/reading/increment.ts';
import type { Person } from '../../../domain/records/records.ts';
import type { SourceEvidence } from '../../../domain/reading/source.ts';
import {
  sortable,
  writtenMark,
  type SourceMark,
  type SourcePart,
} from '../../../domain/reading/source-part.ts';
import { spellIdentity } from '../../../domain/reading/source-identity.ts';
import { PLAIN_DIALECT, type Dialect } from '../../mapping/rules/scope.ts';
import { Increments } from '../../increments/increments.ts';
import { compileParts, type RowsSource, type SourceContext } from '../../records/source-context.ts';
import {
  idRuleOf,
  PlannedRead,
  plansOf,
  sourceOf,
  type Plan,
  type Plans,
  type Progress,
} from '../../records/planned-read.ts';
import { stopped } from '../../connect/network-problem.ts';
import { incomingRecords, lazily, type Decoded, type IncomingRecord } from '../../records/mapped.ts';
import { connectWithPassword } from './connect-database.ts';
import { readClock } from './engine-words.ts';
import { SqlChanges } from './sql-changes.ts';
import { chooseColumns } from './columns.ts';
import { placeOfDatabase } from '../database-url.ts';
import type { ChooseColumns, SqlConnection } from '../sql-connection.ts';

const SQL_DIALECT: Dialect = {
  ...PLAIN_DIALECT,
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

/** Returns the database of the settings as a source, with its password as it is at each read. */
export const databaseSource = (settings: SqlSettings, context: SourceContext): RowsSource =>
  sqlSource(settings, (signal) => connectWithPassword(settings, context, signal), context);

/** Returns a database as a source. Compiles the rules: throws a `ConfigError`. */
export function sqlSource(settings: SqlSettings, connect: ConnectSql, context: SourceContext): RowsSource {
  const { units, people } = settings;
  const [unitId, personId] = [idRuleOf(units), idRuleOf(people)];
  const identity = spellIdentity({ ...placeOfDatabase(settings.url), unitId, personId });
  const plans = plansOf(compileParts(settings, SQL_DIALECT, context), (part) => askOf(settings, part));
  const changes = changesOf(settings);
  const open = async (signal: AbortSignal): Promise<SqlRead> => {
    const at = new Date(context.clock.now());
    return new SqlRead({ plans, at, changes }, await connectUnlessStopped(connect, signal));
  };
  return sourceOf(settings, context, { decides: ['sql'], identity, plans, open });
}

/**
 * How the source reports what changed, with the column of the keys; or why it does not; `undefined`:
 * increments are not wanted.
 */
type SqlIncrementPlan =
  { readonly increments: SqlIncrements; readonly key: string } | FullReadNeeded | undefined;

function changesOf({ changes, people }: SqlSettings): SqlIncrementPlan {
  if (changes !== 'auto') return undefined;
  const increments = people?.changes;
  if (increments === undefined) return fullRead('full-query', { key: 'source.people.changes' });
  const id = people?.rules.id;
  const key = increments.key ?? (typeof id === 'string' ? id : undefined);
  return key === undefined
    ? fullRead('full-query', { key: 'source.people.changes.key' })
    : { increments, key };
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

/** The column of the keys, and what gets its name as the result has it. */
interface KeyAsk {
  readonly name: string;
  readonly onColumn?: (column: string) => void;
}

interface SqlPeopleRead {
  /** When the read began. */
  readonly at: Date;
  readonly progress: Progress;
  readonly key?: KeyAsk | undefined;
}

async function* incomingRows<T>(
  connection: SqlConnection,
  { part, path, query, mapper }: Plan<QueryAsk, T>,
  { at, progress, key }: SqlPeopleRead,
): AsyncGenerator<Iterable<IncomingRecord<T>>> {
  // The column of the keys is added as the last one, even if the rules name it.
  const ofKey = key === undefined ? [] : [{ name: key.name, places: [`${path}.changes.key`] }];
  const choose: ChooseColumns = (columns) => {
    const picks = chooseColumns([...mapper.columns, ...ofKey], columns);
    key?.onColumn?.(columns[picks.at(-1) ?? 0] ?? key.name);
    return picks;
  };
  progress.pages = 1;
  for await (const batch of connection.rows(query, choose)) {
    const records = lazily(batch, (cells): Decoded => {
      progress.records += 1;
      return { cells, at, place: `row ${progress.records} of ${part}` };
    });
    yield incomingRecords(records, mapper, key !== undefined);
  }
  progress.end = 'end of rows';
}

interface SqlReading {
  readonly plans: Plans<QueryAsk>;
  /** When the read began. */
  readonly at: Date;
  readonly changes: SqlIncrementPlan;
}

/** One read, with all parts on one connection, in one transaction. */
class SqlRead extends PlannedRead<QueryAsk> {
  readonly incremental: IncrementalRead | FullReadNeeded | undefined;
  readonly #at: Date;
  readonly #connection: SqlConnection;
  /** Column of the keys of people. */
  readonly #key: string | undefined;

  constructor({ plans, at, changes }: SqlReading, connection: SqlConnection) {
    super(plans);
    this.#at = at;
    this.#connection = connection;
    this.#key = changes === undefined || 'why' in changes ? undefined : changes.key;
    this.incremental = this.#incremental(plans.people, changes);
  }

  ownEvidence(): SourceEvidence {
    const { type, snapshot, warnings = [] } = this.#connection;
    const toLookAt = warnings.length > 0 && { warnings };
    return { type, snapshot, parts: this.parts, unknown: [], ...toLookAt };
  }

  /**
   * Returns when a file was written, and how often its database or the server was. An export may put another database
   * into the same file at any time: its count is compared only if changes are asked for.
   */
  async marks(): Promise<readonly SourceMark[]> {
    const connection = this.#connection;
    const file = connection.file?.();
    const marks = file === undefined ? [] : [writtenMark('the database file', file.writtenAt, this.#at)];
    if (file !== undefined && this.incremental === undefined) return marks;
    const { place, step } = await readClock(connection, this.#at);
    if (step === null) return marks;
    const behind = 'the database is in an earlier state than at the last read';
    return [...marks, { name: `step ${place}`, value: sortable(String(step)), behind }];
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  incoming<T>(plan: Plan<QueryAsk, T>): AsyncIterable<Iterable<IncomingRecord<T>>> {
    const progress = this.beginPart(plan.part);
    const key = plan.part === 'people' && this.#key !== undefined ? { name: this.#key } : undefined;
    return incomingRows(this.#connection, plan, { at: this.#at, progress, key });
  }

  #incremental(people: Plan<QueryAsk, Person> | null, changes: SqlIncrementPlan): SqlRead['incremental'] {
    if (changes === undefined || 'why' in changes) return changes;
    if (people === null) return fullRead('full-elsewhere', {});
    const { key, increments } = changes;
    const connection = this.#connection;
    const sqlChanges = new SqlChanges({
      connection,
      at: this.#at,
      increments,
      key,
      people: people.query,
      rows: (query, onColumn) => {
        const reading = { at: this.#at, progress: this.progressOf('people'), key: { name: key, onColumn } };
        return incomingRows(connection, { ...people, query }, reading);
      },
    });
    return new Increments(
      () => Promise.resolve(sqlChanges),
      (rows, salt) => sqlChanges.unlessUnlisted(this.changedPeople(people, rows, salt)),
    );
  }
}
