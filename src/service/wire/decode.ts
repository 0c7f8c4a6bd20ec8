import type { OrganizationImportAnswer } from '../../domain/ports/service.ts';
import type { Fields, FieldValue } from '../../domain/records/fields.ts';
import { isObject } from '../../interface/json.ts';
import { parseLossless } from '../../lib/parse-lossless.ts';

export type WireObject = Readonly<Record<string, unknown>>;

/** An answer whose shape is not as the interface says. The message names the part, never a value. */
export class ShapeError extends Error {}

export function objectOf(value: unknown, what: string): WireObject {
  if (!isObject(value)) throw new ShapeError(`${what} is not an object`);
  return value;
}

export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ShapeError(`${what} is not a list`);
  return value as readonly unknown[];
}

/** Returns text or a number as text; `null` for anything else, and for empty text. */
export function textOrNull(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : null;
}

/** Returns an identifier, text or number, as text. */
export function idOf(value: unknown, what: string): string {
  const id = textOrNull(value);
  if (id === null) throw new ShapeError(`${what} is missing`);
  return id;
}

export function countOrNull(value: unknown): number | null {
  const count = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** Reads a field; `undefined`: not shown, or not in a readable form. */
export type FieldDecoder = (value: unknown) => FieldValue | null | undefined;

export const shownText: FieldDecoder = (value) =>
  typeof value === 'number' ? String(value) : typeof value === 'string' || value === null ? value : undefined;

export const shownInteger: FieldDecoder = (value) => {
  const text = shownText(value);
  return typeof text === 'string' && !/^-?\d+$/.test(text) ? undefined : text;
};

export const shownBoolean: FieldDecoder = (value) => {
  if (value === 'true' || value === 'false') return value === 'true';
  return typeof value === 'boolean' || value === null ? value : undefined;
};

export const shownIntegers: FieldDecoder = (value) => {
  if (value === null || !Array.isArray(value)) return value === null ? null : undefined;
  const items = value.map(shownInteger);
  return items.every((item) => typeof item === 'string') ? items : undefined;
};

/** One shown field: its key in the answer, our name for it, and how to read it. */
export type ShownField = readonly [key: string, name: string, decode: FieldDecoder];

/** Returns the fields that this record shows; a key that is missing or cannot be read is not shown. */
export function decodeFields(record: WireObject, shown: readonly ShownField[]): Fields {
  const fields: Record<string, FieldValue | null> = {};
  for (const [key, name, decode] of shown) {
    const value = decode(record[key]);
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

/** Envelope of an answer (interface, convention 4). */
export interface Envelope {
  readonly status: number;
  readonly message: string;
  readonly result: unknown;
}

/** What a body without an envelope is, for the sentence about it. */
export type BodyKind =
  | 'nothing'
  | 'HTML'
  | 'JSON without a status'
  | 'JSON that is nested too deeply'
  | 'JSON that is cut off or broken'
  | 'text';

/** Arrays and objects in one another: more than any tree of organizations has, and few enough for every reader. */
const MOST_LEVELS = 1_000;

/** Returns the envelope in a body, or what the body is instead. An envelope has an integer `status`. */
export function readEnvelope(body: string): Envelope | BodyKind {
  const start = body.trimStart();
  if (start === '') return 'nothing';
  if (start.startsWith('<')) return 'HTML';
  try {
    return envelopeOf(parseLossless(body));
  } catch {
    return /^[\uFEFF]?[[{]/.test(start) ? 'JSON that is cut off or broken' : 'text';
  }
}

function envelopeOf(value: unknown): Envelope | BodyKind {
  if (!isObject(value) || !Number.isSafeInteger(value['status'])) return 'JSON without a status';
  if (isDeeper(value, MOST_LEVELS)) return 'JSON that is nested too deeply';
  const { status, message, result } = value;
  return { status: status as number, message: typeof message === 'string' ? message : '', result };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const name in value) if (isDeeper((value as WireObject)[name], levels - 1)) return true;
  return false;
}

/** The answer `{successes, failures}` of both imports (interface), as pairs in the order of the answer. */
export type ImportMaps = OrganizationImportAnswer;

/**
 * Decodes the answer of an import. Never throws, because the import is done; what cannot be read is in
 * neither map and has to be read back.
 */
export function decodeImport(result: unknown, clean: (words: string) => string): ImportMaps {
  const maps = isObject(result) ? result : {};
  const failures = pairsOf(maps['failures']);
  return {
    successes: pairsOf(maps['successes']),
    failures: failures.map(([key, reason]) => [key, clean(reason)]),
  };
}

function pairsOf(map: unknown): readonly (readonly [string, string])[] {
  if (!isObject(map)) return [];
  return Object.entries(map).map(([key, value]) => [key, textOrNull(value) ?? JSON.stringify(value)]);
}
