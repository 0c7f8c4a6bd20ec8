import { Environment, EvaluationError, type ParseResult } from '@marcbachmann/cel-js';

import type { ConfigError } from '../../../domain/errors.ts';
import { isoIn, localTime, type LocalTime } from '../../../domain/text/local-time.ts';
import { allValues, Unknown, type Columns, type RawRecord, type Value } from '../values/raw-record.ts';
import { EmptyInput, type LookupTables, type Tools } from './function-spec.ts';
import {
  namesIn,
  NOW,
  OPTIONS,
  runEnvironment,
  writtenEnvironment,
  type ExpressionNames,
} from './environment.ts';
import { explainError, explainFailure } from './expression-error.ts';
import { rewritten } from './rewrite.ts';

/** A CEL expression over a raw record: every name exists, as text; see docs/sources/expressions.md. */
export interface Expression {
  /** Names of the columns that the expression reads. */
  readonly reads: readonly string[];
  /** Those of which it reads one value alone. */
  readonly singles: readonly string[];
  /** Type of its result, in words of CEL. */
  readonly type: string;
  /** Returns the result as texts; throws an {@link EvaluationProblem} that says why there is none. */
  evaluate(raw: RawRecord): readonly string[];
}

/** An expression that failed on one record; `place` is where in the expression, if that is known. */
export class EvaluationProblem extends Error {
  readonly place: string | null;

  constructor(reason: string, place: string | null, cause?: unknown) {
    super(reason, { cause });
    this.place = place;
  }
}

/** An expression that cannot be used at all. Its message has the place in it, and what to do. */
export class UnusableExpression extends Error {}

/** A name as the expression has it, and that of the column. */
interface Input {
  readonly name: string;
  readonly column: string;
}

type ExpressionContext = Record<string, unknown>;

/** Longest result of one expression, all its values together: a picture in an attribute is not longer. */
const MAX_RESULT = 16_000_000;

function thrown(problem: ConfigError): void {
  throw problem;
}

/** If the word is a text or a part of a name, records are decoded more often than needed. */
const READS_CLOCK = new RegExp(`\\b${NOW}\\b`, 'u');

/** Stands for an expression that was refused: the source that it belongs to is never opened. */
const NEVER_EVALUATED: Expression = { reads: [], singles: [], type: 'dyn', evaluate: () => [] };

/** Compiles the expressions of one source. */
export class ExpressionCompiler {
  readonly #tools: Tools;
  readonly #report: (problem: ConfigError) => void;
  #readsClock = false;

  /**
   * @param joined names of joined sources
   * @param report what becomes of expressions that cannot be used; without it each is thrown at once
   * @param timezone IANA name of the zone of days and times that name none
   */
  constructor(
    tables: LookupTables = new Map(),
    joined: ReadonlySet<string> = new Set(),
    report?: (problem: ConfigError) => void,
    timezone = 'UTC',
  ) {
    const local = localTime(timezone);
    this.#tools = { tables, joined, local, clock: { at: 0 } };
    this.#report = report ?? thrown;
  }

