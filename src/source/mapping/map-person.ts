import { PERSON_FIELDS, type Fields, type FieldSpec } from '../../domain/records/fields.ts';
import type { Loss, Person, Position, Reading } from '../../domain/records/records.ts';
import type { FieldRule, PersonRules } from '../../domain/source-settings.ts';
import {
  choicesIn,
  compileFields,
  lose,
  parseBoolean,
  readFields,
  requireField,
  SINGLE_KINDS,
  wrongValue,
  type FieldReader,
} from './field-reader.ts';
import { compilePosition, type PositionReader } from './map-position.ts';
import {
  howToLeaveOut,
  identity,
  readableId,
  readable,
  required,
  scoped,
  visible,
  type Mapper,
  type MappingOptions,
} from './mapper.ts';
import { conditionOf, Scope, type Condition, type Dialect } from './rules/scope.ts';
import {
  compileRule,
  CONTRADICTORY,
  FieldProblem,
  hushed,
  orNull,
  refuse,
  unknownIn,
  whereKnown,
  type Rule,
} from './rules/rule.ts';
import { firstValue, quoted, type RawRecord } from './values/raw-record.ts';

interface CompiledPerson {
  readonly id: Rule;
  readonly username: Rule;
  /** What to do about a record without a username. */
  readonly withoutUsername: string;
  readonly active: ActiveReader;
  readonly fields: readonly FieldReader[];
  readonly secrets: readonly FieldReader[];
  readonly positions: readonly PositionReader[];
  readonly where: Condition | null;
  readonly protect: Condition | null;
}

export function compilePeople(
  rules: PersonRules,
  dialect: Dialect,
  options: MappingOptions = {},
): Mapper<Person> {
  const scope = new Scope('source.people.fields', scoped(dialect, options));
  const compiled = compilePerson(rules, scope, options);
  return {
    columns: scope.columns.all,
    secretNames: scope.secretNames,
    map: (raw) => mapPerson(raw, compiled),
  };
}

function compilePerson(rules: PersonRules, scope: Scope, options: MappingOptions): CompiledPerson {
  const { path } = scope;
  const secrets = [
    ...compileFields(filterRules(rules.fields, isSecret), PERSON_FIELDS, scope),
    ...mapReader('source_identifiers', rules.source_identifiers, scope, identifiersReader),
  ];
  return {
    secrets,
    id: compileRule(rules.id, { path, field: 'id' }, scope),
    username: compileRule(rules.username, { path, field: 'username' }, scope),
    withoutUsername: howToLeaveOut(rules.username, scope.dialect),
    active: compileActive(rules.active, scope),
    fields: [
      ...compileFields(
        filterRules(rules.fields, (field) => !isSecret(field)),
        PERSON_FIELDS,
        scope,
      ),
      ...mapReader('properties', rules.properties, scope, propertiesReader),
      ...mapReader('tag_names', rules.tag_names, scope, tagNamesReader),
    ],
    positions: rules.positions.map((rule, index) =>
      compilePosition(rule, scope.at(`${path}.positions[${index}]`)),
    ),
    where: conditionOf(options.where, 'source.people', scope),
    protect: conditionOf(options.protect, 'sync.protect', scope),
  };
}

function isSecret(field: string): boolean {
  const specs: Readonly<Record<string, FieldSpec>> = PERSON_FIELDS;
  return specs[field]?.secret === true;
}

function filterRules(
  rules: Readonly<Record<string, FieldRule>>,
  keep: (field: string) => boolean,
): Readonly<Record<string, FieldRule>> {
  return Object.fromEntries(Object.entries(rules).filter(([field]) => keep(field)));
}

const NO_FIELDS: Fields = {};

const usernameReader = (rule: Rule): FieldReader => ({
  field: rule.field,
  read: (raw) => rule.first(raw) ?? null,
  choices: (raw) => rule.choices(raw),
});

