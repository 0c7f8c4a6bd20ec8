import { isObject } from '../../lib/parse-lossless.ts';
import type { DraftValue } from '../../domain/draft.ts';
import type { JsonAnswer } from '../http/json-client.ts';
import { fieldReader, textOf } from '../http/json-path.ts';
import type { TableFacts } from '../init/table-facts.ts';

/** A value with its JSON Pointer. */
type Placed = readonly [at: string, value: unknown];
type Pages = Readonly<Record<string, DraftValue>>;
type Parameters = readonly (readonly [name: string, value: string])[];

/** Parameters of a query by which pages are asked for. */
export const PAGING = {
  size: /^\$?(?:limit|size|count|top|max|max_?results|per_?page|page_?size)$/iu,
  offset: /^\$?(?:offset|skip|first|from|start(?:_?(?:at|index))?)$/iu,
  page: /^page(?:_?(?:number|no|index))?$/iu,
};

/** What the first answer of a list shows. */
export type ListFacts = NonNullable<ReturnType<typeof surveyAnswer>>;

/**
 * Returns the longest list in an answer: its JSON Pointer, its records as a table, whose columns are the paths of what has
 * one value, and `pages` as far as something shows them. `null`: there is no list with records in it.
 * @param paging parameters of the question by which a page was asked for
 */
export function surveyAnswer({ value, headers }: JsonAnswer, name: string, paging: Parameters) {
  const all = placesIn(value);
  const lists = all.flatMap(([at, list]) => (isList(list) ? [{ at, list }] : []));
  const [longest] = lists.toSorted((one, other) => other.list.length - one.list.length);
  if (longest === undefined) return null;
  const { at, list } = longest;
  const isLinked = /\brel="?next\b/iu.test([headers['link']].flat().join());
  const seen = isLinked ? [...all, ['Link', '/'] as const] : all;
  return { at, table: tableOf(list, name), pages: pagesIn(seen, list.length, paging) };
}

const isList = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isObject(one));

function placesIn(value: unknown, at = ''): readonly Placed[] {
  if (!isObject(value)) return [[at, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    placesIn(inner, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

const isAddress = (value: unknown): boolean => /^(?:https?:\/\/|[/?])/u.test(textOf(value) ?? '');

function pagesIn(seen: readonly Placed[], records: number, paging: Parameters): Pages | null {
  const find = (name: RegExp, fits: (value: unknown) => boolean): string | undefined =>
    seen.find(([at, value]) => name.test(at) && fits(value))?.[0];
  const named = (name: RegExp, least = 0) =>
    paging.find(([one, value]) => name.test(one) && Number(value) >= least) ?? [];
  const [sizeName, number] = named(PAGING.size, 2);
  const size = sizeName === undefined ? {} : { size: { [sizeName]: Number(number) } };
  const next = find(/^Link$|next[^/]*(?:\/href)?$/iu, isAddress);
  if (next !== undefined) return { next, ...size };
  const cursor = find(
    /(?:next|cursor|page_?token|continuation)[^/]*$/iu,
    (value) => typeof value !== 'boolean' && (textOf(value) ?? '') !== '',
  );
  const more = find(/\/(?:has_?|is_?)?(?:more|next)[^/]*$/iu, (value) => typeof value === 'boolean');
  const param = cursor
    ?.replace(/^.*\/(?:next_?(?=.))?/isu, '')
    .replace(/^./u, (letter) => letter.toLowerCase());
  if (cursor !== undefined && param !== undefined)
    return { cursor, param, ...(more !== undefined && { more }), ...size };
  const total = find(/(?:total|count)(?!_?pages)[^/]*$/iu, (value) => Number(value) >= records);
  const style = (['page', 'offset'] as const).find((one) => named(PAGING[one]).length > 0);
  if (style === undefined || (style === 'offset' && sizeName === undefined)) return null;
  const [name = '', from] = named(PAGING[style]);
  return { [style]: name, from: Number(from), ...size, ...(total !== undefined && { total }) };
}

/** Returns the records as a table, without ids of what has a name as well: nobody knows a unit by them. */
function tableOf(records: readonly object[], name: string): TableFacts {
  const paths = new Set(records.flatMap((record) => pathsIn(record)));
  const isNamed = (path: string): boolean =>
    knownAs(path).endsWith('.id') && paths.has(path.replace(/id$/u, 'name'));
  const columns = [...paths].map((path) => {
    const read = fieldReader(path);
    const cells = records.map((record) => onlyOf(read(record).texts));
    return { name: path, quoted: path, known: knownAs(path), cells };
  });
  const telling = columns.filter((one) => one.cells.some((cell) => cell !== '') && !isNamed(one.name));
  return { name, quoted: name, columns: telling, rows: records.length, isWhole: false };
}

const onlyOf = ([first = '', ...others]: readonly string[]): string =>
  others.length > 0 ? '' : first.trim();

/** Keys that a path cannot name by dots. */
const UNNAMED = /[.[\]=]|^\//u;

/** Returns the paths of the values in a record, as `fields` name them. */
function pathsIn(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => pathsIn(one, path + selectorOf(one)));
  if (!isObject(value)) return textOf(value) === undefined ? [] : [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    UNNAMED.test(key) || (key === 'type' && path.endsWith(']'))
      ? []
      : pathsIn(inner, path === '' ? key : `${path}.${key}`),
  );
}

const selectorOf = (entry: unknown): string =>
  isObject(entry) && typeof entry['type'] === 'string' ? `[type=${entry['type']}]` : '';

/** Names of objects in a record that only hold what tells something. */
const HOLDERS =
  /^(?:|attributes|profile|personal|person|employee|user|work|contact|details|data|fields|value|info|type)$/iu;

/** Returns a path without such names: `attributes.email.value` is `email`. */
function knownAs(path: string): string {
  const words = path.split(/[.[\]=]/u).filter((word) => !HOLDERS.test(word));
  return words.length === 0 ? path : words.join('.');
}
