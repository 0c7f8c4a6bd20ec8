import Database from 'better-sqlite3';

/**
 * Opens a database for the time of one read: its file has no name, and the system removes it with the process, so that
 * memory stays flat and nothing is left behind.
 */
export function temporaryDatabase(schema: string): Database.Database {
  const database = new Database('');
  database.pragma('journal_mode = OFF');
  database.pragma('synchronous = OFF');
  database.pragma('cache_size = -16384');
  database.exec(schema);
  return database;
}