function mapPerson(raw: RawRecord, rules: CompiledPerson): Reading<Person> {
  const losses: Loss[] = [];
  const decided = decide(raw, rules);
  if (!('isProtected' in decided)) return decided;
  const { isProtected } = decided;
  try {
    const id = visible('id', identity(rules.id, raw));
    const username = visible('username', required(rules.username, raw, rules.withoutUsername));
    const active = rules.active.read(raw);
    const fields = readFields(rules.fields, raw, losses);
    requireField('name', losses);
    if (!fields['name']) throw new FieldProblem('name', 'is empty; a person needs a name');
    const secrets = rules.secrets.length === 0 ? NO_FIELDS : readFields(rules.secrets, raw, losses);
    const positions = positionsOf(rules.positions, raw, losses);
    const bare: Person = {
      id,
      username,
      active,
      fields,
      secrets,
      positions,
      ...choicesIn([usernameReader(rules.username), ...rules.fields], raw),
    };
    const withReason: Person = active === null ? { ...bare, whyUnknown: rules.active.why(raw) } : bare;
    const person: Person = isProtected ? { ...withReason, isProtected } : withReason;
    return { ok: true, record: losses.length === 0 ? person : { ...person, losses } };
  } catch (error) {
    const [id, label] = [readableId(rules.id, raw), readable(rules.username, raw)];
    if (id === null && label === null) {
      // Most of it may be hidden from the reading account.
      const active = rules.active.shows(raw);
      return refuse(error, { subject: 'person', id, label, active, raw: called(raw, rules) });
    }
    return refuse(error, { subject: 'person', id, label, active: rules.active.says(raw), raw });
  }
}

/**
 * Returns whether the person is protected, if the record is in scope; else what becomes of the record. A
 * condition that cannot be evaluated is unknown, and so is whether the person has left.
 */
function decide(raw: RawRecord, rules: CompiledPerson): Reading<Person> | { readonly isProtected: boolean } {
  const { where, protect } = rules;
  if (where === null && protect === null) return { isProtected: false };
  const [id, label] = [readableId(rules.id, raw), readable(rules.username, raw)];
  try {
    const isProtected = protect?.holds(raw) ?? false;
    return where === null || where.holds(raw)
      ? { isProtected }
      : { ok: true, record: outside({ id, label, isProtected }, where) };
  } catch (error) {
    return refuse(error, { subject: 'person', id, label, raw });
  }
}

function outside(
  who: { readonly id: string | null; readonly label: string | null; readonly isProtected: boolean },
  where: Condition,
): Person {
  const none = { active: null, fields: NO_FIELDS, secrets: NO_FIELDS, positions: [] };
  const person = { ...none, id: who.id ?? '', username: who.label ?? '', outOfScope: where.text };
  return who.isProtected ? { ...person, isProtected: true } : person;
}

/**
 * Returns the record with its name as part of its place, so that a person with neither id nor username is
 * found again.
 */
function called(raw: RawRecord, { fields }: CompiledPerson): RawRecord {
  const name = readFields(
    fields.filter(({ field }) => field === 'name'),
    raw,
    [],
  )['name'];
  return typeof name === 'string' ? { ...raw, place: `${name}, ${raw.place}` } : raw;
}

/**
 * Returns positions as a set, one per unit: of several rules that name the same unit the first counts. The position is
 * the main one if any of them says so.
 */
function positionsOf(
  readers: readonly PositionReader[],
  raw: RawRecord,
  losses: Loss[],
): readonly Position[] {
  const first = readers[0]?.read(raw, losses) ?? [];
  if (readers.length <= 1 && first.length <= 1) return first;
  const byUnit = new Map<string | null, Position>();
  for (const position of [...first, ...readers.slice(1).flatMap((reader) => reader.read(raw, losses))]) {
    const before = byUnit.get(position.unit);
    if (before === undefined) byUnit.set(position.unit, position);
    else if (position.fields['primary'] === true)
      byUnit.set(position.unit, { ...before, fields: { ...before.fields, primary: true } });
  }
  return [...byUnit.values()];
}

/**
 * Reads whether a record says that its person is active; `null`: unknown, which never makes the person a
 * leaver.
 */
