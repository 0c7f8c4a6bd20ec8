import { FieldProblem } from './rules/field-problem.ts';
import type { RawRecord } from './rules/raw-record.ts';
import type { FieldRule } from '../../domain/settings.ts';
import type { Rule } from './rules/rule.ts';
import type { Dialect } from './rules/scope.ts';

/** A value that every record has; `otherwise`: what to do about a record that has none, see `howToLeaveOut`. */
export function required(rule: Rule, raw: RawRecord, otherwise = ''): string {
  const value = rule.first(raw);
  if (value === undefined) throw new FieldProblem(rule.field, `is empty; every record needs one${otherwise}`);
  return value;
}

/** Tells how to leave out a record that stands for nobody, e.g. an account of a machine. */
export function howToLeaveOut(rule: FieldRule, dialect: Dialect): string {
  return `: give it one, or leave such records out ${dialect.leaveOut(typeof rule === 'string' ? rule : null)}`;
}

/** The value of a record that is refused, where it can be read. */
export function readable(rule: Rule, raw: RawRecord): string | null {
  try {
    return rule.first(raw) ?? null;
  } catch (error) {
    if (error instanceof FieldProblem) return null;
    throw error;
  }
}

/** A list of values that is cut cannot be told from one that shrank. */
export function requireWhole(raw: RawRecord): void {
  if (raw.partial === undefined) return;
  throw new FieldProblem(
    raw.partial,
    'the server sent only a part of the values (range=), which is not followed',
  );
}
