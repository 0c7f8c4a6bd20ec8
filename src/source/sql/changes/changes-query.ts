import type { EngineWords } from './engine-words.ts';

/** Where the time goes; `::changedSince` is a cast, and `a:changedSince` no name of ours. */
const SINCE = /(?<![\w:]):changedSince\b/gu;

/** Returns whether the query asks since when. */
export const asksSince = (query: string): boolean => query.search(SINCE) >= 0;

/** Returns the query with the time in it. */
export const sinceIn = (query: string, time: string, words: EngineWords): string =>
  query.replaceAll(SINCE, () => words.time(time));

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
