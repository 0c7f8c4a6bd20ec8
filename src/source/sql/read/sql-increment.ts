import { FullReadNeededError } from '../../../domain/errors.ts';
import type { SqlIncrements } from '../../../domain/source-settings.ts';
import type {
  FullReadNeeded,
  Increment,
  KeyedReading,
  KeyedReadings,
  ReadMark,
  RecordKey,
} from '../../../domain/reading/increment.ts';
import type { Person } from '../../../domain/records/records.ts';
import { firstValue } from '../../mapping/values/raw-record.ts';
import type { Arrived } from '../../records/arrived.ts';
import { lazily } from '../../records/mapped.ts';
import type { SqlConnection } from '../sql-connection.ts';
import { rowsByKey, sinceIn } from './changes-query.ts';
import { afterRestore, readClock, secondsBefore, type DatabaseClock } from './database-clock.ts';
import { ENGINE_WORDS, type EngineWords } from './engine-words.ts';
import { keyColumn } from './key-column.ts';

type People = AsyncIterable<Iterable<Arrived<Person>>>;

/** What an increment asks of one read of a database. */
export interface SqlAsking {
  readonly connection: SqlConnection;
  readonly increments: SqlIncrements;
  /** Column of the keys, as the configuration has it. */
  readonly key: string;
  /** The query for all people. */
  readonly people: string;
  /** Reads rows of people; `onColumn` gets the column of the keys as the result names it. */
  readonly rows: (query: string, onColumn: (column: string) => void) => People;
  /** Makes readings of them. */
  readonly readings: (people: People, salt: string) => KeyedReadings;
}

interface Asked {
  readonly since: ReadMark;
  readonly again: readonly RecordKey[];
  readonly salt: string;
}

/** The text of a mark. */
interface MarkText extends DatabaseClock {
  /** What was asked for changes: asked something else, nothing can be added. */
  readonly asked: SqlIncrements;
}

const UNLISTED = {
  field: 'id',
  reason:
    'the key has a row and is not in source.people.changes.ids: the two contradict each other; ' +
    'let both queries select the same people',
} as const;

/** So many keys stand in one query; Oracle takes a thousand. */
const KEYS_AT_ONCE = 500;

/** Tells what changed by a query with a time in it, and who is gone by a list of all keys or of those removed. */
export class SqlChanges {
  readonly #asking: SqlAsking;
  #mark: MarkText | null = null;

  constructor(asking: SqlAsking) {
    this.#asking = asking;
  }

