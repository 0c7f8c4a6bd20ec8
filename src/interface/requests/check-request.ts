import type { Field, Fields } from '../terms/field.ts';
import type { Operation } from '../terms/operation.ts';
import { TWINS } from '../terms/twins.ts';
import { checkSimple, checkValue } from './check-fields.ts';
import { checkPath } from './check-path.ts';
import type { CheckedRequest } from './checked-request.ts';
import { fromText } from './kinds.ts';
import type { Problem } from './problem.ts';

/** Returns everything in which a request differs from the operation's row. */
export function checkRequest(row: Operation, request: CheckedRequest): readonly Problem[] {
  return [
    ...checkPath(row.path, request),
    ...checkTexts(request.query, row.query, 'query'),
    ...checkBody(row, request),
    ...contradictions(request),
    ...unsupported(row, request),
  ];
}

/** Returns where one parameter has two values: under both of its spellings, or in the query and the form. */
function contradictions({ query, form = {} }: CheckedRequest): readonly Problem[] {
  const pairs = [
    ...TWINS.map(([one, other]) => [one, query[one], `query ${other}`, query[other]] as const),
    ...Object.keys(query).map((name) => [name, query[name], `form ${name}`, form[name]] as const),
  ];
  return pairs.flatMap(([name, value, elsewhere, other]) =>
    value === undefined || other === undefined || value === other
      ? []
      : [{ place: `query ${name}`, text: `is ${value}, and ${elsewhere} is ${other}` }],
  );
}

function unsupported({ supported }: Operation, { query }: CheckedRequest): readonly Problem[] {
  if (supported === undefined) return [];
  const [from, to] = supported.of.map((name) => (query[name] ?? '').toLowerCase());
  if (from === undefined || to === undefined || from === '' || to === '') return [];
  const goesTo = Object.hasOwn(supported.pairs, from) ? (supported.pairs[from] ?? []) : [];
  const text = `is ${to}, which is unsupported for ${from}`;
  return goesTo.includes(to) ? [] : [{ place: `query ${supported.of[1]}`, text }];
}

function checkBody({ body }: Operation, request: CheckedRequest): readonly Problem[] {
  if (body.kind === 'form') return checkTexts(request.form ?? {}, body.fields, 'form');
  if (body.kind === 'none')
    return request.body === undefined ? [] : [{ place: 'body', text: 'is not taken' }];
  if (request.body === undefined) return [{ place: 'body', text: 'is required' }];
  return checkValue(request.body, body.of, 'body');
}

type Texts = Readonly<Record<string, string>>;

function checkTexts(texts: Texts, fields: Fields, where: string): readonly Problem[] {
  const unknown = Object.keys(texts).filter((name) => !Object.hasOwn(fields, name));
  return [
    ...unknown.map((name) => ({ place: `${where} ${name}`, text: 'is not in the interface' })),
    ...Object.entries(fields).flatMap(([name, field]) => checkText(texts[name], field, `${where} ${name}`)),
  ];
}

function checkText(text: string | undefined, field: Field, place: string): readonly Problem[] {
  if (text === undefined || text === '') return checkEmpty(text, field, place);
  if (field.kind === 'record' || field.kind === 'list' || field.kind === 'map') return [];
  return checkSimple(fromText(text, field), field, place);
}

function checkEmpty(text: string | undefined, field: Field, place: string): readonly Problem[] {
  if (field.required === true) return [{ place, text: 'is required' }];
  const { mayBeEmpty = field.kind === 'text' && field.values === undefined } = field;
  return text === undefined || mayBeEmpty ? [] : [{ place, text: 'is empty: leave it out' }];
}