interface ActiveReader {
  /** Reads the value; throws a `FieldProblem` if it is no boolean. */
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
 * Compiles the rule for `active`. An absent value means the default, true. It is unknown if an expression
 * fails, or needs a name that the source does not know: `false && unknown` is false all the same. A value that is no boolean is refused.
 */
function compileActive(rule: FieldRule | undefined, scope: Scope): ActiveReader {
  if (rule === undefined) return { read: () => true, why: () => '', says: () => true, shows: () => true };
  const compiled = compileRule(rule, { path: scope.path, field: 'active' }, scope);
  const secret = scope.readsSecret(compiled, false);
  const isExpression = typeof rule === 'object' && 'expr' in rule;
  const read: Read = isExpression
    ? (raw) => orNull(() => (contradicts(compiled, raw) ? null : evaluated(compiled, raw)))
    : (raw) => converted(compiled, raw, secret);
  const says: Read = (raw) => orNull(() => read(raw));
  const hasAny = ({ values }: RawRecord): boolean =>
    compiled.reads.some((name) => firstValue(values.get(name)) !== undefined);
  const why = (raw: RawRecord): string => whyUnknown(compiled, raw, secret);
  return { read, why, says, shows: (raw) => (hasAny(raw) ? says(raw) : null) };
}

function evaluated(rule: Rule, raw: RawRecord): boolean | null {
  const text = rule.decided(raw);
  return text === undefined ? true : parseBoolean(text);
}

/** Names the value that is unknown, or tells how the evaluation failed. */
function whyUnknown(rule: Rule, raw: RawRecord, secret: boolean): string {
  const unknown = unknownIn(rule, raw);
  if (unknown !== null) return `it ${unknown.reason}`;
  if (contradicts(rule, raw)) return `it has ${CONTRADICTORY}`;
  try {
    const text = (secret ? hushed(rule) : rule).decided(raw) ?? '';
    return secret ? 'it says neither true nor false' : `it says ${quoted(text)}, neither true nor false`;
  } catch (error) {
    if (error instanceof FieldProblem) return error.reason;
    throw error;
  }
}

/** Returns whether the record has several values, and they do not all say the same. */
const contradicts = (rule: Rule, raw: RawRecord): boolean =>
  new Set(rule.choices(raw).map((text) => parseBoolean(text))).size > 1;

function converted(rule: Rule, raw: RawRecord, secret: boolean): boolean | null {
  if (contradicts(rule, raw)) return null;
  const text = whereKnown(() => rule.first(raw) ?? 'true');
  if (text === undefined) return null;
  const active = parseBoolean(text);
  if (active === null) throw wrongValue('active', { text, wants: SINGLE_KINDS.boolean.wants, secret });
  return active;
}

/** The rules of a field that is a map of keys to attributes, compiled. */
type Entries = readonly (readonly [key: string, rule: Rule])[];

/** Returns what reads such a field by its rules; nothing if it has none. */
function mapReader(
  field: string,
  rules: Readonly<Record<string, FieldRule>>,
  scope: Scope,
  readerOf: (entries: Entries) => FieldReader['read'],
): readonly FieldReader[] {
  const secret = isSecret(field);
  const entries = Object.entries(rules).map(([key, rule]) => {
    const place = { path: scope.path, field: `${field}.${key}`, secret };
    const compiled = compileRule(rule, place, scope);
    return [key, scope.readsSecret(compiled, secret) ? hushed(compiled) : compiled] as const;
  });
  return entries.length === 0 ? [] : [{ field, read: readerOf(entries) }];
}

/**
 * Reads `source_identifiers`: the keys that this record has; `null`: none of them. Not mapped if all that are left of
 * the rules read names that the source does not know.
 */
const identifiersReader =
  (entries: Entries): FieldReader['read'] =>
  (raw) => {
    const values = entries.flatMap(([key, rule]) => {
      const value = whereKnown(() => rule.first(raw));
      return value === undefined ? [] : [[key, value] as const];
    });
    if (values.length === 0) for (const [, rule] of entries) rule.first(raw);
    return values.length === 0 ? null : Object.fromEntries(values);
  };

/** Reads `properties`: every configured id, with an empty list if the record has none, which clears it. */
const propertiesReader =
  (entries: Entries): FieldReader['read'] =>
  (raw, losses) => {
    const values: Record<string, readonly string[]> = {};
    for (const [key, rule] of entries) {
      try {
        values[key] = rule.all(raw);
      } catch (error) {
        lose(losses, error);
      }
    }
    return values;
  };

/**
 * Reads `tag_names`: the tags of each group that has any; `null`: none at all. They are one list: if one group
 * cannot be read, all of it stays as it was sent.
 */
const tagNamesReader =
  (entries: Entries): FieldReader['read'] =>
  (raw) => {
    const groups = entries
      .map(([group, rule]) => [group, [...new Set(rule.all(raw))]] as const)
      .filter(([, tags]) => tags.length > 0);
    return groups.length === 0 ? null : Object.fromEntries(groups);
  };
