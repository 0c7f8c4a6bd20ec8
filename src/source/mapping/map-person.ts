import { PERSON_FIELDS, type Fields, type FieldSpec, type FieldValue } from '../../domain/records/fields.ts';
import type { Loss, Person, Position, Reading } from '../../domain/records/records.ts';
import type { FieldRule, PersonRules } from '../../domain/settings.ts';
import { compileActive, type ActiveReader } from './active.ts';
import { compileFields, lose, readFields, requireField, type FieldReader } from './field-reader.ts';
import { FieldProblem, refuse, whereKnown } from './rules/field-problem.ts';
import { compilePosition, type PositionReader } from './map-position.ts';
import type { Mapper } from './mapper.ts';
import { Slots, type RawRecord } from './rules/raw-record.ts';
import { howToLeaveOut, readable, requireWhole, required } from './required.ts';
import { compileRule, hushed, type Rule } from './rules/rule.ts';
import { Scope, type Dialect } from './rules/scope.ts';

interface CompiledPerson {
  readonly id: Rule;
  readonly username: Rule;
  /** What to do about a record without a username. */
  readonly withoutUsername: string;
  readonly active: ActiveReader;
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
    withoutUsername: howToLeaveOut(rules.username, scope.dialect),
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

/** Reads `source_identifiers`: the keys that this record has; `null`: none of them. */
function mapReader(
  field: string,
  rules: Readonly<Record<string, FieldRule>>,
  scope: Scope,
): readonly FieldReader[] {
  const entries = Object.entries(rules).map(([key, rule]) => {
    const compiled = compileRule(
      rule,
      { path: `${scope.path}.${field}`, field: key, secret: true },
      scope.slots,
    );
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

/** Reads `properties`: every configured id, with an empty list where the record has none, which clears it. */
function propertiesReader(rules: Readonly<Record<string, FieldRule>>, scope: Scope): readonly FieldReader[] {
  const entries = Object.entries(rules).map(([key, rule]) => {
    const compiled = compileRule(rule, { path: `${scope.path}.properties`, field: key }, scope.slots);
    const secret = scope.readsSecret(compiled, false);
    const named = { ...compiled, field: `properties.${key}` };
    return [key, secret ? hushed(named) : named] as const;
  });
  if (entries.length === 0) return [];
  const read = (raw: RawRecord, losses: Loss[]): FieldValue => {
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
  return [{ field: 'properties', read }];
}

const NO_FIELDS: Fields = {};

function mapPerson(raw: RawRecord, rules: CompiledPerson): Reading<Person> {
  const losses: Loss[] = [];
  try {
    const id = required(rules.id, raw);
    requireWhole(raw);
    const username = required(rules.username, raw, rules.withoutUsername);
    const active = rules.active.read(raw);
    const fields = readFields(rules.fields, raw, losses);
    requireField('name', losses);
    if (!fields['name']) throw new FieldProblem('name', 'is empty; a person needs a name');
    const secrets = rules.secrets.length === 0 ? NO_FIELDS : readFields(rules.secrets, raw, losses);
    const positions = positionsOf(rules.positions, raw, losses);
    const person: Person = { id, username, active, fields, secrets, positions };
    return { ok: true, record: losses.length === 0 ? person : { ...person, losses } };
  } catch (error) {
    const [id, label] = [readable(rules.id, raw), readable(rules.username, raw)];
    const known = { id, label, active: rules.active.says(raw) };
    return refuse(error, { subject: 'person', ...known, raw: (id ?? label) ? raw : called(raw, rules) });
  }
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

/** Returns positions as a set, one per unit: of several rules that name the same unit the first counts. */
function positionsOf(
  readers: readonly PositionReader[],
  raw: RawRecord,
  losses: Loss[],
): readonly Position[] {
  const first = readers[0]?.read(raw, losses) ?? [];
  if (readers.length <= 1 && first.length <= 1) return first;
  const byUnit = new Map<string | null, Position>();
  for (const position of [...first, ...readers.slice(1).flatMap((reader) => reader.read(raw, losses))]) {
    if (!byUnit.has(position.unit)) byUnit.set(position.unit, position);
  }
  return [...byUnit.values()];
}
