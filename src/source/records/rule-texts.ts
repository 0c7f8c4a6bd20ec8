import { PERSON_FIELDS, type FieldSpec } from '../../domain/records/fields.ts';
import type {
  FieldRule,
  PersonRules,
  PositionRules,
  OneSource,
  UnitRules,
} from '../../domain/source-settings.ts';
import { ofKind, type OfKinds } from '../../domain/source-kinds.ts';
import type { Source, SourceRules } from '../../domain/reading/source.ts';
import { showRule, tellRule } from '../mapping/rules/rule.ts';

type Texts = Readonly<Record<string, string>>;

/**
 * Version of the parts of a mapping that its rules do not show: a higher number makes every record be
 * compared anew.
 */
const MAPPING_VERSION = 1;

/** Returns the rule of each field as written; constants of secrets are left out. */
export function rulesOf(settings: OneSource): SourceRules {
  return {
    unit: settings.units === undefined ? {} : unitTexts(settings.units.rules),
    person: settings.people === undefined ? {} : personTexts(settings.people.rules, tellRule),
    position: merged(positionRules(settings).map(positionTexts)),
  };
}

/**
 * Returns the fingerprint of the settings.
 * @param place what else matters, e.g. the search base, which stands for the root
 */
export function fingerprintOf(settings: OneSource, place: readonly string[]): string {
  const { unit } = rulesOf(settings);
  const person = settings.people === undefined ? {} : personTexts(settings.people.rules, showRule);
  const position = positionRules(settings).map((rules) => sorted(positionTexts(rules)));
  return JSON.stringify({
    version: MAPPING_VERSION,
    place,
    unit: sorted(unit),
    person: sorted(person),
    position,
  });
}

/** Returns what the settings ask in each part, with their rules: texts to be compared. */
export function asksOf(settings: OneSource): Source['asks'] {
  const { unit, person, position } = rulesOf(settings);
  const { rules: _units, ...units } = settings.units ?? { rules: null };
  const { rules: _people, ...people } = settings.people ?? { rules: null };
  const asked = ofKind(POSITIONS_ASKED, settings);
  return {
    units: JSON.stringify([units, sorted(unit)]),
    people: JSON.stringify([people, sorted(person)]),
    positions: JSON.stringify([asked ?? null, sorted(position)]),
  };
}

/** What positions of their own are asked with. */
const POSITIONS_ASKED: OfKinds<string | undefined> = {
  ldap: () => undefined,
  sql: ({ positions }) => positions?.query,
  csv: ({ positions }) => positions?.file,
  scim: ({ positions }) =>
    positions === undefined ? undefined : JSON.stringify([positions.resource, positions.filter]),
};

/** Rules of positions that do not come from the records of people. */
const POSITION_RULES: OfKinds<readonly PositionRules[]> = {
  ldap: () => [],
  sql: ({ positions }) => (positions === undefined ? [] : [positions.rules]),
  csv: ({ positions }) => (positions === undefined ? [] : [positions.rules]),
  scim: ({ positions }) => (positions === undefined ? [] : [positions.rules]),
};

function positionRules(settings: OneSource): readonly PositionRules[] {
  return [...(settings.people?.rules.positions ?? []), ...ofKind(POSITION_RULES, settings)];
}

function unitTexts({ id, refs, parent, fields }: UnitRules): Texts {
  return {
    id: showRule(id),
    ...(refs !== undefined && { refs: refs.map((rule) => showRule(rule)).join(', ') }),
    ...(parent !== undefined && { parent: showRule(parent) }),
    ...textsOf(fields),
  };
}

type Show = (rule: FieldRule, secret: boolean) => string;

function personTexts(rules: PersonRules, show: Show): Texts {
  const { id, username, active, fields, properties, tag_names, source_identifiers } = rules;
  const specs: Readonly<Record<string, FieldSpec>> = PERSON_FIELDS;
  const secret = (name: string): boolean =>
    name.startsWith('source_identifiers.') || specs[name]?.secret === true;
  const maps = {
    ...prefixed('properties', properties),
    ...prefixed('tag_names', tag_names),
    ...prefixed('source_identifiers', source_identifiers),
  };
  const all = { id, username, active, ...fields, ...maps };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, rule]) =>
      rule === undefined ? [] : [[name, show(rule, secret(name))] as const],
    ),
  );
}

type NamedRules = Readonly<Record<string, FieldRule>>;

function prefixed(prefix: string, rules: NamedRules): NamedRules {
  return Object.fromEntries(Object.entries(rules).map(([key, rule]) => [`${prefix}.${key}`, rule]));
}

function positionTexts({ unit, job_title, primary, chief, source_type, ...rest }: PositionRules): Texts {
  return textsOf({ ...rest, unit, job_title, primary, chief, source_type });
}

function textsOf(rules: Readonly<Record<string, FieldRule | undefined>>): Texts {
  return Object.fromEntries(
    Object.entries(rules).flatMap(([name, rule]) =>
      rule === undefined ? [] : [[name, showRule(rule)] as const],
    ),
  );
}

function merged(all: readonly Texts[]): Texts {
  const names = new Set(all.flatMap((texts) => Object.keys(texts)));
  const rulesFor = (name: string): string => all.flatMap((texts) => texts[name] ?? []).join(' | ');
  return Object.fromEntries([...names].map((name) => [name, rulesFor(name)]));
}

function sorted(texts: Texts): readonly (readonly [string, string])[] {
  return Object.entries(texts).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
