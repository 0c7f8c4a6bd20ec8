import { PERSON_FIELDS, type Fields, type FieldSpec } from '../../domain/records/fields.ts';
import type { Loss, Person, Position, Reading } from '../../domain/records/records.ts';
import type { FieldRule, PersonRules } from '../../domain/settings.ts';
import { compileActive, type ActiveReader } from './active.ts';
import { compileFields, readFields, requireField, type FieldReader } from './field-reader.ts';
import { identifiersReader, propertiesReader, tagNamesReader } from './map-readers.ts';
import { FieldProblem, refuse } from './rules/field-problem.ts';
import { compilePosition, type PositionReader } from './map-position.ts';
import type { Mapper } from './mapper.ts';
import { Slots, type RawRecord } from './rules/raw-record.ts';
import { howToLeaveOut, readable, requireWhole, required } from './required.ts';
import { compileRule, type Rule } from './rules/rule.ts';
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
    ...identifiersReader(rules.source_identifiers, scope),
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
      ...tagNamesReader(rules.tag_names, scope),
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
