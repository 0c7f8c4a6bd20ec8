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
export function configError(file: string, problems: readonly Problem[], cause?: unknown): ConfigError {
  const lines = [...problems].toSorted(byPlace).map(showProblem);
  const count = lines.length === 1 ? '1 problem' : `${lines.length} problems`;
  return new ConfigError([`${file}: ${count}`, ...new Set(lines)], { cause });
}

function byPlace(a: Problem, b: Problem): number {
  return a.place.line - b.place.line || a.place.column - b.place.column;
}

function showProblem({ path, place, wrong, remedy }: Problem): string {
  const where = path.length === 0 ? '' : `${showPath(path)}: `;
  return `  ${place.line}:${place.column}  ${where}${wrong}; ${remedy}`;
}
