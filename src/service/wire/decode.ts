import type { FieldValue } from '../../domain/records/fields.ts';

export type WireObject = Readonly<Record<string, unknown>>;

/** An answer whose shape is not as the interface says. The message names the part, never a value. */
export class ShapeError extends Error {}

export function isObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
