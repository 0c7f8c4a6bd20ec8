import { closeSync, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

import Database from 'better-sqlite3';

import { SourceError } from '../../domain/errors.ts';
import type { SqlSettings } from '../../domain/source-settings.ts';
import type { Cell } from '../mapping/values/raw-record.ts';
import { stopped } from '../connect/network-problem.ts';
import { sqlitePath } from './database-url.ts';
import { BATCH, type ChooseColumns, type SqlConnection } from './sql-connection.ts';
import { sqlError, type SqlTask } from './sql-error.ts';

/**
 * Opens a file that is never created or changed. It is read in batches, because better-sqlite3 blocks the
 * event loop.
 */
export function openSqlite(settings: SqlSettings, signal: AbortSignal): SqlConnection {
  const path = sqlitePath(settings.url);
  const task: SqlTask = { server: `the SQLite file ${path}` };
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) throw new SourceError(`${task.server} does not exist; check source.url.`);
  if (file.isDirectory())
    throw new SourceError(`${task.server} is a folder; write the path of the file to source.url.`);
  const { database, held } = openFile(path, settings, task);
  const close = (): void => {
    database.close();
    release(held);
  };
  if (held.place !== placeOf(file)) {
    close();
    throw new SourceError(`${task.server} was replaced while it was opened.`, { isPassing: true });
  }
  return {
    type: 'sqlite',
    snapshot: 'one read transaction',
    file: () => fileOf(held),
    rows: (query, choose) => readRows(database, { ...task, query, signal }, choose),
    close: async () => close(),
  };
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

interface OpenedFile {
  readonly database: Database.Database;
  readonly held: HeldFile;
}

function openFile(path: string, settings: SqlSettings, task: SqlTask): OpenedFile {
  let database: Database.Database | null = null;
  try {
    const options = { readonly: true, fileMustExist: true, timeout: settings.timeoutSeconds * 1_000 };
    database = new Database(path, options);
    database.defaultSafeIntegers(true);
    database.exec('BEGIN');
    // The snapshot begins with the first read, not with BEGIN.
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return { database, held: holdFile(path) };
  } catch (error) {
    database?.close();
    throw sqlError(error, task);
  }
}

async function* readRows(
  database: Database.Database,
  task: SqlTask & { readonly query: string; readonly signal: AbortSignal },
  choose: ChooseColumns,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  try {
    const statement = database.prepare(task.query);
    if (!statement.reader) throw new SourceError(`${task.server}: the query ${task.query} returns no rows.`);
    const picks = choose(statement.columns().map((column) => column.name));
    const rows = statement.raw(true).iterate() as IterableIterator<readonly unknown[]>;
    let batch: Cell[][] = [];
    for (const row of rows) {
      batch.push(picks.map((index) => toCell(row[index])));
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
      await setImmediate();
      if (task.signal.aborted) throw stopped();
    }
    yield batch;
  } catch (error) {
    throw sqlError(error, task);
  }
}

function toCell(value: unknown): Cell {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  return Buffer.isBuffer(value) ? value.toString('base64') : undefined;
}
