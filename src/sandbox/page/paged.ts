import type { Paged } from './wire.ts';

/** Rows of one page. */
const ROWS = 50;

/** Returns the number of the page that is asked for. */
export function pageOf(query: URLSearchParams): number {
  return Number(query.get('page') ?? '0');
}

/** Returns the rows of the page that is asked for; the last one where there are not so many. */
export function paged<R, Row>(records: readonly R[], page: number, row: (record: R) => Row): Paged<Row> {
  const pages = Math.max(1, Math.ceil(records.length / ROWS));
  const shown = Math.min(Math.max(0, Number.isSafeInteger(page) ? page : 0), pages - 1);
  const rows = records.slice(shown * ROWS, (shown + 1) * ROWS).map(row);
  return { rows, total: records.length, page: shown, pages };
}
