import { ConfigError } from '../../domain/errors.ts';
import type { FieldKind, Fields, FieldSpec, FieldValue } from '../../domain/records/fields.ts';
import type { Choices, Loss } from '../../domain/records/records.ts';
import type { FieldRule } from '../../domain/source-settings.ts';
import { isRounded, ROUNDED_WORDS } from '../../domain/text/fold.ts';
import type { LocalTime } from '../../domain/text/local-time.ts';
import { compileRule, FieldProblem, hushed, orNull, UnknownName, type Rule } from './rules/rule.ts';
import type { Scope } from './rules/scope.ts';
import { parseDate } from './values/dates.ts';
import { quoted, type RawRecord } from './values/raw-record.ts';

/**
 * Reads one mapped field: its converted value, `null` if the record has none. Throws a `FieldProblem`; a
 * map of several rules adds those that fail to `losses` and goes on with the others.
 */
export interface FieldReader {
  readonly field: string;
  read(raw: RawRecord, losses: Loss[]): FieldValue | null;
  /** Returns the values of which it reads one, none if there is no choice; absent: it never has one. */
  choices?(raw: RawRecord): readonly FieldValue[];
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
  const { local } = scope.expressions;
  return { field, ...readerOf(spec, secret ? hushed(compiled) : compiled, { secret, local }) };
}

interface Converting {
  readonly secret: boolean;
  /** Clock of dates that name no zone. */
  readonly local: LocalTime;
}

function readerOf(spec: FieldSpec, rule: Rule, converting: Converting): Omit<FieldReader, 'field'> {
  if (spec.kind === 'integers') return { read: integersReader(rule, converting.secret) };
  if (spec.kind === 'textMap' || spec.kind === 'properties' || spec.kind === 'tagNames') {
    throw new ConfigError(`${rule.field}: takes a map of names to attributes.`);
  }
  const convert = converterOf({ ...spec, kind: spec.kind }, rule.field, converting);
  return {
    read: (raw) => {
      const text = rule.first(raw);
      return text === undefined ? null : convert(text, raw);
    },
    ...(!converting.secret && {
      choices: (raw) => rule.choices(raw).flatMap((text) => orNull(() => convert(text, raw)) ?? []),
    }),
  };
}

/** Returns what turns the text of a single value into that of the field; it throws a `FieldProblem`. */
function converterOf(
  { kind, values, past }: FieldSpec & { readonly kind: keyof typeof SINGLE_KINDS },
  field: string,
  { secret, local }: Converting,
): (text: string, raw: RawRecord) => FieldValue {
  const { parse, wants } = SINGLE_KINDS[kind];
  return (text, { at }) => {
    requireWhole(field, text, secret);
    const value = parse(text, local);
    if (value === null) throw wrongValue(field, { text, wants, secret });
    if (values?.includes(text) === false)
      throw wrongValue(field, { text, wants: values.join(' or '), secret });
    if (past !== true || Number(value) <= at.getTime()) return value;
    const day = new Date(Number(value)).toISOString().slice(0, 10);
    throw new FieldProblem(field, `${day} lies in the future: correct it in the source`);
  };
}

/** Reads a set of integers: sorted by number and without repetition. */
function integersReader(rule: Rule, secret: boolean): FieldReader['read'] {
  return (raw) => {
    const values = rule.all(raw).map((text) => {
      requireWhole(rule.field, text, secret);
      const value = parseInteger(text);
      if (value === null) throw wrongValue(rule.field, { text, wants: SINGLE_KINDS.integer.wants, secret });
      return value;
    });
    if (values.length === 0) return null;
    return [...new Set(values)].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
  };
}

/** Throws if a spreadsheet has rounded the value: `8.6138E+12`. */
function requireWhole(field: string, text: string, secret = false): void {
  if (isRounded(text))
    throw new FieldProblem(field, `${secret ? 'the value' : quoted(text)} ${ROUNDED_WORDS}`);
}

export function wrongValue(
  field: string,
  wrong: { readonly text: string; readonly wants: string; readonly secret: boolean },
): FieldProblem {
  const value = wrong.secret ? 'the value' : quoted(wrong.text);
  return new FieldProblem(field, `${value} is not ${wrong.wants}`);
}

/** Returns the fields for which the record has several values; nothing if there is none. */
export function choicesIn(
  readers: readonly FieldReader[],
  raw: RawRecord,
): { readonly choices: Choices } | undefined {
  const found = readers.flatMap((reader) => {
    const values = reader.choices?.(raw) ?? [];
    return values.length < 2 ? [] : [[reader.field, values] as const];
  });
  return found.length === 0 ? undefined : { choices: Object.fromEntries(found) };
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

/** Throws if a field was lost that the record cannot do without. */
export function requireField(field: string, losses: readonly Loss[]): void {
  const loss = losses.find((one) => one.field === field);
  if (loss !== undefined) throw new FieldProblem(field, loss.reason);
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', 'on', '1'].map((text) => [text, true] as const),
  ...['false', 'f', 'no', 'n', 'off', '0'].map((text) => [text, false] as const),
]);

/**
 * Returns the boolean for true, false, t, f, yes, no, y, n, on, off, 1, 0, in any case; `null`: none of
 * these.
 */
export function parseBoolean(text: string): boolean | null {
  return BOOLEANS.get(text) ?? BOOLEANS.get(text.toLowerCase()) ?? null;
}

const LONG_MAX = 2n ** 63n - 1n;

/**
 * Returns decimal digits without plus sign, leading zeros or an empty fraction; `null`: no 64-bit integer.
 */
export function parseInteger(text: string): string | null {
  const match = /^(?<sign>[+-]?)(?<digits>\d+)(?:\.0*)?$/.exec(text);
  if (match?.groups === undefined) return null;
  const { sign = '', digits = '' } = match.groups;
  const value = BigInt(sign === '-' ? `-${digits}` : digits);
  return value > LONG_MAX || value < -LONG_MAX - 1n ? null : value.toString();
}

/** Kinds of a single value, each with its conversion (`null`: impossible) and how a reason describes it. */
export const SINGLE_KINDS = {
  text: { parse: (text: string): string | null => text, wants: 'text' },
  integer: { parse: parseInteger, wants: 'an integer of at most 64 bits' },
  date: {
    parse: parseDate,
    wants:
      'a date (1990-05-01, 1990-05-01T12:00:00+02:00, 19900501120000Z or 13-digit ms; other forms by date(value, pattern))',
  },
  boolean: { parse: parseBoolean, wants: 'true or false' },
} as const satisfies Partial<
  Record<FieldKind, { parse: (text: string, local: LocalTime) => string | boolean | null; wants: string }>
>;
