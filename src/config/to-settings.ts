import type { Settings } from '../domain/settings.ts';
import {
  isOauthClient,
  type CsvSettings,
  type FieldRule,
  type JoinSettings,
  type LdapSearch,
  type LdapSettings,
  type OneSource,
  type PersonRules,
  type PositionQueryRules,
  type ScimSettings,
  type SourceSettings,
  type SqlSettings,
  type UnitRules,
} from '../domain/source-settings.ts';
import { groupDefaults, namedVendor } from '../domain/directories/vendors.ts';
import { PARENT_GROUP, UNIT_GROUPS, type GroupMembers } from '../domain/source-choices.ts';
import { ofKind, type SettingsOf, type SourceKind } from '../domain/source-kinds.ts';
import { personFields, unitFields } from './schema/field-schema.ts';
import type { JoinInput, SettingsInput } from './parse-settings.ts';
import type { MemberInput, PersonInput, UnitInput } from './schema/source-schema.ts';

/**
 * Turns the shape of the file into the shape of the domain.
 * @param fileOf returns the file of a value that is exactly one `${file:…}`: a token is read again whenever it
 * is refused
 */
export function toSettings(
  input: SettingsInput,
  fileOf: (path: readonly string[]) => string | undefined,
): Settings {
  const { service, source } = input;
  const rereadable: Rereadable = (...path) => {
    const file = fileOf(path);
    return file === undefined ? undefined : { file };
  };
  return {
    ...input,
    service: {
      ...service,
      token: rereadable('service', 'token') ?? service.token,
      appToken: rereadable('service', 'appToken') ?? service.appToken,
    },
    source: sourceSettings(source, rereadable),
  };
}

type Rereadable = (...path: readonly string[]) => { readonly file: string } | undefined;

/** Turns what the file says of its sources into the shape of the domain. */
function sourceSettings(input: SettingsInput['source'], rereadable: Rereadable): SourceSettings {
  const settingsOf = (source: MemberInput<SourceKind>, name: string | null): OneSource =>
    oneSource(source, (...keys) =>
      name === null ? rereadable('source', ...keys) : rereadable('sources', name, ...keys),
    );
  if (input.type !== 'combined') return settingsOf(input, null);
  const members = input.members.map(({ source, joins, ...member }) => ({
    ...member,
    source: settingsOf(source, member.name),
    joins: joins.map((join) => joinSettings(join, settingsOf(join.source, join.from))),
  }));
  return { type: 'combined', members, distinct: input.distinct };
}

/** Where a source has its secret. */
const SECRETS = { ldap: 'bindPassword', sql: 'password', scim: 'token', csv: '' } as const;

function oneSource(input: MemberInput<SourceKind>, rereadable: Rereadable): OneSource {
  const settings = ofKind<MemberInput<SourceKind>, OneSource>(SETTINGS, input);
  if (settings.type === 'scim' && isOauthClient(settings.token)) {
    const clientSecret = rereadable('token', 'clientSecret') ?? settings.token.clientSecret;
    return { ...settings, token: { ...settings.token, clientSecret } };
  }
  const file = rereadable(SECRETS[settings.type]);
  return file === undefined ? settings : { ...settings, [SECRETS[settings.type]]: file };
}

function joinSettings(input: JoinInput, settings: OneSource): JoinSettings {
  const { source: _, lookup, ...join } = input;
  const rows =
    'base' in lookup ? searchOf({ ...lookup, fields: {} }, namedVendor(vendorOf(settings))?.people) : lookup;
  // The lookup is of the kind of its source.
  return { ...join, partner: (wanted) => ({ ...settings, rows: { ...rows, ...wanted } }) as OneSource };
}

const vendorOf = (settings: OneSource): Parameters<typeof namedVendor>[0] =>
  settings.type === 'ldap' ? settings.vendor : undefined;

const SETTINGS: { readonly [K in SourceKind]: (input: MemberInput<K>) => SettingsOf<K> } = {
  ldap: ldapSettings,
  sql: sqlSettings,
  csv: csvSettings,
  scim: scimSettings,
};

function ldapSettings({ units, people, url: urls, ...source }: MemberInput<'ldap'>): LdapSettings {
  const vendor = namedVendor(source.vendor);
  const [url = '', ...otherUrls] = [urls].flat();
  return {
    ...source,
    url,
    ...(otherUrls.length > 0 && { otherUrls }),
    ...(units !== undefined && { units: ldapUnits(units, vendor) }),
    ...(people !== undefined && { people: ldapPeople(people, vendor, units?.members !== undefined) }),
  };
}

type Vendor = ReturnType<typeof namedVendor>;

function ldapUnits(
  { noParent, members: input, ...units }: NonNullable<MemberInput<'ldap'>['units']>,
  vendor: Vendor,
): NonNullable<LdapSettings['units']> {
  const members = membersOf(input);
  const usual = vendor === null || members === undefined ? vendor?.units : groupDefaults(vendor, members.by);
  const rules = entryUnits(unitFields.parse(filled(usual?.fields, units.fields)), members);
  return {
    ...searchOf(units, usual),
    ...(members !== undefined && { members }),
    rules: noParent === undefined ? rules : { ...rules, noParent },
  };
}

