import { PERSON_FIELDS, type Fields, type FieldSpec } from '../../domain/records/fields.ts';
import type { Loss, Person, Position, Reading } from '../../domain/records/records.ts';
import type { FieldRule, PersonRules } from '../../domain/source-settings.ts';
import { compileActive, type ActiveReader } from './active.ts';
import { choicesIn, compileFields, readFields, requireField, type FieldReader } from './field-reader.ts';
import { identifiersReader, propertiesReader, tagNamesReader } from './map-readers.ts';
import { FieldProblem, refuse } from './rules/field-problem.ts';
import { compilePosition, type PositionReader } from './map-position.ts';
import { scoped, type Mapper, type MappingOptions } from './mapper.ts';
import { compileCondition, type Condition } from './rules/condition.ts';
import type { RawRecord } from './values/raw-record.ts';
import { howToLeaveOut, identity, readable, readableId, required } from './required.ts';
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
  const names = scope.slots.names;
  return {
    names,
    places: scope.slots.places,
    secretNames: new Set(names.filter((_, slot) => scope.isSecret(slot))),
    map: (raw) => mapPerson(raw, compiled),
  };
}

function compilePerson(rules: PersonRules, scope: Scope, options: MappingOptions): CompiledPerson {
  const { path } = scope;
  const secrets = [
    ...compileFields(filterRules(rules.fields, isSecret), PERSON_FIELDS, scope),
    ...identifiersReader(rules.source_identifiers, scope),
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
      ...propertiesReader(rules.properties, scope),
      ...tagNamesReader(rules.tag_names, scope),
    ],
    positions: rules.positions.map((rule, index) =>
      compilePosition(rule, scope.at(`${path}.positions[${index}]`)),
    ),
    where: conditionOf(options.where, 'source.people', scope),
    protect: conditionOf(options.protect, 'sync.protect', scope),
  };
}

function conditionOf(text: string | undefined, path: string, scope: Scope): Condition | null {
  return text === undefined ? null : compileCondition(text, { path, field: 'where' }, scope);
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
    const id = identity(rules.id, raw);
    const username = required(rules.username, raw, rules.withoutUsername);
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
    const told: Person = active === null ? { ...bare, whyUnknown: rules.active.why(raw) } : bare;
    const person: Person = isProtected ? { ...told, isProtected } : told;
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
 * Returns whether the person is protected, where the record is in scope; else what becomes of the record. A
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
