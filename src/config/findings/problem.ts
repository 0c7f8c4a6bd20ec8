import { ConfigError } from '../../domain/errors.ts';

/** Keys and indexes that lead from the top of the file to a value. */
export type Path = readonly (string | number)[];

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** One thing that is wrong with the file. Neither sentence ever holds the value of a secret. */
export interface Problem {
  /** Path to the value; empty: the file as a whole. */
  readonly path: Path;
  readonly place: Place;
  readonly wrong: string;
  readonly remedy: string;
}

/** A problem whose place in the file is not looked up yet. */
export type Finding = Omit<Problem, 'place'>;

/** Returns a path as text, such as `people.fields.positions[0].unit`. */
export function showPath(path: Path): string {
  return path
    .map((key, depth) => (typeof key === 'number' ? `[${key}]` : `${depth === 0 ? '' : '.'}${key}`))
    .join('');
}

/** Returns one error with all problems of one file, in the order of the file. */
export function configError(file: string, problems: readonly Problem[]): ConfigError {
  const lines = [...problems].toSorted(byPlace).map(showProblem);
  const count = lines.length === 1 ? '1 problem' : `${lines.length} problems`;
  return new ConfigError([`${file}: ${count}`, ...new Set(lines)]);
}

function byPlace(a: Problem, b: Problem): number {
  return a.place.line - b.place.line || a.place.column - b.place.column;
}

function showProblem({ path, place, wrong, remedy }: Problem): string {
  const where = path.length === 0 ? '' : `${showPath(path)}: `;
  return `  ${place.line}:${place.column}  ${where}${wrong}; ${remedy}`;
}

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
