import type { Field, Fields } from '../terms/field.ts';
import type { Operation } from '../terms/operation.ts';
import { partsOf } from '../terms/paths.ts';
import { checkSimple, checkValue } from './check-fields.ts';
import { fromText } from './kinds.ts';
import type { Problem } from './problem.ts';

/** A request before it is sent, or as it came. */
export interface CheckedRequest {
  /** Variable parts of the path, decoded. */
  readonly parts: Readonly<Record<string, string>>;
  /** Without `access_token`. */
  readonly query: Readonly<Record<string, string>>;
  /** Parsed JSON, where the operation takes JSON; `undefined`: no body. */
  readonly body?: unknown;
  /** Fields of the form beside the file, where the operation takes a form. */
  readonly form?: Readonly<Record<string, string>>;
}

/** Servers that tidy paths take these for steps, also where they are escaped. */
const STEPS: ReadonlySet<string> = new Set(['.', '..']);

/** Returns everything in which a request differs from the operation's row. */
export function checkRequest(row: Operation, request: CheckedRequest): readonly Problem[] {
  const parts = partsOf(row.path).filter((name) => (request.parts[name] ?? '') === '');
  return [
    ...parts.map((name) => ({ place: `path ${name}`, text: 'is required' })),
    ...partsOf(row.path)
      .filter((name) => STEPS.has(request.parts[name] ?? ''))
      .map((name) => ({
        place: `path ${name}`,
        text: 'is a step of a path: another operation would be asked',
      })),
    ...checkTexts(request.query, row.query, 'query'),
    ...checkBody(row, request),
  ];
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
  if (text === undefined || text === '')
    return field.required === true ? [{ place, text: 'is required' }] : [];
  if (field.kind === 'record' || field.kind === 'list' || field.kind === 'map') return [];
  return checkSimple(fromText(text, field), field, place);
}
