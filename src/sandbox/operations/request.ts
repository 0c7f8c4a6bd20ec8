import { isUtf8 } from 'node:buffer';
import type { Field, Fields, MembersOf } from '../../interface/field.ts';
import { isObject, type Json, type JsonObject } from '../../interface/json.ts';
import type { Operation as Row } from '../../interface/operation.ts';
import {
  checkValue,
  fromText,
  IS_NULL,
  IS_UNKNOWN,
  type Problem,
} from '../../interface/requests/check-fields.ts';
import type { OperationName } from '../../interface/operations/operations.ts';
import { checkMeaning } from '../../interface/requests/check-meaning.ts';
import { checkRequest } from '../../interface/requests/check-request.ts';
import { JsonSyntaxError, parseJson } from '../../interface/requests/parse-json.ts';
import { invalid, Refused, type FormFile, type Service } from './operation.ts';

/** One call whose operation is known, as it came. */
export interface Call {
  readonly name: OperationName;
  readonly row: Row;
  /** The variable parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Buffer;
}

/** A call that its row allows. */
export interface CheckedCall {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Json | undefined;
  readonly file: FormFile | undefined;
}

/**
 * Reads a call. Throws Refused where the row of its operation does not allow it: values of another type, missing ones
 * and, unless `lenient`, parameters or fields that the interface does not have. Items of an import are left to
 * {@link importEach}: a wrong one is refused alone.
 */
export async function readCall(call: Call, lenient: boolean): Promise<CheckedCall> {
  const { row, params, query } = call;
  const form = row.body.kind === 'form' ? await readForm(call, row.body) : undefined;
  const body = form === undefined ? readBody(call) : undefined;
  const twice = [...query.keys()].find((name) => query.getAll(name).length > 1);
  if (twice !== undefined) throw invalid(`query ${twice} is given twice`);
  const { access_token: _, ...texts } = Object.fromEntries(query);
  const fields = form === undefined ? {} : { ...namedFile(row, texts, form), ...form.fields };
  // Another code than the organization's own was refused before.
  const orgCode = params['code'] ?? params['org_code'];
  const checked = { parts: params, orgCode, query: texts, form: fields };
  if (!takesItems(row))
    refuse(
      [...checkRequest(row, { ...checked, body }), ...checkMeaning(call.name, { ...checked, body })],
      lenient,
    );
  else refuse(checkRequest({ ...row, body: { kind: 'none' } }, checked), lenient);
  if (takesItems(row) && !Array.isArray(body)) throw invalid('a JSON array is expected');
  const types = row.body.kind === 'form' ? { ...row.query, ...row.body.fields } : row.query;
  return { params, query: valuesOf(types, { ...texts, ...fields }), body, file: form?.file };
}

/** "filename" may stand in the query, among the fields of the form, or as the name of the part. */
function namedFile({ body }: Row, texts: Texts, { file }: Form): Texts {
  const isNamed = body.kind === 'form' && Object.hasOwn(body.fields, 'filename');
  return isNamed ? { filename: texts['filename'] ?? file.name } : {};
}

type Texts = Readonly<Record<string, string>>;

/** Returns the values of texts, with defaults; an empty text is none. */
function valuesOf(fields: Fields, texts: Texts): CheckedCall['query'] {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, valueOf(texts[name] ?? '', field)]),
  );
}

