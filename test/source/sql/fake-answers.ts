import Database from 'better-sqlite3';

import { worldSql } from '../sql-world.ts';

/** A column as a driver describes it: its type's name as the engine has it. */
export interface FakeColumn {
  readonly name: string;
  readonly type: string;
  readonly scale?: number;
}

export interface FakeAnswer {
  readonly columns: readonly FakeColumn[];
  readonly rows: Iterable<readonly unknown[]>;
}

/** What a database without a server answers to a query; throws as it would. */
export type Answer = (sql: string) => FakeAnswer;

/** Answers from the world of the tests, kept by SQLite in memory: every value is text or null. */
export function answersOfTheWorld(textType: string): Answer {
  const database = new Database(':memory:');
  for (const sql of worldSql()) database.exec(sql);
  return (sql) => {
    const statement = database.prepare(sql);
    const columns = statement.columns().map(({ name }) => ({ name, type: textType }));
    return { columns, rows: (statement.raw(true).all() as readonly unknown[][]).map(texts) };
  };
}

function texts(row: readonly unknown[]): readonly unknown[] {
  return row.map((value) => (typeof value === 'number' ? String(value) : value));
}

/** A row that cannot be read: what comes before it has been sent. */
export function* brokenAfter(
  rows: Iterable<readonly unknown[]>,
  count: number,
  failure: Error,
): Iterable<readonly unknown[]> {
  let left = count;
  for (const row of rows) {
    if (left === 0) throw failure;
    left -= 1;
    yield row;
  }
}
