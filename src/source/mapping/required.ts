import { isRounded, ROUNDED_WORDS } from '../../domain/text/fold.ts';
import { FieldProblem, orNull } from './rules/field-problem.ts';
import type { RawRecord } from './values/raw-record.ts';
import type { FieldRule } from '../../domain/source-settings.ts';
import type { Rule } from './rules/rule.ts';
import { quoted } from './values/quoted.ts';
import type { Dialect } from './rules/scope.ts';

/**
 * Returns a value that every record must have; `otherwise`: what to do about a record without it, see
 * `howToLeaveOut`.
 */
export function required(rule: Rule, raw: RawRecord, otherwise = ''): string {
  const value = rule.first(raw);
  if (value === undefined) throw new FieldProblem(rule.field, `is empty; every record needs one${otherwise}`);
  if (isRounded(value)) throw new FieldProblem(rule.field, `${quoted(value)} ${ROUNDED_WORDS}`);
  return value;
}

/**
 * Returns the id of a record. One that has several has none: nobody knows by which of them it is known, and the
 * first in sorted order changes when one is added.
 */
export function identity(rule: Rule, raw: RawRecord): string {
  const ids = [...new Set(rule.all(raw))];
  if (ids.length <= 1) return required(rule, raw);
  const [one = '', other = ''] = ids;
  const what = `has ${ids.length} values, as ${quoted(one)} and ${quoted(other)}`;
  throw new FieldProblem(
    rule.field,
    `${what}: a record has one id; correct the record, or map another attribute`,
  );
}

/** Returns the id of a refused record, where it has one. */
export function readableId(rule: Rule, raw: RawRecord): string | null {
  return orNull(() => (rule.all(raw).length === 0 ? null : identity(rule, raw)));
}

/** Says how to leave out a record that stands for nobody, e.g. the account of a machine. */
export function howToLeaveOut(rule: FieldRule, dialect: Dialect): string {
  return `: give it one, or leave such records out ${dialect.leaveOut(typeof rule === 'string' ? rule : null)}`;
}

/** Returns the value of a refused record, where it can be read. */
export function readable(rule: Rule, raw: RawRecord): string | null {
  return orNull(() => rule.first(raw) ?? null);
}
