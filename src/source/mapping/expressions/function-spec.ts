import { wordsOf } from '../../../domain/errors.ts';
import { EvaluationError } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';
import type { LocalTime } from '../../../domain/text/local-time.ts';

/** Tables of `lookup`, by name. */
export type LookupTables = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** What functions work with. */
export interface Tools {
  readonly tables: LookupTables;
  /** Names of joined sources: what they have is read as `NAME.COLUMN`. */
  readonly joined: ReadonlySet<string>;
  /** Clock of days and times that name no zone. */
  readonly local: LocalTime;
  /** The moment of the read that is being evaluated, ms. */
  readonly clock: { at: number };
  /** Set if moments have come by then, as birthdays have. */
  readonly isPast?: boolean;
}

/** A function got an empty text in place of a moment or a number. If the result would be one, it is empty as well. */
export class EmptyInput extends EvaluationError {
  /** @param call as it is called: `date()` */
  constructor(call: string) {
    super(`${call} of an empty text has no value; if that means no, write NAME != '' && …`);
  }
}

/** Type of a value in CEL. */
type CelType = 'string' | 'int' | 'bool' | 'list<string>' | 'google.protobuf.Timestamp';

export interface Example {
  readonly expr: string;
  /** Raw record: values by name. */
  readonly record: Readonly<Record<string, string | readonly string[]>>;
  /** Result as texts; of a list each value. */
  readonly gives: string | readonly string[];
}

/** One function of expressions: the row of the documentation, and what it does. */
export interface FunctionSpec {
  /** How it is called, for readers. */
  readonly usage: string;
  readonly about: string;
  readonly example: Example;
  /** Types of the arguments, for each way to call it. */
  readonly takes: readonly (readonly CelType[])[];
  readonly gives: CelType;
  /** Whether it is also called on its first argument: `text.lower()`. `cel`: CEL has that already. */
  readonly method: boolean | 'cel';
  /** Checks of arguments that have to be texts written in the expression: what is wrong, `null` if nothing. */
  readonly written?: Readonly<Record<number, (text: string, tools: Tools) => string | null>>;
  readonly make: (tools: Tools) => (...args: never[]) => unknown;
}

/** Returns the same specs, checked, with their names kept. */
export function specs<const T extends Readonly<Record<string, FunctionSpec>>>(table: T): T {
  return table;
}

const MAX_PATTERN = 500;

/** Length of the longest text that `matches` looks at: its time grows with the length of text and pattern. */
export const MAX_MATCHED = 10_000;

/** Length of the longest text that `regexReplace` changes: its time grows with the square of the length. */
export const MAX_REPLACED = 1_000;

const compiled = new Map<string, RE2JS>();

/**
 * Returns the pattern, compiled once; patterns are written in the configuration, so they are few. JavaScript's
 * own regular expressions backtrack: `(a+)+$` on 40 characters would block the daemon for hours. RE2, which is
 * what CEL prescribes, takes time in proportion to the length of the text.
 */
export function patternOf(text: string): RE2JS {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const pattern = RE2JS.compile(text);
  compiled.set(text, pattern);
  return pattern;
}

/** Returns what is wrong with a pattern, `null` if nothing. */
export function patternProblem(text: string): string | null {
  const pattern = `the pattern ${JSON.stringify(text)}`;
  if (text.length > MAX_PATTERN) return `the pattern is longer than ${MAX_PATTERN} characters`;
  if (/\((?:\?<?[=!])|\\[1-9]/u.test(text))
    return `${pattern} uses a back-reference or look-around, which RE2 does not have`;
  try {
    patternOf(text);
    return null;
  } catch (error) {
    const reason = wordsOf(error);
    return `${pattern} is no regular expression (${reason})`;
  }
}