  /** What decides about results besides expressions and records, as a text; `null`: the time does. */
  get alsoDecides(): string | null {
    return this.#readsClock
      ? null
      : JSON.stringify([this.local.zone, [...this.#tools.tables].map(([name, of]) => [name, [...of]])]);
  }

  /** Clock of days and times that name no zone. */
  get local(): LocalTime {
    return this.#tools.local;
  }

  /** Reports an expression that cannot be used; if that returns, the rest is compiled for its own mistakes. */
  refuse(problem: ConfigError): Expression {
    this.#report(problem);
    return NEVER_EVALUATED;
  }

  /**
   * Parses and type-checks once; throws an {@link UnusableExpression}.
   *
   * @param past whether its two-digit years lie in the past
   */
  compile(text: string, columns: Columns, { past = false }: { readonly past?: boolean } = {}): Expression {
    this.#readsClock ||= READS_CLOCK.test(text);
    try {
      return compiled(text, columns, { ...this.#tools, isPast: past });
    } catch (error) {
      const { place, reason, remedy } = explainError(error, text);
      const where = place === null ? '' : `, ${place}`;
      const message = `the expression ${JSON.stringify(text)}${where}: ${reason}${reason.endsWith('?') ? '' : '.'}`;
      throw new UnusableExpression(remedy === null ? message : `${message} ${remedy}.`, { cause: error });
    }
  }
}

function compiled(text: string, columns: Columns, tools: Tools): Expression {
  const names = namesIn(new Environment(OPTIONS).parse(text).ast, tools);
  const written = writtenEnvironment(names, tools).parse(text);
  const check = written.check();
  if (!check.valid) throw check.error ?? new Error('does not pass the type check');
  const type = check.type ?? 'dyn';
  const run = runner(text, written, { names, columns, tools, mayBeEmpty: MAY_BE_EMPTY.has(type) });
  const inputs = [...names.firsts, ...names.lists, ...joinedNames(names)];
  return {
    reads: inputs.map((name) => columns.nameOf(name)),
    singles: singlesIn(names).map((name) => columns.nameOf(name)),
    type,
    evaluate: (raw) => textsOf(run(raw), tools.local),
  };
}

interface Compiling {
  readonly names: ExpressionNames;
  readonly columns: Columns;
  readonly tools: Tools;
  /** Whether an empty input makes the result empty, and is no failure. */
  readonly mayBeEmpty: boolean;
}

/** Results of these types are empty if an input is; conditions, and texts that may depend on one, are unknown. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['google.protobuf.Timestamp', 'int', 'uint', 'double']);

function runner(
  text: string,
  written: ParseResult,
  { names, columns, tools, mayBeEmpty }: Compiling,
): (raw: RawRecord) => unknown {
  const executed = rewritten(written.ast, tools.local.zone);
  const parsed = runEnvironment(names, tools).parse(executed.text);
  const context = contextOf(names, columns);
  return (raw) => {
    try {
      tools.clock.at = raw.at.getTime();
      return parsed(context(raw)) as unknown;
    } catch (error) {
      if (mayBeEmpty && error instanceof EmptyInput) return null;
      const { place, reason } = explainFailure(error, text, executed.originOf);
      throw new EvaluationProblem(reason, place, error);
    }
  };
}

/** Returns the names of which an expression never reads the list. */
const singlesIn = (names: ExpressionNames): readonly string[] =>
  [...names.firsts, ...joinedNames(names)].filter((name) => !names.lists.has(name));

/** Returns the names of values of joined sources as rules write them: `hr.dept`. */
const joinedNames = ({ joined }: ExpressionNames): readonly string[] =>
  [...joined].flatMap(([source, names]) => [...names].map((name) => `${source}.${name}`));

function contextOf(names: ExpressionNames, columns: Columns): (raw: RawRecord) => ExpressionContext {
  const inputs = (set: ReadonlySet<string>): readonly Input[] =>
    [...set].map((name) => ({ name, column: columns.nameOf(name) }));
  const [firsts, lists] = [inputs(names.firsts), inputs(names.lists)];
  const joined = [...names.joined].map(([source, of]) => ({
    source,
    inputs: [...of].map((name) => ({ name, column: columns.nameOf(`${source}.${name}`) })),
  }));
  return (raw) => {
    // Without a prototype nothing is reachable but the record.
    const context: ExpressionContext = { __proto__: null, [NOW]: raw.at };
    const first: ReadColumn = (value, name) => columns.first(value, name, raw.place) ?? '';
    fill(context, { inputs: firsts, raw, read: first });
    if (lists.length > 0) context['all'] = allOf(lists, raw);
    for (const { source, inputs: of } of joined)
      context[source] = fill({ __proto__: null }, { inputs: of, raw, read: first });
    return context;
  };
}

type ReadColumn = (value: Value, name: string) => unknown;

interface Filling {
  readonly inputs: readonly Input[];
  readonly raw: RawRecord;
  readonly read: ReadColumn;
}

/**
 * Puts the values under their names. Reading an unknown one is an error, which `&&` and `||` absorb if their other
 * side decides: `false && unknown` is false.
 */
function fill(context: ExpressionContext, { inputs, raw, read }: Filling): ExpressionContext {
  for (const { name, column } of inputs) {
    const value = raw.values.get(column);
    if (!(value instanceof Unknown)) context[name] = read(value, column);
    else Object.defineProperty(context, name, { enumerable: true, get: () => failUnknown(name) });
  }
  return context;
}

/** Returns the lists as a map, in which any name is a key; an object alone can tell that one is unknown. */
function allOf(inputs: readonly Input[], raw: RawRecord): unknown {
  const isKnown = !inputs.some(({ column }) => isUnknown(raw, column));
  if (isKnown) return new Map(inputs.map(({ name, column }) => [name, allValues(raw.values.get(column))]));
  return fill({ __proto__: null }, { inputs, raw, read: allValues });
}

const isUnknown = ({ values }: RawRecord, name: string): boolean => values.get(name) instanceof Unknown;

function failUnknown(name: string): never {
  throw new EvaluationError(`${name} is unknown`);
}

function textsOf(value: unknown, local: LocalTime): readonly string[] {
  const texts = toTexts(value, local);
  if (!texts.every((text) => text.isWellFormed()))
    throw new EvaluationProblem(
      'its result ends or begins within a character, of which substring counts two',
      null,
    );
  let length = 0;
  for (const text of texts) length += text.length;
  if (length <= MAX_RESULT) return texts;
  throw new EvaluationProblem(
    `its result is longer than ${MAX_RESULT.toLocaleString('en')} characters`,
    null,
  );
}

function toTexts(value: unknown, local: LocalTime): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => toTexts(one, local));
  if (typeof value === 'string') return [value];
  if (value === null || value === undefined) return [];
  if (typeof value === 'boolean' || typeof value === 'bigint' || typeof value === 'number')
    return [String(value)];
  if (value instanceof Date) return [isoIn(local, value.getTime())];
  const what = 'its result is neither text, number, boolean, timestamp nor a list of them';
  throw new EvaluationProblem(what, null);
}