function entryUnits(fields: UnitInput, members: GroupMembers | undefined): UnitRules {
  const { parent = members?.nested === 'units' ? PARENT_GROUP : 'parentDn', refs = ['dn', fields.id] } =
    fields;
  // The groups of a person are named by their DNs.
  const withDn = members === undefined || refs.includes('dn') ? refs : ['dn', ...refs];
  return unitRules({ ...fields, parent, refs: withDn });
}

type MembersInput = NonNullable<MemberInput<'ldap'>['units']>['members'];

function membersOf(input: MembersInput): GroupMembers | undefined {
  return typeof input === 'string' ? { by: input, nested: 'units' } : input;
}

function ldapPeople(
  { memberOf, ...people }: NonNullable<MemberInput<'ldap'>['people']>,
  vendor: Vendor,
  inGroups: boolean,
): NonNullable<LdapSettings['people']> {
  const inGroup = { unit: UNIT_GROUPS, ...(vendor !== null && { job_title: 'title' }) };
  const usual = { ...vendor?.people.fields, ...(inGroups && { positions: [inGroup] }) };
  const fields = personFields.parse(filled(usual, people.fields));
  return {
    ...searchOf(people, vendor?.people),
    ...(memberOf !== undefined && { memberOf: [memberOf].flat() }),
    rules: personRules(fields),
  };
}

type SearchInput = Omit<NonNullable<MemberInput<'ldap'>['units' | 'people']>, 'members' | 'memberOf'>;
type Search = LdapSearch & Omit<SearchInput, 'base' | 'scope' | 'filter' | 'fields'>;

/**
 * Returns a search without its fields, with the vendor's filter if the file has none. The order of its keys
 * is that of earlier versions, which compare it as text.
 */
function searchOf(
  { base, scope, filter, fields: _fields, ...rest }: SearchInput,
  vendor: { readonly filter: string } | undefined,
): Search {
  const [first = '', ...more] = [base].flat();
  return {
    base: first,
    filter: filter ?? vendor?.filter ?? '',
    scope,
    ...(more.length > 0 && { moreBases: more.map((one) => ({ base: one, scope })) }),
    ...rest,
  };
}

/** Returns the fields of the file, with the vendor's if it has none; a field that is `null` is not mapped. */
function filled(defaults: object | undefined, fields: object): unknown {
  const entries = Object.entries({ ...defaults, ...fields });
  return Object.fromEntries(entries.filter(([, rule]) => rule !== null));
}

function sqlSettings({ units, people, positions, ...source }: MemberInput<'sql'>): SqlSettings {
  return {
    ...source,
    ...(units !== undefined && { units: partOf(units, sqlUnits) }),
    ...(people !== undefined && sqlPeople(people)),
    positions: positions && partOf(positions, positionRules),
  };
}

function sqlPeople({
  changes: increments,
  ...people
}: NonNullable<MemberInput<'sql'>['people']>): Pick<SqlSettings, 'people' | 'increments'> {
  return { people: partOf(people, personRules), ...(increments !== undefined && { increments }) };
}

function sqlUnits({ refs, ...fields }: UnitInput): UnitRules {
  return unitRules({ ...fields, refs: refs ?? [fields.id] });
}

function csvSettings({ units, people, positions, ...source }: MemberInput<'csv'>): CsvSettings {
  return {
    ...source,
    ...(units !== undefined && { units: partOf(units, sqlUnits) }),
    ...(people !== undefined && { people: partOf(people, personRules) }),
    positions: positions && partOf(positions, positionRules),
  };
}

function scimSettings({ units, people, positions, ...source }: MemberInput<'scim'>): ScimSettings {
  return {
    ...source,
    ...(units !== undefined && { units: partOf(units, sqlUnits) }),
    ...(people !== undefined && { people: partOf(people, personRules) }),
    positions: positions && partOf(positions, positionRules),
  };
}

const positionRules = (fields: PositionQueryRules): PositionQueryRules => fields;

/** Returns a part with its rules in the shape of the domain. */
function partOf<
  F,
  R extends object,
  P extends { readonly fields: F; readonly noParent?: readonly string[] | undefined },
>(
  { fields, noParent, ...part }: P,
  rulesOf: (fields: F) => R,
): Omit<P, 'fields' | 'noParent'> & { readonly rules: R } {
  const rules = rulesOf(fields);
  return { ...part, rules: noParent === undefined ? rules : { ...rules, noParent } };
}

function unitRules({ id, refs, parent, ...fields }: UnitInput): UnitRules {
  return { id, refs, parent, fields: mapped(fields) };
}

function personRules(input: PersonInput): PersonRules {
  const { id, username, active, positions, properties, tag_names, source_identifiers, ...fields } = input;
  const maps = { properties, tag_names, source_identifiers };
  return { id, username, active, positions, ...maps, fields: mapped(fields) };
}

/** Keeps only what the file maps: a key is there or not. */
function mapped(
  fields: Readonly<Record<string, FieldRule | undefined>>,
): Readonly<Record<string, FieldRule>> {
  const entries = Object.entries(fields);
  return Object.fromEntries(entries.filter((entry): entry is [string, FieldRule] => entry[1] !== undefined));
}
