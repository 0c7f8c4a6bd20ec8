import Database from 'better-sqlite3';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { removeFolder, scratchFolder } from './scratch.ts';

export interface ScratchDatabase {
  readonly file: string;
  /** Runs statements on it. */
  readonly sql: (text: string) => void;
}

/** An SQLite file in a folder of its own, which goes with the test. */
export function scratchDatabase(name: string): ScratchDatabase {
  const folder = scratchFolder(name);
  onTestFinished(() => removeFolder(folder));
  const file = join(folder, 'hr.db');
  const sql = (text: string): void => {
    const database = new Database(file);
    database.exec(text);
    database.close();
  };
  return { file, sql };
}
