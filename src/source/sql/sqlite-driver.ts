import { closeSync, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

import Database from 'better-sqlite3';

import type { SqlSettings } from './kind.ts';
import { stopped } from '../connect/network-problem.ts';
import type { Cell } from '../mapping/values/raw-record.ts';
import { sqlitePath } from './database-url.ts';
import { sqlProblem } from './sql-error.ts';
import {
  BATCH,
  oneResult,
  type QueryTask,
  type ResultPage,
  type SqlConnection,
  type SqlDriver,
} from './sql-connection.ts';

/**
 * A file that is never created or changed. It is read in batches, because better-sqlite3 blocks the
 * event loop.
 */
export function sqliteDriver(settings: SqlSettings, seconds: number): SqlDriver {
  const path = sqlitePath(settings.url);
  const server = `the SQLite file ${path}`;
  let database: Database.Database | null = null;
  let held: HeldFile | null = null;
  let isDropped = false;

  async function snapshot(): Promise<{ readonly snapshot: string }> {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) throw sqlProblem('sql-no-file', { server, why: 'does not exist' });
    if (found.isDirectory()) throw sqlProblem('sql-no-file', { server, why: 'is a folder' });
    database = new Database(path, { readonly: true, fileMustExist: true, timeout: seconds * 1_000 });
    database.defaultSafeIntegers(true);
    database.exec('BEGIN');
    // The snapshot begins with the first read, not with BEGIN.
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    held = holdFile(path);
    if (held.place !== placeOf(found))
      throw sqlProblem('sql-replaced', { server, what: 'the file' }, { isPassing: true });
    return { snapshot: 'one read transaction' };
  }

  async function* rows(task: QueryTask): AsyncGenerator<ResultPage> {
    if (database === null) return;
    const statement = database.prepare(task.query);
    oneResult(statement.reader ? [statement] : [], task);
    const columns = statement.columns().map(({ name }) => ({ name, read: toCell }));
    let batch: (readonly unknown[])[] = [];
    for (const row of statement.raw(true).iterate() as IterableIterator<readonly unknown[]>) {
      batch.push(row);
      if (batch.length < BATCH) continue;
      yield { columns, rows: batch };
      batch = [];
      await setImmediate();
      if (isDropped) throw stopped();
    }
    yield { columns, rows: batch };
  }

  async function close(): Promise<void> {
    database?.close();
    if (held !== null) release(held);
    [database, held] = [null, null];
  }

  const file = (): ReturnType<NonNullable<SqlConnection['file']>> => {
    if (held === null) throw new Error(`${server} is closed`);
    return fileOf(held);
  };
  const drop = (): void => void (isDropped = true);
  return { type: 'sqlite', server, snapshot, rows, close, drop, file };
}

/** A file that is open beside its database. */
interface HeldFile {
  readonly descriptor: number;
  /** Device and inode. */
  readonly place: string;
}

/**
 * Descriptors by file. Closing one drops all locks that this process has on the file, those of SQLite too (fcntl(2),
 * "Record locks"; sqlite.org/howtocorrupt.html, 2.2): they are closed together, after the last database on that file.
 */
const HELD = new Map<string, { users: number; readonly descriptors: number[] }>();

function holdFile(path: string): HeldFile {
  const descriptor = openSync(path, 'r');
  const place = placeOf(fstatSync(descriptor));
  const known = HELD.get(place) ?? { users: 0, descriptors: [] };
  known.users += 1;
  known.descriptors.push(descriptor);
  HELD.set(place, known);
  return { descriptor, place };
}

function release({ place }: HeldFile): void {
  const known = HELD.get(place);
  if (known === undefined || --known.users > 0) return;
  HELD.delete(place);
  known.descriptors.forEach((descriptor) => closeSync(descriptor));
}

const placeOf = ({ dev, ino }: Stats): string => `${dev} ${ino}`;

/** Where the file's header counts its changes (sqlite.org/fileformat2.html, "File change counter"). */
const COUNTER = { at: 24, bytes: 4 };

/** Returns which file it is, and how often it was changed: another file, or an older copy, is another database. */
function fileOf({ descriptor, place }: HeldFile): ReturnType<NonNullable<SqlConnection['file']>> {
  const { mtime: writtenAt } = fstatSync(descriptor);
  const counter = Buffer.alloc(COUNTER.bytes);
  readSync(descriptor, counter, 0, COUNTER.bytes, COUNTER.at);
  return { place, step: counter.readUInt32BE(), writtenAt };
}

function toCell(value: unknown): Cell {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  return Buffer.isBuffer(value) ? value.toString('base64') : undefined;
}
