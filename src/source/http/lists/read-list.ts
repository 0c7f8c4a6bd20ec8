import { KeySet } from '../../../lib/digest.ts';
import { printable } from '../../../domain/text/printable.ts';
import { changed, incomplete } from '../problems.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

/** A record with what tells it from all others of its list. */
export interface KeyedRecord {
  readonly key: string;
  readonly record: JsonRecord;
}

export interface ListPage {
  readonly records: readonly KeyedRecord[];
  /** Number of records of the whole list; `null`: the server does not tell it. */
  readonly total: number | null;
}

/** What is asked for next. */
export interface Step {
  /** Whether the page has to begin with the last record of the page before. */
  readonly overlaps: boolean;
  /** As a message has it: `startIndex 201`. */
  readonly asked: string;
}

/** One list of a server: how its pages follow each other, and what proves that all of them came. */
export interface PagedList<S extends Step, P extends ListPage> {
  /** Its path in messages. */
  readonly name: string;
  readonly first: S;
  ask(step: S, given: Given): Promise<P>;
  /** Returns what is asked for after a page; `null`: the list has ended. */
  next(step: S, page: P, given: Given): S | null;
  /** Returns what proves that the list was whole. Throws a SourceError if nothing does. */
  prove(given: Given): Promise<string>;
}

/** How far the read of one list has come. */
export interface ListProgress {
  pages: number;
  /** What ended the read; `null`: it has not ended. */
  end: string | null;
}

/** No list has so many pages: a server that gives more of them never ends. */
const MOST_PAGES = 1_000_000;
/** No server gives so many empty pages one after the other. */
const MOST_EMPTY = 1_000;

/**
 * Yields the records of a list, page by page, each once. Throws a SourceError unless every record came: servers cap pages,
 * and a record that comes or goes meanwhile moves others across the edges of pages. Of keys only hashes are kept.
 */
export async function* readList<S extends Step, P extends ListPage>(
  list: PagedList<S, P>,
  progress: ListProgress,
): AsyncGenerator<readonly JsonRecord[]> {
  const given = new Given(list.name);
  let empty = 0;
  for (let step: S | null = list.first; step !== null;) {
    const page: P = await list.ask(step, given);
    const fresh = given.take(page, step);
    progress.pages += 1;
    empty = fresh.length === 0 ? empty + 1 : 0;
    if (empty > MOST_EMPTY || progress.pages > MOST_PAGES)
      throw incomplete(list.name, `it does not end after ${progress.pages.toLocaleString('en')} pages`);
    if (fresh.length > 0) yield fresh.map(({ record }) => record);
    step = list.next(step, page, given);
  }
  progress.end = await list.prove(given);
}

/** What a list has given so far. */
export class Given {
  readonly #list: string;
  readonly #keys = new KeySet();
  #firstPage: string | null = null;
  first = '';
  last = '';
  /** Number of records of the whole list, as every page tells it. */
  total: number | null = null;
  /** Records of the last page that had not come before. */
  fresh = 0;
  /** Whether a page said that more follow. */
  hasSeenMore = false;

  constructor(list: string) {
    this.#list = list;
  }

  get size(): number {
    return this.#keys.size;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Takes a page; returns its records that had not come before. Throws a SourceError if it does not follow what came. */
  take({ records, total }: ListPage, step: Step): readonly KeyedRecord[] {
    this.#requireTotal(total);
    const fresh = step.overlaps ? this.#behindLast(records, step) : records;
    this.#requireOther(records, step, fresh.length);
    for (const { key } of fresh) {
      if (!this.#keys.add(key))
        throw changed(
          this.#list,
          `${printable(key)} came twice: if it does so again, two records share their key`,
        );
      this.first ||= key;
      this.last = key;
    }
    if (this.total !== null && this.size > this.total)
      throw changed(this.#list, `its total is ${this.total}, and ${this.size} came`);
    this.fresh = fresh.length;
    return fresh;
  }

  #requireTotal(total: number | null): void {
    if (this.total !== null && total !== this.total)
      throw changed(this.#list, `its total was ${this.total} and is ${total ?? 'not told'}`);
    this.total = total;
  }

  /** Returns the records behind the last one that came, with which the page has to begin. */
  #behindLast(records: readonly KeyedRecord[], step: Step): readonly KeyedRecord[] {
    const [first, ...others] = records;
    if (first?.key === this.last) return others;
    this.#requireOther(records, step, records.length);
    if (first !== undefined)
      throw changed(
        this.#list,
        `${step.asked} has to begin with ${printable(this.last)}, the last record before it, and begins with ` +
          printable(first.key),
      );
    const what = `a page is empty after ${this.size}${this.total === null ? '' : ` of ${this.total}`}`;
    throw incomplete(this.#list, what, { isPassing: true });
  }

  /** Throws if the first page came again: a second read would bring it once more. */
  #requireOther(records: readonly KeyedRecord[], { asked }: Step, fresh: number): void {
    // Nearly every page begins with another record: its keys are not put together.
    if (this.#firstPage !== null && records[0]?.key !== this.first) return;
    const keys = JSON.stringify(records.map(({ key }) => key));
    if (fresh > 0 && keys === this.#firstPage)
      throw incomplete(
        this.#list,
        `was asked for ${asked}, and answers with the first page again: the server may ignore ${asked.split(' ')[0] ?? ''}; ask its vendor how it pages`,
      );
    this.#firstPage ??= keys;
  }
}

/** A step of a list that is asked for by the number of records before the page. */
export interface OffsetStep extends Step {
  readonly before: number;
}

/**
 * Returns the next step of such a list. Each page is asked for one record early: if it begins with another record than
 * the last one that came, records have moved. If nothing follows that record, the page behind it has to be empty as well.
 * @param asked returns how a message names a page, by the number of records before it
 */
export function nextByOffset(
  step: OffsetStep,
  given: Given,
  asked: (before: number) => string,
): OffsetStep | null {
  if (given.fresh === 0 && !step.overlaps) return null;
  const overlaps = given.fresh > 0;
  const before = given.size - (overlaps ? 1 : 0);
  return { overlaps, before, asked: asked(before) };
}
