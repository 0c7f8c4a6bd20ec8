import type { WireObject, WireValue } from './wire-value.ts';

/** Thrown where the text is no JSON. */
export class WireSyntaxError extends Error {
  override readonly name = 'WireSyntaxError';
}

interface Cursor {
  readonly text: string;
  at: number;
}

const BLANKS = /[\t\n\r ]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"[^"\\]*(?:\\[^][^"\\]*)*"/y;
const LITERALS: readonly (readonly [string, WireValue])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * Parses JSON and keeps every digit: JSON.parse rounds integers above 2^53, and the service's identifiers are
 * such integers.
 */
export function parseWire(text: string): WireValue {
  const cursor = { text, at: 0 };
  const value = parseValue(cursor);
  skipBlanks(cursor);
  if (cursor.at < text.length) throw unexpected(cursor);
  return value;
}

function parseValue(cursor: Cursor): WireValue {
  skipBlanks(cursor);
  const first = cursor.text[cursor.at];
  if (first === '{') return parseObject(cursor);
  if (first === '[') return parseList(cursor);
  if (first === '"') return parseString(cursor);
  const literal = parseLiteral(cursor);
  return literal === undefined ? parseNumber(cursor) : literal;
}

function parseObject(cursor: Cursor): WireObject {
  const entries: [string, WireValue][] = [];
  cursor.at += 1;
  if (accept(cursor, '}')) return {};
  do {
    skipBlanks(cursor);
    const key = parseString(cursor);
    expect(cursor, ':');
    entries.push([key, parseValue(cursor)]);
  } while (accept(cursor, ','));
  expect(cursor, '}');
  return Object.fromEntries(entries);
}

function parseList(cursor: Cursor): readonly WireValue[] {
  const items: WireValue[] = [];
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
    throw new WireSyntaxError(`a string that ends at ${cursor.at} is no JSON string`, { cause });
  }
}

/** Parses a literal; `undefined` where there is none, since `null` is one of the values. */
function parseLiteral(cursor: Cursor): WireValue | undefined {
  const found = LITERALS.find(([word]) => cursor.text.startsWith(word, cursor.at));
  if (found === undefined) return undefined;
  cursor.at += found[0].length;
  return found[1];
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

function unexpected(cursor: Cursor): WireSyntaxError {
  const found = cursor.text[cursor.at];
  return new WireSyntaxError(`unexpected ${found ?? 'end'} at ${cursor.at}`);
}
