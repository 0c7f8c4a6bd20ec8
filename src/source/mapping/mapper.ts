import type { Reading } from '../../domain/records/records.ts';
import type { FieldRule } from '../../domain/source-settings.ts';
import { isRounded, ROUNDED_WORDS } from '../../domain/text/fold.ts';
import { ExpressionCompiler } from './expressions/expression.ts';
import { FieldProblem, orNull, type Rule } from './rules/rule.ts';
import type { Dialect, Scoped } from './rules/scope.ts';
import { quoted, type Column, type RawRecord } from './values/raw-record.ts';

/** The compiled rules of one part: which attributes or columns they need, and how they map a raw record. */
export interface Mapper<T> {
  /** What the source has to deliver. */
  readonly columns: readonly Column[];
  /** Names whose values are secrets: never shown. */
  readonly secretNames: ReadonlySet<string>;
  map(raw: RawRecord): Reading<T>;
  /** Returns the record with what other sources have of it; absent: none completes it. */
  readonly widened?: (raw: RawRecord) => RawRecord;
}

/** What decides about records besides their fields. */
export interface MappingOptions {
  readonly expressions?: ExpressionCompiler | undefined;
  /** Condition of the part: records for which it is false are out of scope. */
  readonly where?: string | undefined;
  /** `sync.protect.where`, of people. */
  readonly protect?: string | undefined;
}

export function scoped(dialect: Dialect, { expressions }: MappingOptions): Scoped {
  return { dialect, expressions: expressions ?? new ExpressionCompiler() };
}

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
 * Returns the id of a record. If a record has several values, it has no id: it is unknown which one the
 * person is known by. The first in sorted order changes when one is added.
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

const INVISIBLE = /\p{Cf}/u;
const EACH_INVISIBLE = /\p{Cf}/gu;

/** Returns an id or a username; throws about an invisible character within it, which would tell apart what looks the same. */
export function visible(field: string, text: string): string {
  if (!INVISIBLE.test(text)) return text;
  const shown = text.replaceAll(
    EACH_INVISIBLE,
    (sign) => `U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? ''}`,
  );
  throw new FieldProblem(field, `has an invisible character: ${quoted(shown)}; correct it in the source`);
}

/** Returns the id of a refused record, if it has one. */
export function readableId(rule: Rule, raw: RawRecord): string | null {
  return orNull(() => (rule.all(raw).length === 0 ? null : identity(rule, raw)));
}

/** Returns how to leave out a record that is not a person, e.g. the account of a machine. */
export function howToLeaveOut(rule: FieldRule, dialect: Dialect): string {
  return `: give it one, or leave such records out ${dialect.leaveOut(typeof rule === 'string' ? rule : null)}`;
}

/** Returns the value of a refused record, if it can be read. */
export function readable(rule: Rule, raw: RawRecord): string | null {
  return orNull(() => rule.first(raw) ?? null);
}
