import type { Glance, Page } from '../../domain/ports/service.ts';
import type { Call } from '../calls/call.ts';
import type { Client } from '../calls/client.ts';
import type { KnownLimits } from './list-limits.ts';
import { isRefusal } from '../calls/too-much.ts';
import { countOrNull, listOf, objectOf, ShapeError } from '../wire/decode.ts';

export type PagedCall = Omit<Call<unknown>, 'decode'>;

export interface PageReader {
  readonly client: Client;
  readonly limits: KnownLimits;
}

type PageOf<T> = Omit<Page<T>, 'skip'>;

/** How to read the records of a list and to tell them apart. */
export interface PagedRecords<T> {
  readonly decode: (result: unknown) => PageOf<T>;
  readonly idOf: (record: T) => string;
}

/**
 * Reads a list page by page (interface, convention 6). `skip` advances by the number of records that came. It
 * ends at `total_count`, or at an empty page before that: then there are fewer records than the page's
 * `totalCount` says, and only its reader knows whether the view is complete. A page that has only records of
 * the page before also ends it: such a service ignores `skip`.
 */
export async function* pages<T>(
  reader: PageReader,
  call: PagedCall,
  { decode, idOf }: PagedRecords<T>,
  signal: AbortSignal,
): AsyncGenerator<Page<T>> {
  const ask = (skip: number, limit: number): Promise<PageOf<T>> => {
    const query = { ...call.query, skip: String(skip), limit: String(limit) };
    return reader.client.call({ ...call, query, decode }, signal);
  };
  let before: ReadonlySet<string> = new Set();
  for (let skip = 0; ;) {
    const page = await onePage(reader.limits, (limit) => ask(skip, limit));
    yield { skip, ...page };
    skip += page.records.length;
    const ids = new Set(page.records.map(idOf));
    if ([...ids].every((id) => before.has(id)) || skip >= page.totalCount) return;
    before = ids;
  }
}

/** Asks for the first record alone. */
export async function glanceAt<T>(
  client: Client,
  call: PagedCall,
  { decode }: PagedRecords<T>,
  signal: AbortSignal,
): Promise<Glance> {
  const query = { ...call.query, skip: '0', limit: '1' };
  const { totalCount, records } = await client.call({ ...call, query, decode }, signal);
  return { totalCount, isEmpty: records.length === 0 };
}

/** Asks for one page. A refused size is halved, down to one record; the size that passes is kept to. */
async function onePage<T>(limits: KnownLimits, ask: (limit: number) => Promise<T>): Promise<T> {
  const most = limits.pageSize;
  for (let limit = most; ; limit = Math.ceil(limit / 2)) {
    try {
      const page = await ask(limit);
      if (limit < most) limits.keepTo({ pageSize: limit });
      return page;
    } catch (error) {
      if (!isRefusal(error) || limit === 1) throw error;
    }
  }
}

/**
 * Decodes `{total_count, KEY: [...]}`. A missing count is an error: without it nothing shows whether the list
 * is complete.
 */
export function decodePage<T>(
  key: string,
  decode: (record: unknown) => T,
): (result: unknown) => Omit<Page<T>, 'skip'> {
  return (result) => {
    const page = objectOf(result, 'the page');
    const totalCount = countOrNull(page['total_count']);
    if (totalCount === null) throw new ShapeError('total_count is missing');
    return { totalCount, records: listOf(page[key], key).map(decode) };
  };
}
