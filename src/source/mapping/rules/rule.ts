import { ConfigError } from '../../../domain/errors.ts';
import type { FieldRule } from '../../../domain/settings.ts';
import { compileExpression, EvaluationProblem, summaryOf, type Expression } from './expression.ts';
import { FieldProblem, UnknownName } from './field-problem.ts';
import { allValues, firstValue, type RawRecord, type Slots } from './raw-record.ts';

/** A rule, compiled once: how one field gets its values from a raw record. */
export interface Rule {
  /** Name of the field in the interface, for refusals. */
  readonly field: string;
  /** Slots that the rule reads. */
  readonly slots: readonly number[];
  /** Returns the value, trimmed; of several the first in sorted order; `undefined`: absent. */
  first(raw: RawRecord): string | undefined;
  /** Returns every value, trimmed and sorted. */
  all(raw: RawRecord): readonly string[];
}

/** Place of a rule in the configuration, e.g. `source.people.fields` and `email`. */
export interface RulePlace {
  readonly path: string;
  readonly field: string;
  /** Whether the rule is for a secret: then its expression is never shown. */
  readonly secret?: boolean;
}

export function compileRule(rule: FieldRule, place: RulePlace, slots: Slots): Rule {
  const compiled = compileAny(rule, place, slots);
  slots.usedAt(`${place.path}.${place.field}`, compiled.slots);
  return knowing(compiled, slots);
}

function compileAny(rule: FieldRule, place: RulePlace, slots: Slots): Rule {
  if (typeof rule === 'string') return attributeRule(place.field, slots.slotOf(rule));
  if ('const' in rule) return constantRule(place.field, String(rule.const));
  return expressionRule(place.field, compileChecked(rule.expr, place, slots));
}

/** Returns the same rule, but it has no value at all where it reads a name that the source does not know. */
function knowing(rule: Rule, slots: Slots): Rule {
  const requireKnown = (raw: RawRecord): RawRecord => {
    const lacks = (slot: number): boolean => raw.cells[slot] === undefined && raw.unknown?.has(slot) === true;
    const slot = raw.unknown === undefined ? undefined : rule.slots.find(lacks);
    if (slot === undefined) return raw;
    throw new UnknownName(rule.field, slots.names[slot] ?? '');
  };
  return {
    ...rule,
    first: (raw) => rule.first(requireKnown(raw)),
    all: (raw) => rule.all(requireKnown(raw)),
  };
}

function compileChecked(text: string, place: RulePlace, slots: Slots): Expression {
  try {
    return compileExpression(text, slots);
  } catch (error) {
    const where = `${place.path}.${place.field}`;
    const remedy = 'Every value is text: compare with quotes, convert with int(…).';
    if (place.secret === true) {
      throw new ConfigError(
        `${where}: the expression cannot be used; it is of a secret and not shown. ${remedy}`,
      );
    }
    throw new ConfigError(
      `${where}: the expression ${JSON.stringify(text)}: ${summaryOf(error)}. ${remedy}`,
      {
        cause: error,
      },
    );
  }
}

function attributeRule(field: string, slot: number): Rule {
  return {
    field,
    slots: [slot],
    first: (raw) => firstValue(raw.cells[slot]),
    all: (raw) => allValues(raw.cells[slot]),
  };
}

function constantRule(field: string, value: string): Rule {
  const text = firstValue(value);
  const list = text === undefined ? [] : [text];
  return { field, slots: [], first: () => text, all: () => list };
}

function expressionRule(field: string, expression: Expression): Rule {
  const evaluate = (raw: RawRecord): readonly string[] => {
    try {
      return expression.evaluate(raw);
    } catch (error) {
      if (!(error instanceof EvaluationProblem)) throw error;
      throw new FieldProblem(field, `the expression failed: ${error.message}`);
    }
  };
  return {
    field,
    slots: expression.slots,
    first: (raw) => firstValue(evaluate(raw)),
    all: (raw) => allValues(evaluate(raw)),
  };
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
  return { ...rule, first: (raw) => hush(() => rule.first(raw)), all: (raw) => hush(() => rule.all(raw)) };
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
