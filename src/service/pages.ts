import type { Page } from '../domain/service.ts';
import type { Call } from './call.ts';
import type { Client } from './client.ts';
import { countOrNull, listOf, objectOf, ShapeError } from './wire/decode.ts';

/** The service may give fewer; it is not shown how many it gives at most. */
const PAGE_LIMIT = 1000;

export type PagedCall = Omit<Call<unknown>, 'decode'>;

/**
 * Interface, convention 6. `skip` advances by what came; ends at `total_count`, or at an empty page before it: then the
 * records are fewer than the page's `totalCount` says, and the view is not complete.
 */
export async function* pages<T>(
  client: Client,
  call: PagedCall,
  decode: (result: unknown) => Omit<Page<T>, 'skip'>,
  signal: AbortSignal,
): AsyncGenerator<Page<T>> {
  for (let skip = 0; ;) {
    const query = { ...call.query, skip: String(skip), limit: String(PAGE_LIMIT) };
    const page = await client.call({ ...call, query, decode }, signal);
    yield { skip, ...page };
    skip += page.records.length;
    if (page.records.length === 0 || skip >= page.totalCount) return;
  }
}

/** `{total_count, KEY: [...]}`. A missing count is an error: without it nothing tells whether the list is complete. */
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
