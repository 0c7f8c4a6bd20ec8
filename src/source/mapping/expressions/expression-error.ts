import { suggest } from '../../../lib/suggest.ts';
import { ExpressionProblem } from './environment.ts';
import { USAGES } from './functions.ts';

/** What is wrong with an expression, for the author of the configuration. */
interface Explained {
  /** `column 7`, or `line 2, column 7`; `null`: not known. */
  readonly place: string | null;
  readonly reason: string;
  /** What to do, as a sentence of its own; `null`: nothing is known. */
  readonly remedy: string | null;
}

const TEXT =
  "Every value is text: compare with quotes, as in status == 'left' && mail != '', and convert with int(…)";

/** What to do about errors of one kind, by their code in cel-js. */
const REMEDIES: Readonly<Record<string, string>> = {
  no_such_overload: TEXT,
  invalid_logical_operand: "&& and || take conditions, as in mail != ''; texts are joined with +",
  invalid_comprehension_range: 'Lists are all.NAME and the results of split, map and filter',
  cannot_index_type: 'A value is text and has no parts: all.NAME[0], and split(…)[0] have',
  invalid_escape_sequence: String.raw`Write a backslash of a text twice, as in '\\d'`,
  limit_exceeded: 'Divide it, or put what it decides into a table of lookups',
};

/** Explains the error of an expression that cannot be compiled. */
export function explainError(error: unknown, expression: string): Explained {
  const at = offsetOf(error);
  const place = at === null ? null : placeIn(expression, at);
  if (error instanceof ExpressionProblem) return { place, reason: error.message, remedy: null };
  const code = codeOf(error);
  const called = code === 'no_matching_overload' ? calledIn(summaryOf(error)) : null;
  if (called !== null) return { place, ...callHint(called) };
  return { place, reason: summaryOf(error), remedy: (code === null ? null : REMEDIES[code]) ?? TEXT };
}

/** Explains the error of an evaluation; `originOf` tells where in the expression as it was written. */
export function explainFailure(
  error: unknown,
  expression: string,
  originOf: (offset: number) => number,
): Pick<Explained, 'place' | 'reason'> {
  const at = offsetOf(error);
  const place = at === null ? null : placeIn(expression, originOf(at));
  return { place, reason: summaryOf(error) };
}

function placeIn(expression: string, at: number): string {
  const before = expression.slice(0, at).split('\n');
  const column = `column ${(before.at(-1)?.length ?? 0) + 1}`;
  return before.length === 1 ? column : `line ${before.length}, ${column}`;
}

function offsetOf(error: unknown): number | null {
  if (error instanceof ExpressionProblem) return error.at;
  const range: unknown = error instanceof Error && 'range' in error ? error.range : undefined;
  const hasStart = typeof range === 'object' && range !== null && 'start' in range;
  return hasStart && typeof range.start === 'number' ? range.start : null;
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Returns the name of the function that an error of cel-js is about. */
function calledIn(summary: string): string | null {
  return /for '(?:.*\.)?(?<name>\w+)\(/u.exec(summary)?.groups?.['name'] ?? null;
}

/** Returns the summary of an error: cel-js repeats the expression below its message. */
function summaryOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'summary' in error && typeof error.summary === 'string' ? error.summary : error.message;
}

/** Says what is wrong with the call of a function that cannot be called so. */
function callHint(name: string): Omit<Explained, 'place'> {
  const usage = USAGES.get(name);
  if (usage !== undefined) return { reason: `${name}() is called as ${usage}`, remedy: TEXT };
  const near = suggest(name, [...USAGES.keys()]);
  const where = 'docs/sources/expressions.md has all functions';
  const hint = near === undefined ? where : `did you mean ${USAGES.get(near) ?? near}?`;
  return { reason: `there is no ${name}(); ${hint}`, remedy: null };
}
