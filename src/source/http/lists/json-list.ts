import { printable } from '../../../domain/text/printable.ts';
import { digest } from '../../../lib/digest.ts';
import { isObject } from '../../../lib/parse-lossless.ts';
import type { JsonAnswer, JsonClient, Question } from '../json-client.ts';
import { countOf, fieldReader, pointed } from '../json-path.ts';
import { changed, incomplete, RefusedAnswer } from '../problems.ts';
import { pagerOf, totalIn, type JsonPage, type JsonStep, type Pager, type Pages } from './paging.ts';
import type { Given, KeyedRecord, PagedList } from './read-list.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** A request as the settings have it. */
export interface AskedPath {
  readonly get?: string | undefined;
  readonly post?: string | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: Parameters | undefined;
}

/** What proves that a list is whole, besides how it ends. */
export interface Complete {
  /** Another question, whose answer is the number of records. */
  readonly count?: (AskedPath & { readonly at?: string | undefined }) | undefined;
  /** Keys of records that have to be there. */
  readonly has?: readonly string[] | undefined;
  /** Why the list is whole although nothing shows it. */
  readonly trust?: string | undefined;
}

export interface ListAsk extends AskedPath {
  /** JSON Pointer to the list in an answer; absent: the answer is the list. */
  readonly items?: string | undefined;
  /** Path of the field that tells records apart; absent: the whole record does. */
  readonly key?: string | undefined;
  /** Names of fields that the server leaves out where they are empty: if no record has one, it is empty. */
  readonly sparse: readonly string[];
  readonly pages: Pages;
  readonly complete: Complete;
}

/** Statuses of a server that has nothing behind the end of a list. */
const NOTHING_THERE: ReadonlySet<number> = new Set([400, 404, 416, 422]);

/** As many characters of an answer without a list are shown. */
const SHORT = 200;

