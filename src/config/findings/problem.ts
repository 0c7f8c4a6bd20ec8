import { counted } from '../../domain/text/counted.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { Finding, Path } from '../../schema/raw.ts';

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A finding with its place in the file. */
export interface Problem extends Finding {
  readonly place: Place;
}

/** Returns a path as text, such as `people.fields.positions[0].unit`. */
export function showPath(path: Path): string {
  return path
    .map((key, depth) => (typeof key === 'number' ? `[${key}]` : `${depth === 0 ? '' : '.'}${key}`))
    .join('');
}

/** Returns one error with all problems of one file, in the order of the file. */
export function configError(file: string, problems: readonly Problem[]): ConfigError {
  const lines = [...problems].toSorted(byPlace).map(showProblem);
  return new ConfigError([`${file}: ${counted(lines.length, 'problem')}`, ...new Set(lines)]);
}

function byPlace(a: Problem, b: Problem): number {
  return a.place.line - b.place.line || a.place.column - b.place.column;
}

function showProblem({ path, place, wrong, remedy, problem = 'config-conflict' }: Problem): string {
  const where = path.length === 0 ? '' : `${showPath(path)}: `;
  return `  ${place.line}:${place.column}  ${where}${wrong}; ${remedy} [${problem}]`;
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
