import type { ConfigProblem } from './config-problems.ts';

/** Keys and indexes that lead from the top of a file to a value. */
export type Path = readonly (string | number)[];

/** One thing that is wrong. Neither sentence ever holds the value of a secret. */
export interface Finding {
  /** Absent: `config-conflict`. */
  readonly problem?: ConfigProblem;
  /** Path to the value; empty: the whole. */
  readonly path: Path;
  readonly wrong: string;
  readonly remedy: string;
}

/** A mapping that nothing has checked yet. */
export type Raw = Readonly<Record<string, unknown>>;

/** Returns the value at a path of unchecked plain data; `undefined`: there is none. */
export function rawAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (isKeyed(inner) ? inner[key] : undefined), value);
}

/** Returns the paths that a path names in a value; `*` stands for each key of a mapping. */
export function pathsIn(value: unknown, path: Path): readonly Path[] {
  const at = path.indexOf('*');
  if (at < 0) return [path];
  const [before, after] = [path.slice(0, at), path.slice(at + 1)];
  const keys = Object.keys(asRaw(rawAt(value, before)));
  return keys.flatMap((key) => pathsIn(value, [...before, key, ...after]));
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

function isKeyed(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Returns whether the value is a mapping, and no list. */
export const isRaw = (value: unknown): value is Raw => isKeyed(value) && !Array.isArray(value);

/** Returns a mapping; an empty one in place of anything else. */
export const asRaw = (value: unknown): Raw => (isRaw(value) ? value : {});

/** Finds one of two keys without the other. */
export function halfAPair(
  raw: unknown,
  at: Path,
  [one, other]: readonly [string, string],
): readonly Finding[] {
  const isSet = (key: string): boolean => rawAt(raw, [...at, key]) !== undefined;
  if (isSet(one) === isSet(other)) return [];
  const [key, missing] = isSet(one) ? [one, other] : [other, one];
  return [
    { path: [...at, key], wrong: `stands without ${missing}`, remedy: `add ${missing}, or remove ${key}` },
  ];
}
