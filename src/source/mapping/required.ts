import { FieldProblem } from './rules/field-problem.ts';
import type { RawRecord } from './values/raw-record.ts';
import type { FieldRule } from '../../domain/source-settings.ts';
import type { Rule } from './rules/rule.ts';
import type { Dialect } from './rules/scope.ts';

/**
 * Returns a value that every record must have; `otherwise`: what to do about a record without it, see
 * `howToLeaveOut`.
 */
export function required(rule: Rule, raw: RawRecord, otherwise = ''): string {
  const value = rule.first(raw);
  if (value === undefined) throw new FieldProblem(rule.field, `is empty; every record needs one${otherwise}`);
  return value;
}

/** Says how to leave out a record that stands for nobody, e.g. the account of a machine. */
export function howToLeaveOut(rule: FieldRule, dialect: Dialect): string {
  return `: give it one, or leave such records out ${dialect.leaveOut(typeof rule === 'string' ? rule : null)}`;
}

/** Returns the value of a refused record, where it can be read. */
export function readable(rule: Rule, raw: RawRecord): string | null {
  try {
    return rule.first(raw) ?? null;
  } catch (error) {
    if (error instanceof FieldProblem) return null;
    throw error;
  }
}