  async begin(): Promise<ReadMark> {
    const { connection, increments } = this.#asking;
    this.#mark = { ...(await readClock(connection)), asked: increments };
    return { how: 'query', text: JSON.stringify(this.#mark) };
  }

  increment(asked: Asked): Promise<Increment | FullReadNeeded> {
    const before = JSON.parse(asked.since.text) as MarkText;
    const now = this.#mark ?? before;
    const other = JSON.stringify(before.asked) !== JSON.stringify(now.asked);
    const why = other ? { why: 'source.people.changes has changed' } : afterRestore(before, now);
    return Promise.resolve(why ?? new SqlIncrement(this.#asking, asked, { before, now }));
  }
}

class SqlIncrement implements Increment {
  readonly #asking: SqlAsking;
  readonly #asked: Asked;
  readonly #now: MarkText;
  readonly #since: string;
  readonly #words: EngineWords;
  readonly #delivered = new Set<RecordKey>();
  /** The column of the keys as the result of the query names it. */
  #column: string;
  #gone: readonly RecordKey[] = [];
  /** The keys of all as they were listed; `null`: there is no list. */
  #listed: readonly (readonly RecordKey[])[] | null = null;
  #there = new Set<RecordKey>();

  constructor(
    asking: SqlAsking,
    asked: Asked,
    { before, now }: { readonly before: MarkText; readonly now: MarkText },
  ) {
    this.#asking = asking;
    this.#asked = asked;
    this.#now = now;
    this.#since = secondsBefore(before.earliest, asking.increments.overlapSeconds);
    this.#words = ENGINE_WORDS[asking.connection.type];
    this.#column = asking.key;
  }

  async *records(): KeyedReadings {
    const { increments } = this.#asking;
    await this.#list();
    yield* this.#read(sinceIn(increments.query, this.#since, this.#words), () => true);
    yield* this.#byKey(this.#asked.again);
    if (increments.removed === undefined) return;
    const removed = await this.#keysOf(sinceIn(increments.removed, this.#since, this.#words));
    // Whoever was removed and has come back is there.
    yield* this.#byKey(removed);
    this.#gone = removed.filter((key) => !this.#delivered.has(key));
  }

  present(): AsyncIterable<Iterable<RecordKey>> | null {
    return this.#listed === null ? null : yieldAll(this.#listed);
  }

  gone(): readonly RecordKey[] {
    return this.#gone;
  }

  more(keys: readonly RecordKey[]): KeyedReadings {
    return this.#byKey(keys);
  }

  mark(): ReadMark {
    return { how: 'query', text: JSON.stringify(this.#now) };
  }

  #isThere(key: RecordKey): boolean {
    return this.#listed === null || this.#there.has(key);
  }

  /** Reads those of these records that were not read before. */
  async *#byKey(keys: readonly RecordKey[]): KeyedReadings {
    const left = [...new Set(keys)].filter((key) => !this.#delivered.has(key));
    for (let at = 0; at < left.length; at += KEYS_AT_ONCE) {
      const wanted = { column: this.#column, keys: left.slice(at, at + KEYS_AT_ONCE) };
      const asked = new Set(wanted.keys);
      // A key may stand for several values of the column.
      yield* this.#read(rowsByKey(this.#asking.people, wanted, this.#words), (key) => asked.has(key));
    }
  }

  async *#read(query: string, isWanted: (key: RecordKey) => boolean): KeyedReadings {
    const rows = this.#asking.rows(query, (column) => void (this.#column = column));
    const readings = this.#asking.readings(this.#noting(rows, isWanted), this.#asked.salt);
    for await (const batch of readings) yield lazily(batch, (one) => this.#unlessContradicted(one));
  }

  /** Refuses a record that has a row and is not in the list of all: nobody can tell which of them is behind. */
  #unlessContradicted(reading: KeyedReading): KeyedReading {
    const { key } = reading;
    if (!reading.ok || key === undefined || this.#isThere(key) || reading.record.active === false)
      return reading;
    const { id, username: label, active } = reading.record;
    const place = `the row with the key ${key}`;
    return { ok: false, key, refusal: { subject: 'person', id, label, active, place, ...UNLISTED } };
  }

  /** Yields those that are wanted, and notes them. */
  async *#noting(people: People, isWanted: (key: RecordKey) => boolean): People {
    for await (const batch of people) {
      const wanted = [...batch].filter((one) => isWanted(one.key?.() ?? ''));
      for (const one of wanted) this.#delivered.add(one.key?.() ?? '');
      yield wanted;
    }
  }

  async #keysOf(query: string): Promise<readonly RecordKey[]> {
    const all: RecordKey[] = [];
    for await (const keys of this.#keys(query)) all.push(...keys);
    return all;
  }

  /** Reads the keys of all. Where there is none, nobody can tell whether the query is wrong or everybody gone. */
  async #list(): Promise<void> {
    const { ids } = this.#asking.increments;
    if (ids === undefined) return;
    const listed: (readonly RecordKey[])[] = [];
    for await (const keys of this.#keys(ids)) listed.push(keys);
    this.#listed = listed;
    this.#there = new Set(listed.flat());
    if (this.#there.size === 0)
      throw new FullReadNeededError(
        'source.people.changes.ids brought no key; have it select the keys of all people',
      );
  }

  async *#keys(query: string): AsyncGenerator<readonly RecordKey[]> {
    const { connection, key } = this.#asking;
    const rows = connection.rows(query, (columns) => [keyColumn(key, columns, 'source.people.changes')]);
    for await (const batch of rows) yield batch.flatMap(([cell]) => firstValue(cell) ?? []);
  }
}

async function* yieldAll<T>(batches: readonly T[]): AsyncGenerator<T> {
  yield* batches;
}
