import type { DraftEntry } from '../../domain/draft.ts';
import type { ColumnFacts, ColumnShape, TableShape } from '../../domain/survey/table-facts.ts';

/** What is proposed for one part of a source. */
export interface Part {
  readonly fields: readonly DraftEntry[];
  /** Settings of the part beside its fields. */
  readonly settings: readonly DraftEntry[];
  /** Columns that the fields read. */
  readonly used: readonly ColumnFacts[];
  readonly assumed: readonly string[];
  readonly gaps: readonly string[];
}

/** Returns the query for the columns of a table, or the path of a file. */
export function askOf(kind: 'sql' | 'csv', table: TableShape, used: readonly ColumnShape[]): DraftEntry {
  if (kind === 'csv') return { key: 'file', value: table.quoted };
  const order = table.columns.filter(({ name }) => used.some((column) => column.name === name));
  const columns = order.map(({ quoted }) => quoted).join(', ');
  return { key: 'query', value: `select ${columns === '' ? '*' : columns} from ${table.quoted}` };
}