/** Returns the path of a question as messages have it: without the query, in which a token may stand. */
export const nameOf = ({ get, post = '' }: AskedPath): string =>
  (get ?? post).replace(/[?#].*$/u, '').replace(/^\/+/u, '');

/** A list of JSON records, as the settings describe it. */
export class JsonList implements PagedList<JsonStep, JsonPage> {
  readonly name: string;
  readonly first: JsonStep;
  readonly #ask: ListAsk;
  readonly #client: JsonClient;
  readonly #url: string;
  readonly #pager: Pager;
  /** Number of records before the first page was asked for. */
  #countBefore: number | null = null;
  readonly #keyOf: (record: unknown) => readonly string[];

  /** @param url address of the server */
  constructor(ask: ListAsk, client: JsonClient, url: string) {
    this.name = nameOf(ask);
    this.#ask = ask;
    this.#client = client;
    this.#url = url;
    this.#pager = pagerOf(ask.pages, this.name);
    this.first = this.#pager.first;
    const read = ask.key === undefined ? null : fieldReader(ask.key);
    this.#keyOf = (record) => (read === null ? [digest(JSON.stringify(record))] : read(record).texts);
  }

  /** Returns what names a record for a person: its key, if it has one. */
  labelOf(record: unknown): string {
    return this.#ask.key === undefined ? '' : printable(this.#keyOf(record)[0] ?? '');
  }

  async ask(step: JsonStep, given: Given): Promise<JsonPage> {
    // Who goes while pages are asked for is counted no more at the end.
    if (step === this.first) this.#countBefore = await this.#count();
    return this.#page(step, given, this.#size);
  }

  next(step: JsonStep, page: JsonPage, given: Given): JsonStep | null {
    return this.#pager.next(step, page, given);
  }

  async prove(given: Given): Promise<string> {
    const { count, has = [], trust } = this.#ask.complete;
    this.#requireAll(has, given);
    if (given.total !== null && given.total !== given.size)
      throw changed(this.name, `its total is ${given.total}, and ${given.size} came`);
    const proofs = [
      ...(this.#pager.endsEmpty ? ['an empty page'] : []),
      ...(given.total === null ? [] : [`total ${given.total.toLocaleString('en')}`]),
      ...(count === undefined ? [] : [await this.#counted(given.size)]),
      ...(has.length === 0 ? [] : ['has all of complete.has']),
      ...(trust === undefined ? [] : [`trusted: ${trust}`]),
    ];
    const hasProof = count !== undefined || trust !== undefined;
    const shown =
      this.#pager.endsEmpty || this.#ask.pages === 'none' ? [] : await this.#seenMore(given, hasProof);
    return `${this.#pager.style}: ${[...shown, ...proofs].join(', ')}`;
  }

  #requireAll(has: readonly string[], given: Given): void {
    const lacks = has.find((key) => !given.has(key));
    if (lacks === undefined) return;
    throw incomplete(
      this.name,
      `${printable(lacks)} of complete.has is not in it; check what the account may see`,
    );
  }

  get #size(): Readonly<Record<string, number>> {
    const { pages } = this.#ask;
    return pages === 'none' ? {} : (pages.size ?? {});
  }

  async #page(step: JsonStep, given: Given, size: Readonly<Record<string, number>>): Promise<JsonPage> {
    const question = this.#question(this.#ask, { ...size, ...step.parameters }, step.link);
    const { url } = question;
    const isBehind = this.#pager.endsEmpty && given.size > 0;
    const answer = await this.#client.ask(question).catch((error: unknown): JsonAnswer => {
      const isEnd = isBehind && given.size === given.total;
      if (isEnd && error instanceof RefusedAnswer && NOTHING_THERE.has(error.status))
        return { value: undefined, headers: {}, date: null };
      throw error;
    });
    if (answer.value === undefined && isBehind) return { records: [], total: given.total, answer, url };
    const total = totalIn(this.#ask.pages, answer.value, this.name);
    return { records: this.#recordsIn(answer), total, answer, url };
  }

  #question(asked: AskedPath, parameters: Parameters, link: string | null = null): Question {
    const url = new URL(link ?? this.#url + (asked.get ?? asked.post ?? ''));
    const isPost = asked.post !== undefined;
    const inQuery = link === null ? { ...asked.query, ...(isPost ? {} : parameters) } : {};
    for (const [name, value] of Object.entries(inQuery)) url.searchParams.set(name, String(value));
    // Servers of OData take %20 for a blank (RFC 3986), and not all of them a plus sign.
    if (link === null) url.search = url.search.replaceAll('+', '%20');
    const body = isPost ? JSON.stringify({ ...asked.body, ...parameters }) : null;
    return { url: url.href, name: nameOf(asked), body };
  }

  #recordsIn({ value }: JsonAnswer): readonly KeyedRecord[] {
    const { items = '', key = 'key' } = this.#ask;
    const list = pointed(value, items);
    if (!Array.isArray(list)) throw this.#noList(value);
    return list.map((record: unknown) => {
      if (!isObject(record)) throw incomplete(this.name, 'a record is no object; check items');
      const keys = this.#keyOf(record);
      const [own = ''] = keys;
      if (keys.length === 1 && own !== '') return { key: own, record };
      throw incomplete(
        this.name,
        `a record has ${keys.length > 1 ? 'several values' : 'no value'} at ${key}; check key`,
      );
    });
  }

  #noList(value: unknown): Error {
    const text = JSON.stringify(value) ?? 'nothing';
    const names = isObject(value)
      ? `an object with ${Object.keys(value).slice(0, 9).join(', ')}`
      : 'another value';
    const what = text.length > SHORT ? `: it is ${printable(names)}` : this.#client.shown(text);
    return incomplete(this.name, `the answer has no list at ${this.#ask.items ?? 'its top'}${what}`);
  }

  /** Asks for the number of records; `null`: the settings have no question for it. */
  async #count(): Promise<number | null> {
    const { count } = this.#ask.complete;
    if (count === undefined) return null;
    const question = this.#question(count, {});
    const { value } = await this.#client.ask(question);
    const number = countOf(pointed(value, count.at ?? ''));
    if (number !== null) return number;
    throw incomplete(
      question.name,
      `the answer has no number at ${count.at ?? 'its top'}; check complete.count`,
    );
  }

  async #counted(size: number): Promise<string> {
    const number = [this.#countBefore, await this.#count()].find((one) => one !== size);
    if (number !== undefined) throw changed(this.name, `complete.count is ${number}, and ${size} came`);
    return `count ${size.toLocaleString('en')}`;
  }

  /** Returns what shows that the server says when more follows. Throws a SourceError if nothing does. */
  async #seenMore(given: Given, hasProof: boolean): Promise<readonly string[]> {
    if (given.hasSeenMore) return ['the last page names none that follows'];
    if (hasProof || given.size < 2) return ['one page'];
    const smallest = Object.fromEntries(Object.keys(this.#size).map((name) => [name, 1]));
    const page = await this.#page(this.first, given, smallest);
    this.#pager.next(this.first, page, given);
    if (given.hasSeenMore) return ['one page; with one record to a page the server names those that follow'];
    throw incomplete(
      this.name,
      `${given.size} records came in one page, and the server never says that more follow, even if it is asked for one ` +
        'record; give complete.count, or complete.trust with the reason why you know that all came',
    );
  }
}
