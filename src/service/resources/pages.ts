import type { Glance, ListLimits, Page } from '../../domain/ports/service.ts';
import type { ServiceSettings } from '../../domain/settings.ts';
import type { Call } from '../calls/call.ts';
import type { Client } from '../calls/client.ts';
import { isRefusal } from '../calls/verdict.ts';
import { countOrNull, listOf, objectOf, ShapeError } from '../wire/decode.ts';

export type PagedCall = Omit<Call<unknown>, 'decode'>;

export interface PageReader {
  readonly client: Client;
  readonly limits: KnownLimits;
}

type PageOf<T> = Omit<Page<T>, 'skip'>;

/** How to read the records of a list and to tell them apart. */
interface PagedRecords<T> {
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
  const fetch = (skip: number, limit: number): Promise<PageOf<T>> => {
    const query = { ...call.query, skip: String(skip), limit: String(limit) };
    return reader.client.call({ ...call, query, decode }, signal);
  };
  let before: ReadonlySet<string> = new Set();
  for (let skip = 0; ;) {
    const page = await onePage(reader.limits, (limit) => fetch(skip, limit));
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
async function onePage<T>(limits: KnownLimits, fetch: (limit: number) => Promise<T>): Promise<T> {
  const most = limits.pageSize;
  for (let limit = most; ; limit = Math.ceil(limit / 2)) {
    try {
      const page = await fetch(limit);
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

type Settings = Pick<ServiceSettings['limits'], 'pageSize' | 'namesPerQuery'>;

/** A question for employees: how many names it has, and how many bytes its URL has. */
export interface QuestionSize {
  readonly names: number;
  readonly urlBytes: number;
}

/**
 * What servers and proxies take at least; below 4,000 bytes, so that a renewed token may be somewhat longer.
 */
const FIRST: QuestionSize = { names: 200, urlBytes: 3900 };
/** One more name may not have fitted into a URL that has this share of what it may have. */
const NEARLY = 0.9;
/** A question has room for one name more. */
const WITNESS = 1;
/** Most servers take lines of 8 kB, and hardly any takes more. */
const LONGEST_URL_BYTES = 7800;

/**
 * How much is asked for at once. The interface shows no limits: it starts with what nearly every service
 * takes, tries twice as much if a question was taken that was as long as it may be, and if the service
 * refuses something, uses what has passed.
 */
export class KnownLimits {
  readonly #settings: Settings;
  #passed: ListLimits = {};
  /** The longest question that was read whole, or `FIRST`. */
  #accepted = FIRST;
  #tried = FIRST;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Returns the limits that were found out; empty while nothing was refused. */
  get learned(): ListLimits {
    return this.#passed;
  }

  get pageSize(): number {
    return Math.min(this.#settings.pageSize, this.#passed.pageSize ?? Infinity);
  }

  get namesPerQuery(): number {
    return Math.min(this.#settings.namesPerQuery, this.#tried.names, this.#passed.namesPerQuery ?? Infinity);
  }

  get urlBytes(): number {
    return Math.min(LONGEST_URL_BYTES, this.#tried.urlBytes, this.#passed.urlBytes ?? Infinity);
  }

  /** Notes that the service has read all of a question: if it was as long as it may be, a longer one is tried next. */
  accept({ names, urlBytes }: QuestionSize): void {
    this.#accepted = {
      names: Math.max(this.#accepted.names, names),
      urlBytes: Math.max(this.#accepted.urlBytes, urlBytes),
    };
    this.#tried = {
      names: names + WITNESS >= this.namesPerQuery ? 2 * names : this.#tried.names,
      urlBytes: urlBytes >= this.urlBytes * NEARLY ? 2 * urlBytes : this.#tried.urlBytes,
    };
  }

  /** Returns whether a question is longer than any that was taken. */
  isTrial({ names, urlBytes }: QuestionSize): boolean {
    return names > this.#accepted.names || urlBytes > this.#accepted.urlBytes;
  }

  /** Notes that a longer question than before was not taken: no longer ones are tried any more. */
  triedTooMuch({ names, urlBytes }: QuestionSize): void {
    if (names > this.#accepted.names) this.keepTo({ namesPerQuery: this.#accepted.names });
    if (urlBytes > this.#accepted.urlBytes) this.keepTo({ urlBytes: this.#accepted.urlBytes });
  }

  /** Notes that this much passed, now or earlier, and that more was refused. */
  keepTo(limits: ListLimits): void {
    const names = ['pageSize', 'namesPerQuery', 'urlBytes'] as const;
    const lower = names.flatMap((name) => {
      const value = limits[name];
      return value === undefined ? [] : [[name, Math.min(value, this.#passed[name] ?? value)]];
    });
    this.#passed = { ...this.#passed, ...Object.fromEntries(lower) };
  }
}
