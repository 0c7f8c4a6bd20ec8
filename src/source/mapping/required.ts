import { FieldProblem } from './field-problem.ts';
import type { RawRecord } from './raw-record.ts';
import type { Rule } from './rule.ts';

/** A value that every record has. */
export function required(rule: Rule, raw: RawRecord): string {
  const value = rule.first(raw);
  if (value === undefined) throw new FieldProblem(rule.field, `is empty; every record needs one`);
  return value;
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
