import { Environment, type ParseResult } from '@marcbachmann/cel-js';

import { namesIn, type ExpressionNames } from './expression-names.ts';
import { MAX_MATCHED_VALUE } from './pattern.ts';
import { registerNumerals, withStrictNumbers } from './strict-numbers.ts';
import { allValues, firstValue, type RawRecord, type Slots } from './raw-record.ts';

/** A CEL expression over a raw record: every name exists, as text; see the contract, "Fields". */
export interface Expression {
  /** Slots that the expression reads. */
  readonly slots: readonly number[];
  /** Returns the result as texts; throws an {@link EvaluationProblem} that says why there is none. */
  evaluate(raw: RawRecord): readonly string[];
}

/** An expression that failed on one record. */
export class EvaluationProblem extends Error {}

interface Input {
  readonly name: string;
  readonly slot: number;
}

/** Parses and type-checks once; throws the error in the text as cel-js or `namesIn` words it. */
export function compileExpression(text: string, slots: Slots): Expression {
  const names = namesIn(new Environment(OPTIONS).parse(text).ast);
  const environment = environmentOf(names);
  const written = environment.parse(text);
  const check = written.check();
  if (!check.valid) throw check.error ?? new Error('does not pass the type check');
  const parsed = environment.parse(withStrictNumbers(written.ast));
  const inputs = (set: ReadonlySet<string>): readonly Input[] =>
    [...set].map((name) => ({ name, slot: slots.slotOf(name) }));
  const [firsts, lists] = [inputs(names.firsts), inputs(names.lists)];
  const context = names.matches ? boundedContext(firsts, lists) : contextOf(firsts, lists);
  return {
    slots: [...firsts, ...lists].map((input) => input.slot),
    evaluate: (raw) => toTexts(run(parsed, context(raw))),
  };
}

/** Options of cel-js. Mixed lists are allowed, since all inputs are texts. */
const OPTIONS = { unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false } as const;

function environmentOf(names: ExpressionNames): Environment {
  const environment = new Environment({ ...OPTIONS, unlistedVariablesAreDyn: false });
  registerNumerals(environment);
  environment.registerVariable('all', 'map<string, list<string>>');
  for (const name of names.firsts) {
    if (!environment.hasVariable(name)) environment.registerVariable(name, 'string');
  }
  return environment;
}

type Context = Record<string, unknown>;

function contextOf(firsts: readonly Input[], lists: readonly Input[]): (raw: RawRecord) => Context {
  return (raw) => {
    const context: Context = {};
    for (const { name, slot } of firsts) context[name] = firstValue(raw.cells[slot]) ?? '';
    if (lists.length > 0) {
      const all: Context = {};
      for (const { name, slot } of lists) all[name] = allValues(raw.cells[slot]);
      context['all'] = all;
    }
    return context;
  };
}

/**
 * Returns the context of a record for `matches()`; throws where a value is longer than that may see, see
 * `patternProblem`.
 */
function boundedContext(firsts: readonly Input[], lists: readonly Input[]): (raw: RawRecord) => Context {
  const context = contextOf(firsts, lists);
  return (raw) => {
    for (const { name, slot } of [...firsts, ...lists]) {
      if (allValues(raw.cells[slot]).some((value) => value.length > MAX_MATCHED_VALUE)) {
        throw new EvaluationProblem(
          `${name} is longer than the ${MAX_MATCHED_VALUE} characters matches() may see`,
        );
      }
    }
    return context(raw);
  };
}

function run(parsed: ParseResult, context: Context): unknown {
  try {
    return parsed(context) as unknown;
  } catch (error) {
    throw new EvaluationProblem(summaryOf(error), { cause: error });
  }
}

/** Returns the summary of an error: cel-js repeats the expression below its message. */
export function summaryOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'summary' in error && typeof error.summary === 'string' ? error.summary : error.message;
}

function toTexts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(toTexts);
  if (typeof value === 'string') return [value];
  if (value === null || value === undefined) return [];
  if (typeof value === 'boolean' || typeof value === 'bigint' || typeof value === 'number')
    return [String(value)];
  if (value instanceof Date) return [value.toISOString()];
  throw new EvaluationProblem('its result is neither text, number, boolean, timestamp nor a list of them');
}
