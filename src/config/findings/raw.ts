import type { Path } from './problem.ts';

/** Returns the value at a path of unchecked plain data; `undefined`: there is none. */
export function rawAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (isKeyed(inner) ? inner[key] : undefined), value);
}

/** Returns a copy with another value at a path that exists. */
export function withRaw(value: unknown, path: Path, replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (index === key ? withRaw(item, rest, replacement) : item));
  }
  return isKeyed(value) ? { ...value, [key]: withRaw(value[key], rest, replacement) } : value;
}

/** Returns the kind of a value in an administrator's words. */
export function kindOf(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return KINDS[typeof value] ?? 'something else';
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  object: 'a mapping',
};

function isKeyed(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Returns whether the value is a mapping, and no list. */
export function isMapping(value: unknown): boolean {
  return isKeyed(value) && !Array.isArray(value);
}
