import type { TableFacts, TableShape } from '../../../domain/survey/table-facts.ts';
import type { SqlConnection } from '../../sql/sql-connection.ts';
import { catalogOf, rowsOf } from './catalog.ts';

/** Rows of a sample. */
const SAMPLE = 1_000;

export interface DatabaseFacts {
  /** Every table and view that this user may read. */
  readonly tables: readonly TableShape[];
  /** Those that were chosen, with the first of their rows. */
  readonly samples: readonly TableFacts[];
}

/**
 * Looks at a database: its tables, columns and keys, and the first rows of those that are chosen. Never reads
 * a table to its end.
 */
export async function surveyDatabase(
  connection: SqlConnection,
  choose: (tables: readonly TableShape[]) => readonly TableShape[],
): Promise<DatabaseFacts> {
  try {
    const tables = await catalogOf(connection);
    const samples: TableFacts[] = [];
    for (const table of choose(tables)) samples.push(await sampleOf(connection, table));
    return { tables, samples };
  } finally {
    await connection.close();
  }
}

async function sampleOf(connection: SqlConnection, table: TableShape): Promise<TableFacts> {
  const columns = table.columns.map(({ quoted }) => quoted).join(', ');
  const rows = await rowsOf(connection, `select ${columns} from ${table.quoted} limit ${SAMPLE + 1}`);
  return withCells(table, rows, SAMPLE);
}

/** Returns a table with these rows, of which one more than the sample says that there are more. */
export function withCells(
  table: TableShape,
  rows: readonly (readonly string[])[],
  atMost: number,
): TableFacts {
  const sample = rows.slice(0, atMost);
  return {
    ...table,
    columns: table.columns.map((column, index) => ({
      ...column,
      cells: sample.map((row) => (row[index] ?? '').trim()),
    })),
    rows: sample.length,
    isWhole: rows.length <= atMost,
  };
}
