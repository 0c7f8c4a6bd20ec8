import type { Field, Fields } from '../field.ts';
import { FROM_CONFIG, partsOf, TWINS, type Operation } from '../operation.ts';
import { OPERATIONS } from '../operations/operations.ts';
import { checkSimple, checkValue, fromText, IS_UNKNOWN, type Problem } from './check-fields.ts';

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
    ...unknown.map((name) => ({ place: `${where} ${name}`, text: IS_UNKNOWN })),
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

/** A request before it is sent, or as it came. */
export interface CheckedRequest {
  /** Variable parts of the path, decoded. */
  readonly parts: Readonly<Record<string, string>>;
  /** The organization's own code: it may have any letters, and leads nowhere else. */
  readonly orgCode?: string | undefined;
  /** Without `access_token`. */
  readonly query: Readonly<Record<string, string>>;
  /** Parsed JSON, where the operation takes JSON; `undefined`: no body. */
  readonly body?: unknown;
  /** Fields of the form besides the file, if the operation takes a form. */
  readonly form?: Readonly<Record<string, string>>;
}

type Steps = readonly string[];

/** Paths of all operations, of the older interface too. */
const PATHS: readonly Steps[] = Object.values(OPERATIONS).flatMap(({ path, older }: Operation) =>
  older === undefined ? [stepsOf(path)] : [stepsOf(path), stepsOf(older)],
);

/** Servers that tidy paths take these for steps, also where they are escaped. */
const STEPS: ReadonlySet<string> = new Set(['.', '..']);

/**
 * Returns which variable parts of a path are missing, or could make it the path of another operation. That
 * may happen if a server reads escaped signs as slashes. Method and case do not matter.
 */
function checkPath(
  path: string,
  { parts, orgCode }: Pick<CheckedRequest, 'parts' | 'orgCode'>,
): readonly Problem[] {
  const names = partsOf(path);
  const missing = names.filter((name) => (parts[name] ?? '') === '');
  if (missing.length > 0) return missing.map((name) => ({ place: `path ${name}`, text: 'is required' }));
  const stepping = names.filter((name) => stepsOf(parts[name] ?? '').some((step) => STEPS.has(step)));
  if (stepping.length > 0)
    return stepping.map((name) => ({
      place: `path ${name}`,
      text: 'is a step of a path: another operation would be asked',
    }));
  const pattern = stepsOf(path);
  const filled = stepsOf(
    path.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
      Object.hasOwn(FROM_CONFIG, name) && parts[name] === orgCode ? 'own' : (parts[name] ?? ''),
    ),
  );
  const conflict = PATHS.find((one) => covers(one, filled) && !covers(one, pattern));
  if (conflict === undefined) return [];
  return [{ place: `path ${names.join(', ')}`, text: `would ask another operation: /${conflict.join('/')}` }];
}

/** Returns whether a path with variable parts has these steps as one of its cases. */
function covers(path: Steps, steps: Steps): boolean {
  if (path.length !== steps.length) return false;
  return path.every((step, index) => step.startsWith('{') || step === steps[index]?.toLowerCase());
}

/** Splits a path, or a part of one, as far as a server can: unescaped until nothing is escaped. */
function stepsOf(text: string): Steps {
  const decoded = unescaped(text);
  return decoded === text ? text.split(/[/\\]/u).filter((step) => step !== '') : stepsOf(decoded);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the names of all parameters that an operation takes: in the path, the query, the form. */
export function namesOf({ path, query, body }: Operation): readonly string[] {
  const form = body.kind === 'form' ? Object.keys(body.fields) : [];
  return [...new Set([...partsOf(path), ...Object.keys(query), ...form])];
}
