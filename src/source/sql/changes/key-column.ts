import { chooseColumns } from '../columns.ts';

/** Returns the place of the keys among the columns of a query for them: the only one, or the one of this name. */
export function keyColumn(key: string, columns: readonly string[], path: string): number {
  if (columns.length === 1) return 0;
  const [at = 0] = chooseColumns([key], columns, { path, places: [[path]] }).picks;
  return at;
}
