import { ConfigError } from '../../../domain/errors.ts';
import type { RawRecord } from '../values/raw-record.ts';
import { FieldProblem } from './field-problem.ts';
import { compileExpression, hushed, ruleOf, type Rule, type RulePlace } from './rule.ts';
import type { Scope } from './scope.ts';

/** An expression that says yes or no to a record. */
export interface Condition {
  /** The expression as written. */
  readonly text: string;
  /** Returns what it says; throws a `FieldProblem` where that is unknown. */
  holds(raw: RawRecord): boolean;
}

/**
 * Compiles a condition; throws a `ConfigError`, also where its result can be neither true nor false. Compile
 * the secret fields of the scope first.
 */
export function compileCondition(text: string, place: RulePlace, scope: Scope): Condition {
  const expression = compileExpression(text, place, scope);
  const { type } = expression;
  if (type !== 'bool' && type !== 'dyn') {
    const gives = `${JSON.stringify(text)} gives ${type}, and not true or false`;
    const remedy = "Compare it, as in status == 'active'.";
    scope.expressions.refuse(new ConfigError(`${place.path}.${place.field}: ${gives}. ${remedy}`));
  }
  const rule = ruleOf(expression, place, scope);
  return { text, holds: holder(scope.readsSecret(rule, false) ? hushed(rule) : rule, place) };
}

function holder(rule: Rule, { path, field }: RulePlace): Condition['holds'] {
  return (raw) => {
    const says = rule.first(raw);
    if (says === 'true' || says === 'false') return says === 'true';
    throw new FieldProblem(field, `${path}.${field} says neither true nor false`);
  };
}
