import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
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
  const database = openFile(path, settings, task);
  return {
    type: 'sqlite',
    snapshot: 'one read transaction',
    file: () => fileOf(path),
    rows: (query, choose) => readRows(database, { ...task, query, signal }, choose),
    async close() {
      database.close();
    },
  };
}

/** Where the file's header counts its changes (sqlite.org/fileformat2.html, "File change counter"). */
const COUNTER = { at: 24, bytes: 4 };

/** Returns which file it is, and how often it was changed: another file, or an older copy, is another database. */
function fileOf(path: string): ReturnType<NonNullable<SqlConnection['file']>> {
  const file = openSync(path, 'r');
  try {
    const { dev, ino, mtime: writtenAt } = fstatSync(file);
    const counter = Buffer.alloc(COUNTER.bytes);
    readSync(file, counter, 0, COUNTER.bytes, COUNTER.at);
    return { place: `${dev} ${ino}`, step: counter.readUInt32BE(), writtenAt };
  } finally {
    closeSync(file);
  }
}

function openFile(path: string, settings: SqlSettings, task: SqlTask): Database.Database {
  let database: Database.Database | null = null;
  try {
    const options = { readonly: true, fileMustExist: true, timeout: settings.timeoutSeconds * 1_000 };
    database = new Database(path, options);
    database.defaultSafeIntegers(true);
    database.exec('BEGIN');
    // The snapshot begins with the first read, not with BEGIN.
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
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
