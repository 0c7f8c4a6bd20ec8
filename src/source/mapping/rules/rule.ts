import { ConfigError } from '../../../domain/errors.ts';
import type { Reading, Refusal, Subject } from '../../../domain/records/records.ts';
import type { FieldRule } from '../../../domain/source-settings.ts';
import { printable } from '../../../domain/text/printable.ts';
import {
  EvaluationProblem,
  UnusableExpression,
  type Expression,
  type ExpressionCompiler,
} from '../expressions/expression.ts';
import {
  allValues,
  firstValue,
  Garbled,
  Unknown,
  type Cell,
  type Columns,
  type RawRecord,
  type Value,
} from '../values/raw-record.ts';

/** A rule, compiled once: how one field gets its values from a raw record. */
export interface Rule {
  /** Name of the field in the interface, for refusals. */
  readonly field: string;
  /** Names of the columns that the rule reads. */
  readonly reads: readonly string[];
  /** Returns the value, trimmed; of several see `Columns.first`; `undefined`: absent. */
  first(raw: RawRecord): string | undefined;
  /** Returns every value, trimmed and sorted. */
  all(raw: RawRecord): readonly string[];
  /** Returns the values of which `first` is one, without repetition; none if the record leaves no choice. */
  choices(raw: RawRecord): readonly string[];
  /**
   * Returns the first value also if names are unknown, as far as the others decide; throws a `FieldProblem` if
   * they do not.
   */
  decided(raw: RawRecord): string | undefined;
}

/** Place of a rule in the configuration, e.g. `source.people.fields` and `email`. */
export interface RulePlace {
  readonly path: string;
  readonly field: string;
  /** Whether the rule is for a secret: then its expression is never shown. */
  readonly secret?: boolean;
  /** Whether its two-digit years lie in the past. */
  readonly past?: boolean;
}

/** What rules of one part share while they are compiled. */
interface Compiling {
  readonly columns: Columns;
  readonly expressions: ExpressionCompiler;
}

export function compileRule(rule: FieldRule, place: RulePlace, compiling: Compiling): Rule {
  return noted(compileAny(rule, place, compiling), place, compiling);
}

/** Returns the rule of an expression that is compiled already. */
export function ruleOf(expression: Expression, place: RulePlace, compiling: Compiling): Rule {
  return noted(expressionRule(place, expression), place, compiling);
}

function noted(rule: Rule, place: RulePlace, { columns }: Compiling): Rule {
  columns.usedAt(pathOf(place), rule.reads);
  return rule;
}

function compileAny(rule: FieldRule, place: RulePlace, compiling: Compiling): Rule {
  if (typeof rule === 'string')
    return attributeRule(place.field, compiling.columns.nameOf(rule), compiling.columns);
  if ('const' in rule) return constantRule(place.field, String(rule.const));
  return expressionRule(place, compileExpression(rule.expr, place, compiling));
}

const pathOf = ({ path, field }: RulePlace): string => `${path}.${field}`;

/** Returns a value that the source tells; throws about one that is unknown, or bytes that are no text: they may be secret. */
function told(field: string, name: string, value: Value): Cell {
  if (value === undefined || typeof value === 'string') return value;
  if (value instanceof Unknown) throw new UnknownName(field, name, value.why);
  if (!(value instanceof Garbled)) return value;
  throw new FieldProblem(field, `${printable(name)} is no text in UTF-8: write it anew in the directory`);
}

/** Returns what is unknown of what a rule reads; `null`: nothing. */
export function unknownIn({ field, reads }: Rule, { values }: RawRecord): UnknownName | null {
  for (const name of reads) {
    const value = values.get(name);
    if (value instanceof Unknown) return new UnknownName(field, name, value.why);
  }
  return null;
}

/** Compiles an expression of the configuration; throws a `ConfigError` that names its place. */
export function compileExpression(
  text: string,
  place: RulePlace,
  { columns, expressions }: Compiling,
): Expression {
  try {
    return expressions.compile(text, columns, place);
  } catch (error) {
    if (!(error instanceof UnusableExpression)) throw error;
    const secret = 'the expression cannot be used; it is of a secret and not shown.';
    const why = place.secret === true ? secret : error.message;
    const details = place.secret === true ? {} : { cause: error };
    return expressions.refuse(new ConfigError(`${pathOf(place)}: ${why}`, details));
  }
}

const NO_CHOICE: readonly string[] = [];

const isSeveral = (value: Value): boolean => Array.isArray(value) && value.length > 1;

/** What a record has of which no rule can choose one that decides. */
export const CONTRADICTORY =
  'several values, which contradict each other: keep one of them, or read all.NAME in the rule';

/** Returns the texts without repetition; none if there is but one. */
function distinct(texts: readonly string[]): readonly string[] {
  const found = [...new Set(texts)];
  return found.length > 1 ? found : NO_CHOICE;
}

function attributeRule(field: string, name: string, columns: Columns): Rule {
  const cellOf = ({ values }: RawRecord): Cell => told(field, name, values.get(name));
  const first = (raw: RawRecord): string | undefined => columns.first(cellOf(raw), name, raw.place);
  return {
    field,
    reads: [name],
    first,
    all: (raw) => allValues(cellOf(raw)),
    choices: ({ values }) =>
      isSeveral(values.get(name)) ? distinct(allValues(values.get(name))) : NO_CHOICE,
    decided: (raw) => {
      if (raw.values.get(name) instanceof Unknown) throw new FieldProblem(field, 'is unknown');
      return first(raw);
    },
  };
}

