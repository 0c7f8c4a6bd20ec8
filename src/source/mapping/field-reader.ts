import { ConfigError } from '../../domain/errors.ts';
import type { FieldSpec, FieldValue, Fields } from '../../domain/records/fields.ts';
import type { Loss } from '../../domain/records/records.ts';
import type { FieldRule } from '../../domain/source-settings.ts';
import type { LocalTime } from '../../lib/local-time.ts';
import { parseInteger, SINGLE_KINDS } from './convert.ts';
import { FieldProblem, UnknownName } from './rules/field-problem.ts';
import { quoted } from './values/quoted.ts';
import type { RawRecord } from './values/raw-record.ts';
import { compileRule, hushed, type Rule } from './rules/rule.ts';
import type { Scope } from './rules/scope.ts';

/**
 * Reads one mapped field: its converted value, `null` where the record has none. Throws a `FieldProblem`; a
 * map of several rules adds those that fail to `losses` and goes on with the others.
 */
export interface FieldReader {
  readonly field: string;
  read(raw: RawRecord, losses: Loss[]): FieldValue | null;
}

/** Compiles all fields of one body; `specs` is the interface's table of that body. */
export function compileFields(
  rules: Readonly<Record<string, FieldRule | undefined>>,
  specs: Readonly<Record<string, FieldSpec>>,
  scope: Scope,
): readonly FieldReader[] {
  return Object.entries(rules).flatMap(([field, rule]) => {
    if (rule === undefined) return [];
    const spec = specs[field];
    if (spec === undefined) throw new ConfigError(`${scope.path}.${field}: there is no such field.`);
    return [compileField(rule, { field, spec }, scope)];
  });
}

function compileField(
  rule: FieldRule,
  { field, spec }: { readonly field: string; readonly spec: FieldSpec },
  scope: Scope,
): FieldReader {
  const place = { path: scope.path, field, secret: spec.secret === true, past: spec.past === true };
  const compiled = compileRule(rule, place, scope);
  const secret = scope.readsSecret(compiled, spec.secret === true);
  const read = readerOf(spec, secret ? hushed(compiled) : compiled, {
    secret,
    local: scope.expressions.local,
  });
  return { field, read: spec.past === true ? refusingFuture(field, read) : read };
}

interface Converting {
  readonly secret: boolean;
  /** Clock of dates that name no zone. */
  readonly local: LocalTime;
}

function refusingFuture(field: string, read: FieldReader['read']): FieldReader['read'] {
  return (raw, losses) => {
    const value = read(raw, losses);
    if (typeof value !== 'string' || Number(value) <= raw.at.getTime()) return value;
    const day = new Date(Number(value)).toISOString().slice(0, 10);
    throw new FieldProblem(field, `${day} lies in the future: correct it in the source`);
  };
}

function readerOf(spec: FieldSpec, rule: Rule, converting: Converting): FieldReader['read'] {
  const { secret } = converting;
  if (spec.kind === 'integers') return integersReader(rule, secret);
  if (spec.kind === 'text' && spec.values !== undefined) return oneOf(spec.values, rule, secret);
  if (spec.kind === 'text') return (raw) => rule.first(raw) ?? null;
  if (spec.kind === 'textMap' || spec.kind === 'properties' || spec.kind === 'tagNames') {
    throw new ConfigError(`${rule.field}: takes a map of names to attributes.`);
  }
  return singleReader(spec.kind, rule, converting);
}

function oneOf(values: readonly string[], rule: Rule, secret: boolean): FieldReader['read'] {
  return (raw) => {
    const text = rule.first(raw);
    if (text === undefined || values.includes(text)) return text ?? null;
    throw wrongValue(rule.field, { text, wants: values.join(' or '), secret });
  };
}

function singleReader(
  kind: keyof typeof SINGLE_KINDS,
  rule: Rule,
  { secret, local }: Converting,
): FieldReader['read'] {
  const { parse, wants } = SINGLE_KINDS[kind];
  return (raw) => {
    const text = rule.first(raw);
    if (text === undefined) return null;
    const value = parse(text, local);
    if (value === null) throw wrongValue(rule.field, { text, wants, secret });
    return value;
  };
}

/** Reads a set of integers: sorted by number and without repetition. */
function integersReader(rule: Rule, secret: boolean): FieldReader['read'] {
  return (raw) => {
    const values = rule.all(raw).map((text) => {
      const value = parseInteger(text);
      if (value === null) throw wrongValue(rule.field, { text, wants: SINGLE_KINDS.integer.wants, secret });
      return value;
    });
    if (values.length === 0) return null;
    return [...new Set(values)].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
  };
}

export function wrongValue(
  field: string,
  wrong: { readonly text: string; readonly wants: string; readonly secret: boolean },
): FieldProblem {
  const value = wrong.secret ? 'the value' : quoted(wrong.text);
  return new FieldProblem(field, `${value} is not ${wrong.wants}`);
}

/** Reads all fields; leaves out those that cannot be read, and adds them to `losses`. */
export function readFields(readers: readonly FieldReader[], raw: RawRecord, losses: Loss[]): Fields {
  const fields: Record<string, FieldValue | null> = {};
  for (const reader of readers) {
    try {
      fields[reader.field] = reader.read(raw, losses);
    } catch (error) {
      lose(losses, error);
    }
  }
  return fields;
}

/**
 * Adds the error of one field to `losses`. A name that the source does not know is reported once, not for
 * every record.
 */
export function lose(losses: Loss[], error: unknown): void {
  if (error instanceof UnknownName) return;
  if (!(error instanceof FieldProblem)) throw error;
  losses.push({ field: error.field, reason: error.reason });
}

/** Throws where a field was lost that the record cannot do without. */
export function requireField(field: string, losses: readonly Loss[]): void {
  const loss = losses.find((one) => one.field === field);
  if (loss !== undefined) throw new FieldProblem(field, loss.reason);
}
