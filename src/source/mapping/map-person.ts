import { PERSON_FIELDS, type Fields, type FieldSpec, type FieldValue } from '../../domain/fields.ts';
import type { Person, Position, Reading } from '../../domain/records.ts';
import type { FieldRule, PersonRules } from '../../domain/settings.ts';
import { parseBoolean, SINGLE_KINDS } from './convert.ts';
import { compileFields, readFields, wrongValue, type FieldReader } from './field-reader.ts';
import { FieldProblem, refuse, whereKnown } from './field-problem.ts';
import { compilePosition, type PositionReader } from './map-position.ts';
import type { Mapper } from './mapper.ts';
import { Slots, type RawRecord } from './raw-record.ts';
import { requireWhole, required } from './required.ts';
import { compileRule, hushed, type Rule } from './rule.ts';
import { Scope, type Dialect } from './scope.ts';

interface CompiledPerson {
  readonly id: Rule;
  readonly username: Rule;
  readonly active: (raw: RawRecord) => boolean | null;
  readonly fields: readonly FieldReader[];
  readonly secrets: readonly FieldReader[];
  readonly positions: readonly PositionReader[];
}

export function compilePeople(rules: PersonRules, dialect: Dialect): Mapper<Person> {
  const scope = new Scope('source.people.fields', new Slots(dialect.foldName), dialect);
  const compiled = compilePerson(rules, scope);
  const names = scope.slots.names;
  return {
    names,
    places: scope.slots.places,
    secretNames: new Set(names.filter((_, slot) => scope.isSecret(slot))),
    map: (raw) => mapPerson(raw, compiled),
  };
}

function compilePerson(rules: PersonRules, scope: Scope): CompiledPerson {
  const { path, slots } = scope;
  const secrets = [
    ...compileFields(filterRules(rules.fields, isSecret), PERSON_FIELDS, scope),
    ...mapReader('source_identifiers', rules.source_identifiers, scope),
  ];
  return {
    secrets,
    id: compileRule(rules.id, { path, field: 'id' }, slots),
    username: compileRule(rules.username, { path, field: 'username' }, slots),
    active: compileActive(rules.active, scope),
    fields: [
      ...compileFields(
        filterRules(rules.fields, (field) => !isSecret(field)),
        PERSON_FIELDS,
        scope,
      ),
      ...propertiesReader(rules.properties, scope),
    ],
    positions: rules.positions.map((rule, index) =>
      compilePosition(rule, scope.at(`${path}.positions[${index}]`)),
    ),
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

/**
 * Absent means the default, true. An expression that fails is unknown, as is a name that the source does not know; a
 * value that is no boolean is refused.
 */
function compileActive(rule: FieldRule | undefined, scope: Scope): CompiledPerson['active'] {
  if (rule === undefined) return () => true;
  const compiled = compileRule(rule, { path: scope.path, field: 'active' }, scope.slots);
  const secret = scope.readsSecret(compiled, false);
  if (typeof rule === 'object' && 'expr' in rule) return (raw) => evaluateActive(compiled, raw);
  return (raw) => {
    const text = whereKnown(() => compiled.first(raw) ?? 'true');
    if (text === undefined) return null;
    const active = parseBoolean(text);
    if (active === null) throw wrongValue('active', { text, wants: SINGLE_KINDS.boolean.wants, secret });
    return active;
  };
}

function evaluateActive(rule: Rule, raw: RawRecord): boolean | null {
  try {
    const text = rule.first(raw);
    return text === undefined ? true : parseBoolean(text);
  } catch (error) {
    if (error instanceof FieldProblem) return null;
    throw error;
  }
}

/** `source_identifiers`: the keys that this record has; `null`: none of them. */
function mapReader(
  field: string,
  rules: Readonly<Record<string, FieldRule>>,
  scope: Scope,
): readonly FieldReader[] {
  const entries = Object.entries(rules).map(([key, rule]) => {
    const compiled = compileRule(rule, { path: `${scope.path}.${field}`, field: key }, scope.slots);
    scope.readsSecret(compiled, true);
    return [key, hushed({ ...compiled, field: `${field}.${key}` })] as const;
  });
  if (entries.length === 0) return [];
  const read = (raw: RawRecord): FieldValue | null => {
    const values = entries.flatMap(([key, rule]) => {
      const value = whereKnown(() => rule.first(raw));
      return value === undefined ? [] : [[key, value] as const];
    });
    return values.length === 0 ? null : Object.fromEntries(values);
  };
  return [{ field, read }];
}

/** `properties`: every configured id, with an empty list where the record has none: that is how one is cleared. */
function propertiesReader(rules: Readonly<Record<string, FieldRule>>, scope: Scope): readonly FieldReader[] {
  const entries = Object.entries(rules).map(([key, rule]) => {
    const compiled = compileRule(rule, { path: `${scope.path}.properties`, field: key }, scope.slots);
    const secret = scope.readsSecret(compiled, false);
    return [key, secret ? hushed(compiled) : compiled] as const;
  });
  if (entries.length === 0) return [];
  const read = (raw: RawRecord): FieldValue =>
    Object.fromEntries(
      entries.flatMap(([key, rule]) => {
        const values = whereKnown(() => rule.all(raw));
        return values === undefined ? [] : [[key, values] as const];
      }),
    );
  return [{ field: 'properties', read }];
}

const NO_FIELDS: Fields = {};

function mapPerson(raw: RawRecord, rules: CompiledPerson): Reading<Person> {
  let id: string | null = null;
  try {
    id = required(rules.id, raw);
    requireWhole(raw);
    const username = required(rules.username, raw);
    const fields = readFields(rules.fields, raw);
    if (!fields['name']) throw new FieldProblem('name', 'is empty; a person needs a name');
    const secrets = rules.secrets.length === 0 ? NO_FIELDS : readFields(rules.secrets, raw);
    const [active, positions] = [rules.active(raw), positionsOf(rules.positions, raw)];
    return { ok: true, record: { id, username, active, fields, secrets, positions } };
  } catch (error) {
    return refuse(error, { subject: 'person', id, raw });
  }
}

/** A set, one per unit: of several rules that name the same unit the first counts. */
function positionsOf(readers: readonly PositionReader[], raw: RawRecord): readonly Position[] {
  const first = readers[0]?.read(raw) ?? [];
  if (readers.length <= 1 && first.length <= 1) return first;
  const byUnit = new Map<string | null, Position>();
  for (const position of [...first, ...readers.slice(1).flatMap((reader) => reader.read(raw))]) {
    if (!byUnit.has(position.unit)) byUnit.set(position.unit, position);
  }
  return [...byUnit.values()];
}