function constantRule(field: string, value: string): Rule {
  const text = firstValue(value);
  const list = text === undefined ? [] : [text];
  return {
    field,
    reads: [],
    first: () => text,
    all: () => list,
    choices: () => NO_CHOICE,
    decided: () => text,
  };
}

function expressionRule(place: RulePlace, expression: Expression): Rule {
  const { field } = place;
  const { reads } = expression;
  const decided = (raw: RawRecord): readonly string[] => {
    for (const name of reads) {
      const value = raw.values.get(name);
      if (value instanceof Garbled) told(field, name, value);
    }
    return reading(place, () => expression.evaluate(raw));
  };
  const evaluate = (raw: RawRecord): readonly string[] => {
    for (const name of reads) told(field, name, raw.values.get(name));
    return reading(place, () => expression.evaluate(raw));
  };
  return {
    field,
    reads,
    first: (raw) => firstValue(evaluate(raw)),
    all: (raw) => allValues(evaluate(raw)),
    choices: (raw) => choicesOf(expression, raw),
    decided: (raw) => firstValue(decided(raw)),
  };
}

/** Returns what an expression gives for each of several values of a name of which it reads one. */
function choicesOf(expression: Expression, raw: RawRecord): readonly string[] {
  const { values } = raw;
  const several = expression.singles.filter((name) => isSeveral(values.get(name)));
  if (several.length === 0 && !expression.type.startsWith('list')) return NO_CHOICE;
  const variants = several.flatMap((name) =>
    allValues(values.get(name)).map((one) => new Map(values).set(name, one)),
  );
  return distinct([values, ...variants].flatMap((one) => valuesOf(expression, { ...raw, values: one })));
}

function valuesOf(expression: Expression, raw: RawRecord): readonly string[] {
  try {
    return allValues(expression.evaluate(raw));
  } catch (error) {
    if (error instanceof EvaluationProblem) return [];
    throw error;
  }
}

/** Returns the result of an evaluation; throws a `FieldProblem` if there is none. */
function reading<T>(place: RulePlace, evaluate: () => T): T {
  try {
    return evaluate();
  } catch (error) {
    if (!(error instanceof EvaluationProblem)) throw error;
    const at = error.place === null ? '' : ` at ${error.place}`;
    throw new FieldProblem(place.field, `the expression failed${at} of ${pathOf(place)}: ${error.message}`);
  }
}

/** Returns the same rule, but its failures show nothing of the record: it reads a secret. */
export function hushed(rule: Rule): Rule {
  const hush = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof FieldProblem) || error instanceof UnknownName) throw error;
      throw new FieldProblem(rule.field, 'cannot be evaluated for this record (its value is a secret)');
    }
  };
  return {
    ...rule,
    first: (raw) => hush(() => rule.first(raw)),
    all: (raw) => hush(() => rule.all(raw)),
    decided: (raw) => hush(() => rule.decided(raw)),
  };
}

/** Returns a rule as an administrator wrote it; constants and expressions of secrets are left out. */
export function tellRule(rule: FieldRule, secret: boolean): string {
  return secret && typeof rule !== 'string' && 'expr' in rule ? '(expression)' : showRule(rule, secret);
}

/** Returns a rule as text, for telling whether it changed; constants of secrets are left out. */
export function showRule(rule: FieldRule, secret = false): string {
  if (typeof rule === 'string') return rule;
  if ('expr' in rule) return rule.expr;
  return secret ? '(constant)' : JSON.stringify(rule.const);
}

/** A field of one record that cannot be mapped. The reason never holds the value of a secret. */
export class FieldProblem extends Error {
  readonly field: string;
  readonly reason: string;

  constructor(field: string, reason: string) {
    super(`${field}: ${reason}`);
    this.field = field;
    this.reason = reason;
  }
}

const NO_SUCH_NAME = 'which the source does not know: correct the configuration';

/**
 * A rule reads a name of which the source tells nothing: mostly a mistake of the configuration, and never one of the
 * record.
 */
export class UnknownName extends FieldProblem {
  /** @param why `which …`, if the source has the name */
  constructor(field: string, name: string, why = NO_SUCH_NAME) {
    super(field, `reads ${name}, ${why}`);
  }
}

/**
 * Returns the result of `read`; `undefined` if it reads a name that the source does not know: such a field
 * is not mapped.
 */
export function whereKnown<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnknownName) return undefined;
    throw error;
  }
}

/** Returns the result of `read`; `null` if the value cannot be read. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof FieldProblem) return null;
    throw error;
  }
}

/** The refused record, as far as it is known. */
interface RefusedRule extends Pick<Refusal, 'label' | 'active' | 'unitRefs'> {
  readonly subject: Subject;
  readonly id: string | null;
  readonly raw: RawRecord;
}

/** Turns an error of mapping into a refusal of this one record; anything else is a bug and is thrown on. */
export function refuse<T>(error: unknown, refused: RefusedRule): Reading<T> {
  if (!(error instanceof FieldProblem)) throw error;
  const { field, reason } = error;
  const { raw, ...who } = refused;
  return { ok: false, refusal: { ...who, place: raw.place, field, reason } };
}
