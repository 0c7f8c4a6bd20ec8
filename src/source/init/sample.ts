import type { TableFacts, TableShape } from './table-facts.ts';

/** Rows of a sample. */
export const SAMPLE = 1_000;

/** Returns a table with the first of its rows. @param isWholeFile whether there are no more of them */
export function withCells(
  table: TableShape,
  rows: readonly (readonly string[])[],
  isWholeFile: boolean,
): TableFacts {
  // A row that comes twice is one record.
  const sample = [...new Map(rows.slice(0, SAMPLE).map((row) => [JSON.stringify(row), row])).values()];
  const columns = table.columns.map((column, index) => ({
    ...column,
    cells: sample.map((row) => (row[index] ?? '').trim()),
  }));
  return {
    ...table,
    columns,
    rows: Math.min(rows.length, SAMPLE),
    isWhole: isWholeFile && rows.length <= SAMPLE,
  };
}
