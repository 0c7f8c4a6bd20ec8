import type { Json, JsonObject } from '../json.ts';

/** Thrown if a text is no JSON, or JSON that two readers may take for two things. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/** Arrays and objects in one another: more than any body has, and few enough for every reader. */
const MOST_LEVELS = 1_000;

interface Cursor {
  readonly text: string;
  at: number;
  level: number;
}

const BLANKS = /[\t\n\r ]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"[^"\\]*(?:\\[^][^"\\]*)*"/y;
const LITERALS: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * Parses the JSON of a request and keeps every digit: JSON.parse rounds integers above 2^53, and the service's
 * identifiers are such integers. Refuses a name that an object has twice, since what is checked would not be what is
 * read. Throws a JsonSyntaxError, which quotes no value.
 */
export function parseJson(text: string): Json {
  const cursor = { text, at: 0, level: 0 };
  const value = parseValue(cursor);
  skipBlanks(cursor);
  if (cursor.at < text.length) throw unexpected(cursor);
  return value;
}

function parseValue(cursor: Cursor): Json {
  skipBlanks(cursor);
  const first = cursor.text[cursor.at];
  if (first === '{' || first === '[') return parseNested(cursor, first === '{' ? parseObject : parseList);
  if (first === '"') return parseString(cursor);
  const literal = parseLiteral(cursor);
  return literal === undefined ? parseNumber(cursor) : literal;
}

function parseNested(cursor: Cursor, parse: (cursor: Cursor) => Json): Json {
  cursor.level += 1;
  if (cursor.level > MOST_LEVELS) throw new JsonSyntaxError(`it is nested deeper than ${MOST_LEVELS} levels`);
  const value = parse(cursor);
  cursor.level -= 1;
  return value;
}

function parseObject(cursor: Cursor): JsonObject {
  const entries: [string, Json][] = [];
  cursor.at += 1;
  if (accept(cursor, '}')) return {};
  do {
    skipBlanks(cursor);
    const key = parseString(cursor);
    expect(cursor, ':');
    entries.push([key, parseValue(cursor)]);
  } while (accept(cursor, ','));
  expect(cursor, '}');
  const object = Object.fromEntries(entries);
  if (Object.keys(object).length < entries.length) throw duplicateNames(entries.map(([name]) => name));
  return object;
}

function duplicateNames(names: readonly string[]): JsonSyntaxError {
  const twice = names.find((name, index) => names.indexOf(name) < index);
  return new JsonSyntaxError(`${JSON.stringify(twice)} is given twice in one object`);
}

function parseList(cursor: Cursor): readonly Json[] {
  const items: Json[] = [];
  cursor.at += 1;
  if (accept(cursor, ']')) return items;
  do items.push(parseValue(cursor));
  while (accept(cursor, ','));
  expect(cursor, ']');
  return items;
}

function parseString(cursor: Cursor): string {
  const token = match(cursor, STRING);
  if (token === undefined) throw unexpected(cursor);
  try {
    const text: string = JSON.parse(token);
    return text;
  } catch (cause) {
    throw new JsonSyntaxError(`a string that ends at ${cursor.at} is no JSON string`, { cause });
  }
}

/** Parses a literal; `undefined` where there is none, since `null` is one of the values. */
function parseLiteral(cursor: Cursor): Json | undefined {
  const literal = LITERALS.find(([word]) => cursor.text.startsWith(word, cursor.at));
  if (literal === undefined) return undefined;
  cursor.at += literal[0].length;
  return literal[1];
}

function parseNumber(cursor: Cursor): number | bigint {
  const token = match(cursor, NUMBER);
  if (token === undefined) throw unexpected(cursor);
  const value = Number(token);
  return /^-?\d+$/.test(token) && !Number.isSafeInteger(value) ? BigInt(token) : value;
}

function match(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const token = pattern.exec(cursor.text)?.[0];
  cursor.at += token?.length ?? 0;
  return token;
}

function skipBlanks(cursor: Cursor): void {
  match(cursor, BLANKS);
}

function accept(cursor: Cursor, sign: string): boolean {
  skipBlanks(cursor);
  if (cursor.text[cursor.at] !== sign) return false;
  cursor.at += 1;
  return true;
}

function expect(cursor: Cursor, sign: string): void {
  if (!accept(cursor, sign)) throw unexpected(cursor);
}

function unexpected(cursor: Cursor): JsonSyntaxError {
  const found = cursor.text[cursor.at];
  return new JsonSyntaxError(`unexpected ${found === undefined ? 'end' : 'character'} at ${cursor.at}`);
}