function valueOf(text: string, field: Field): unknown {
  if (text === '') return field.default;
  const value = 'of' in field || 'fields' in field ? text : fromText(text, field);
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Reads the JSON of a call (interface: Conventions, 3). */
function readBody({ body, contentType }: Call): Json | undefined {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw invalid('the call is not UTF-8');
  if (!/^application\/json\b/i.test(contentType)) throw invalid('Content-Type is not application/json');
  try {
    return parseJson(body.toString());
  } catch (cause) {
    if (cause instanceof JsonSyntaxError) throw invalid(`the body is no JSON: ${cause.message}`);
    throw cause;
  }
}

export function isForm(contentType: string): boolean {
  return /^multipart\/form-data\b/i.test(contentType);
}

interface Form {
  readonly fields: Texts;
  readonly file: FormFile;
}

/** Takes a form with one file apart. Throws Refused for one that cannot be read, such as that its end is missing. */
async function readForm({ contentType, body }: Call, { part }: { readonly part: string }): Promise<Form> {
  if (!isForm(contentType)) throw invalid('Content-Type is not multipart/form-data');
  const parts = [...(await parseForm(contentType, body))];
  const texts = parts.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  const twice = texts.find(([name], index) => texts.findIndex(([other]) => other === name) < index);
  if (twice !== undefined) throw invalid(`the form cannot be read: field ${twice[0]} is given twice`);
  const [file, ...others] = parts.flatMap(([name, value]) =>
    typeof value === 'string' ? [] : [{ name, value }],
  );
  if (others.length > 0) throw invalid('the form has more than one file');
  if (file?.name !== part) throw invalid(`the form has no file under "${part}"`);
  const { name, type } = file.value;
  return {
    fields: Object.fromEntries(texts),
    file: { name, type, bytes: Buffer.from(await file.value.arrayBuffer()) },
  };
}

async function parseForm(contentType: string, body: Buffer): Promise<FormData> {
  try {
    const headers = { 'Content-Type': contentType };
    return await new Response(new Uint8Array(body), { headers }).formData();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalid(`the form cannot be read: ${reason}`);
  }
}

/** Returns whether the body is a list of items, each of which is taken or refused alone. */
export function takesItems({ body }: Row): boolean {
  return body.kind === 'json' && body.of.kind === 'list';
}

/** Refuses a value that its field does not allow. */
function requireField(value: Json | undefined, field: Field, { lenient }: Service): void {
  refuse(checkValue(value, field, 'body'), lenient);
}

/** Refuses the first problem. What a service makes of `null` is not shown: `sync.clear: null` sends it. */
function refuse(problems: readonly Problem[], lenient: boolean): void {
  const problem = problems.find(({ text }) => text !== IS_NULL && !(lenient && text === IS_UNKNOWN));
  if (problem !== undefined) throw invalid(`${problem.place.replace(/^body\./u, '')} ${problem.text}`);
}

interface ImportSteps<F> {
  /** Takes an item that its row allows; returns the key and the value of its success. */
  readonly take: (item: MembersOf<F>) => readonly [key: string, value: Json];
  /** Returns the key under which a refused item is reported; `undefined`: it has none. */
  readonly keyOf: (item: JsonObject) => string | undefined;
}

/** Imports each item on its own, in the given order: a refused one does not stop the next. */
export function importEach<F extends Field>(
  service: Service,
  row: F,
  items: readonly Json[],
  steps: ImportSteps<F>,
): JsonObject {
  const { maxBatch, keysLower } = service.readings;
  requireAtMost(maxBatch, items.length, 'the number of records');
  const successes: [string, Json][] = [];
  const failures: [string, Json][] = [];
  const spell = (key: string): string => (keysLower ? key.toLowerCase() : key);
  for (const [index, item] of items.entries()) {
    try {
      requireField(item, row, service);
      const [key, value] = steps.take(item as MembersOf<F>);
      successes.push([spell(key), value]);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const key = isObject(item) ? steps.keyOf(item) : undefined;
      failures.push([spell(key ?? `[${index}]`), error.message]);
    }
  }
  return { successes: Object.fromEntries(successes), failures: Object.fromEntries(failures) };
}

/** Refuses more than `most` items; 0 allows any number. */
export function requireAtMost(most: number, count: number, what: string): void {
  if (most > 0 && count > most) throw invalid(`${what} is ${count}, and at most ${most}`);
}

/** Returns the page of a list: `skip` is 0 and `limit` 10 by default (interface: Limits). */
export function pageOf<T>(
  list: readonly T[],
  { skip = 0, limit = 10 }: { readonly skip?: number | undefined; readonly limit?: number | undefined },
  { pageCap, maxLimit }: Service['readings'],
): readonly T[] {
  requireAtMost(maxLimit, limit, 'limit');
  return list.slice(skip, skip + (pageCap > 0 ? Math.min(limit, pageCap) : limit));
}

/** Returns an identifier as a string, whether it came as one or as a number of any size. */
export function identifier(value: string | number | bigint | null | undefined): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : String(value);
}

/** Splits a comma-separated list, without its blanks and empty parts. */
export function commaList(text = ''): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

/*
 * The sandbox has no dictionary of pinyin: letters stand for themselves, so that the fields are there and
 * can be searched.
 */

export function pinyin(name: string): string {
  return name.toLowerCase().replaceAll(/\s+/g, '');
}

export function initials(name: string): string {
  const words = name.toLowerCase().split(/\s+/);
  return words.map((word) => word.slice(0, 1)).join('');
}
