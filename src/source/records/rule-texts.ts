import { PERSON_FIELDS, type FieldSpec } from '../../domain/records/fields.ts';
import type {
  FieldRule,
  PersonRules,
  PositionRules,
  OneSource,
  UnitRules,
} from '../../domain/source-settings.ts';
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
  const { unit, person, positions } = textsIn(settings, tellRule);
  return { unit, person, position: merged(positions) };
}

/**
 * Returns, as a text to be compared, what decides what a record maps to. The order in which it is written
 * does not matter. It contains no secrets.
 * @param place what else matters, e.g. the search base, which stands for the root
 */
export function fingerprintOf(settings: OneSource, place: readonly string[]): string {
  const { unit, person, positions } = textsIn(settings, showRule);
  const rules = [unit, person, ...positions].map(sorted);
  return JSON.stringify({ version: MAPPING_VERSION, place, rules });
}

/** Returns what the settings ask in each part, with their rules: texts to be compared, without secrets. */
export function asksOf(settings: OneSource): Source['asks'] {
  const { unit, person, positions } = textsIn(settings, tellRule);
  return {
    units: askedOf(settings.units, [unit]),
    people: askedOf(settings.people, [person]),
    positions: askedOf(settings.positions, positions),
  };
}

const askedOf = (part: object | undefined, texts: readonly Texts[]): string =>
  JSON.stringify([withoutRules(part), texts.map(sorted)]);

/** Returns what a part is asked for: query, filter, bases, conditions. */
const withoutRules = (part: object | undefined): object => ({ ...part, rules: null });

/** Returns what is asked for, and the rules that decide about people and units as they are written. */
export function decidingTexts(settings: OneSource): readonly unknown[] {
  const { people, units } = settings;
  const places = positionRulesOf(settings).map(({ unit }) => unit);
  const rules = [people?.rules.active, units?.rules.parent, ...places];
  return [
    rules.map((rule) => (rule === undefined ? null : showRule(rule))),
    [people, units, settings.positions].map(withoutRules),
  ];
}

type Show = (rule: FieldRule, secret: boolean) => string;

interface PartTexts extends Pick<SourceRules, 'unit' | 'person'> {
  readonly positions: readonly Texts[];
}

function textsIn(settings: OneSource, show: Show): PartTexts {
  return {
    unit: settings.units === undefined ? {} : unitTexts(settings.units.rules),
    person: settings.people === undefined ? {} : personTexts(settings.people.rules, show),
    positions: positionRulesOf(settings).map(positionTexts),
  };
}

function sorted(texts: Texts): readonly (readonly [string, string])[] {
  return Object.entries(texts).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function positionRulesOf(settings: OneSource): readonly PositionRules[] {
  const { people, positions: own } = settings;
  return [...(people?.rules.positions ?? []), ...(own === undefined ? [] : [own.rules])];
}

function unitTexts({ id, refs, parent, fields }: UnitRules): Texts {
  return {
    id: showRule(id),
    ...(refs !== undefined && { refs: refs.map((rule) => showRule(rule)).join(', ') }),
    ...textsOf({ parent, ...fields }),
  };
}

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
  return textsOf(all, (rule, name) => show(rule, secret(name)));
}

type NamedRules = Readonly<Record<string, FieldRule>>;

function prefixed(prefix: string, rules: NamedRules): NamedRules {
  return Object.fromEntries(Object.entries(rules).map(([key, rule]) => [`${prefix}.${key}`, rule]));
}

function positionTexts({ unit, job_title, primary, chief, source_type, ...rest }: PositionRules): Texts {
  return textsOf({ ...rest, unit, job_title, primary, chief, source_type });
}

function textsOf(
  rules: Readonly<Record<string, FieldRule | undefined>>,
  textOf: (rule: FieldRule, name: string) => string = (rule) => showRule(rule),
): Texts {
  return Object.fromEntries(
    Object.entries(rules).flatMap(([name, rule]) =>
      rule === undefined ? [] : [[name, textOf(rule, name)] as const],
    ),
  );
}

function merged(all: readonly Texts[]): Texts {
  const names = new Set(all.flatMap((texts) => Object.keys(texts)));
  const rulesFor = (name: string): string => all.flatMap((texts) => texts[name] ?? []).join(' | ');
  return Object.fromEntries([...names].map((name) => [name, rulesFor(name)]));
}
