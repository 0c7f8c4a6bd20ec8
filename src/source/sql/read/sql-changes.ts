import { fullRead } from '../../../domain/full-reads.ts';
import { CHANGED_SINCE } from '../../../domain/source-choices.ts';
import type { KeyedReading, KeyedReadings, RecordKey } from '../../../domain/reading/increment.ts';
import type { SqlIncrements } from '../kind.ts';
import type { IncrementChanges, ReportedChanges, People } from '../../increments/increments.ts';
import { firstValue } from '../../mapping/values/raw-record.ts';
import { lazily } from '../../records/mapped.ts';
import { chooseColumns } from './columns.ts';
import type { SqlConnection } from '../sql-connection.ts';
import {
  ENGINE_WORDS,
  readClock,
  secondsBefore,
  whyRestored,
  type DatabaseClock,
  type EngineWords,
} from './engine-words.ts';

/** So much earlier than the last read changes are asked for again: what was written then may have been committed later. */
const OVERLAP_SECONDS = 300;

/** What changes ask of one read of a database. */
interface SqlAsking {
  readonly connection: SqlConnection;
  /** When the read began, by our own clock. */
  readonly at: Date;
  readonly increments: SqlIncrements;
  /** Column of the keys, as the configuration has it. */
  readonly key: string;
  /** The query for all people. */
  readonly people: string;
  /** Reads rows of people; `onColumn` gets the column of the keys as the result names it. */
  readonly rows: (query: string, onColumn: (column: string) => void) => People;
}

const UNLISTED = {
  field: 'id',
  reason:
    'the key has a row and is not in source.people.changes.ids: the two contradict each other; ' +
    'let both queries select the same people',
} as const;

/** Tells what changed by a query with a time in it, and who is gone by a list of all keys or of those removed. */
export class SqlChanges implements IncrementChanges<DatabaseClock> {
  readonly how = 'query';
  readonly asked: IncrementChanges<DatabaseClock>['asked'];
  /** Oracle takes a thousand. */
  readonly idsAtOnce = 500;
  readonly #asking: SqlAsking;
  readonly #words: EngineWords;
  /** The column of the keys as the result of the query names it. */
  #column: string;
  /** The keys of all as they were listed; `null`: there is no list. */
  #listed: ReadonlySet<RecordKey> | null = null;

  constructor(asking: SqlAsking) {
    this.#asking = asking;
    this.#words = ENGINE_WORDS[asking.connection.type];
    this.#column = asking.key;
    this.asked = [
      { text: JSON.stringify(asking.increments), ifOther: fullRead('full-people', { what: 'changes' }) },
    ];
  }

  latest(): Promise<DatabaseClock> {
    return readClock(this.#asking.connection, this.#asking.at);
  }

  async changedSince(before: DatabaseClock, now: DatabaseClock): Promise<ReportedChanges> {
    const { increments } = this.#asking;
    const { ids, removed } = increments;
    const why = whyRestored(before, now, OVERLAP_SECONDS);
    if (why !== null) throw why;
    const since = secondsBefore(before.earliest, OVERLAP_SECONDS);
    const withTime = (query: string): string =>
      query.replaceAll(CHANGED_SINCE, () => this.#words.time(since));
    return {
      changed: () => this.#rows(withTime(increments.query)),
      ...(removed !== undefined && { touched: () => this.#keys(withTime(removed)) }),
      ...(ids !== undefined && (await this.#list(ids))),
    };
  }

  byIds(keys: readonly RecordKey[]): People {
    const values = keys.flatMap((key) => this.#words.key(key)).join(', ');
    const people = this.#asking.people.replace(/[\s;]+$/u, '');
    return this.#rows(
      `SELECT * FROM (\n${people}\n) q WHERE q.${this.#words.name(this.#column)} IN (${values})`,
    );
  }

  /**
   * Refuses a record that has a row and is not in the list of all keys: it is unknown which of the two is out
   * of date.
   */
  async *unlessUnlisted(readings: KeyedReadings): KeyedReadings {
    for await (const batch of readings) yield lazily(batch, (one) => this.#unlessUnlisted(one));
  }

  #unlessUnlisted(reading: KeyedReading): KeyedReading {
    const { key } = reading;
    if (!reading.ok || key === undefined || reading.record.active === false) return reading;
    if (this.#listed?.has(key) !== false) return reading;
    const { id, username: label, active } = reading.record;
    const place = `the row with the key ${key}`;
    return { ok: false, key, refusal: { subject: 'person', id, label, active, place, ...UNLISTED } };
  }

  #rows(query: string): People {
    return this.#asking.rows(query, (column) => void (this.#column = column));
  }

  /**
   * Reads the keys of all people. If there are none, the query may be wrong or all people may be gone: it
   * throws.
   */
  async #list(query: string): Promise<Pick<ReportedChanges, 'ids'>> {
    const keys = await this.#keys(query);
    if (keys.length === 0) throw fullRead('full-no-ids', {});
    this.#listed = new Set(keys);
    // A key that is listed twice is passed on twice.
    return { ids: () => once(keys) };
  }

  async #keys(query: string): Promise<readonly RecordKey[]> {
    const { connection, key } = this.#asking;
    const all: RecordKey[] = [];
    const rows = connection.rows(query, (columns) => [keyColumn(key, columns)]);
    for await (const batch of rows) all.push(...batch.flatMap(([cell]) => firstValue(cell) ?? []));
    return all;
  }
}

/** Returns the place of the keys among the columns of a query for them: the only one, or the one of this name. */
function keyColumn(key: string, columns: readonly string[]): number {
  if (columns.length === 1) return 0;
  const [at = 0] = chooseColumns([{ name: key, places: ['source.people.changes'] }], columns);
  return at;
}

async function* once<T>(all: T): AsyncGenerator<T> {
  yield all;
}
