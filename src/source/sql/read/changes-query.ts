import { CHANGED_SINCE } from '../../../domain/reading/changed-since.ts';
import type { EngineWords } from './engine-words.ts';

/** Returns the query with the time in it. */
export const sinceIn = (query: string, time: string, words: EngineWords): string =>
  query.replaceAll(CHANGED_SINCE, () => words.time(time));

/** Which rows of a query are wanted. */
export interface WantedRows {
  /** The column as the result of the query names it. */
  readonly column: string;
  readonly keys: readonly string[];
}

/** Returns a query for those rows of a query that have one of these keys. */
export function rowsByKey(query: string, { column, keys }: WantedRows, words: EngineWords): string {
  const values = keys.flatMap((key) => words.key(key)).join(', ');
  const inner = query.replace(/[\s;]+$/u, '');
  return `SELECT * FROM (\n${inner}\n) q WHERE q.${words.name(column)} IN (${values})`;
}
