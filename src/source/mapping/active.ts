import type { FieldRule } from '../../domain/source-settings.ts';
import { parseBoolean, SINGLE_KINDS } from './convert.ts';
import { FieldProblem, orNull, UnknownName, whereKnown } from './rules/field-problem.ts';
import { wrongValue } from './field-reader.ts';
import { allValues, firstValue, isUntold, type RawRecord } from './values/raw-record.ts';
import { quoted } from './values/quoted.ts';
import { compileRule, hushed, type Rule } from './rules/rule.ts';
import type { Scope } from './rules/scope.ts';

/**
 * Tells whether a record says that its person is active; `null`: unknown, which never means that somebody
 * left.
 */
export interface ActiveReader {
  /** Reads the value; throws a `FieldProblem` where it is no boolean. */
  read(raw: RawRecord): boolean | null;
  /** Returns why the read gave no answer, as the end of a sentence. Never throws. */
  why(raw: RawRecord): string;
  /** Returns what a refused record says. Never throws. */
  says(raw: RawRecord): boolean | null;
  /** Returns what a refused record says by values that it shows: an absent one may be hidden. Never throws. */
  shows(raw: RawRecord): boolean | null;
}

type Read = ActiveReader['read'];

/**
 * Compiles the rule for `active`. An absent value means the default, true. It is unknown where an expression
 * fails, or needs a name that the source does not know: `false && unknown` is false all the same. A value that is no boolean is refused.
 */
export function compileActive(rule: FieldRule | undefined, scope: Scope): ActiveReader {
  if (rule === undefined) return { read: () => true, why: () => '', says: () => true, shows: () => true };
  const compiled = compileRule(rule, { path: scope.path, field: 'active' }, scope);
  const secret = scope.readsSecret(compiled, false);
  const isExpression = typeof rule === 'object' && 'expr' in rule;
  const read: Read = isExpression
    ? (raw) => orNull(() => evaluated(compiled, raw))
    : (raw) => converted(compiled, raw, secret);
  const says: Read = (raw) => orNull(() => read(raw));
  const hasAny = ({ cells }: RawRecord): boolean =>
    compiled.slots.some((slot) => firstValue(cells[slot]) !== undefined);
  const why = (raw: RawRecord): string => whyUntold(compiled, raw, { names: scope.slots.names, secret });
  return { read, why, says, shows: (raw) => (hasAny(raw) ? says(raw) : null) };
}

function evaluated(rule: Rule, raw: RawRecord): boolean | null {
  const text = rule.decided(raw);
  return text === undefined ? true : parseBoolean(text);
}

/** Names what nobody knows of the record, or tells how the evaluation failed. */
function whyUntold(
  rule: Rule,
  raw: RawRecord,
  { names, secret }: { readonly names: readonly string[]; readonly secret: boolean },
): string {
  const slot = rule.slots.find((one) => isUntold(raw, one));
  if (slot !== undefined)
    return `it ${new UnknownName(rule.field, names[slot] ?? '', raw.whyUnknown?.get(slot)).reason}`;
  if (contradicts(rule, raw)) return 'it has several values, which contradict each other';
  try {
    const text = (secret ? hushed(rule) : rule).decided(raw) ?? '';
    return secret ? 'it says neither true nor false' : `it says ${quoted(text)}, neither true nor false`;
  } catch (error) {
    if (error instanceof FieldProblem) return error.reason;
    throw error;
  }
}

/** Returns whether the record has several values, and they do not all say the same. */
const contradicts = ({ slots }: Rule, { cells }: RawRecord): boolean =>
  slots.some((slot) => new Set(allValues(cells[slot]).map((text) => parseBoolean(text))).size > 1);

function converted(rule: Rule, raw: RawRecord, secret: boolean): boolean | null {
  if (contradicts(rule, raw)) return null;
  const text = whereKnown(() => rule.first(raw) ?? 'true');
  if (text === undefined) return null;
  const active = parseBoolean(text);
  if (active === null) throw wrongValue('active', { text, wants: SINGLE_KINDS.boolean.wants, secret });
  return active;
}
