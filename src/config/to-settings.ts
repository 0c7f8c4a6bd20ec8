import type {
  FieldRule,
  LdapSettings,
  PersonRules,
  Settings,
  SourceSettings,
  SqlSettings,
  UnitRules,
} from '../domain/settings.ts';
import { ofKind, type SettingsOf, type SourceKind } from '../domain/source-kinds.ts';
import type { SettingsInput } from './schema/settings-schema.ts';
import type { PersonInput, SourceInput, UnitInput } from './schema/source-schema.ts';

/**
 * Turns the shape of the file into the shape of the domain.
 * @param fileOf returns the file of a key of `service` that is exactly one `${file:…}`: a token is read again
 * whenever the service refuses it
 */
export function toSettings(
  input: SettingsInput,
  fileOf: (key: 'token' | 'appToken') => string | undefined,
): Settings {
  const { service, source } = input;
  const again = (key: 'token' | 'appToken'): { readonly file: string } | undefined => {
    const file = fileOf(key);
    return file === undefined ? undefined : { file };
  };
  return {
    ...input,
    service: {
      ...service,
      token: again('token') ?? service.token,
      appToken: again('appToken') ?? service.appToken,
    },
    source: ofKind<SourceInput<SourceKind>, SourceSettings>(SETTINGS, source),
  };
}

const SETTINGS: { readonly [K in SourceKind]: (input: SourceInput<K>) => SettingsOf<K> } = {
  ldap: ldapSettings,
  sql: sqlSettings,
};

function ldapSettings({ units, people, ...source }: SourceInput<'ldap'>): LdapSettings {
  const { fields: unitFields, ...unitSearch } = units;
  const { fields: personFields, ...peopleSearch } = people;
  const { parent = 'parentDn', refs = ['dn', unitFields.id] } = unitFields;
  return {
    ...source,
    units: { ...unitSearch, rules: unitRules({ ...unitFields, parent, refs }) },
    people: { ...peopleSearch, rules: personRules(personFields) },
  };
}

function sqlSettings({ units, people, positions, ...source }: SourceInput<'sql'>): SqlSettings {
  const { refs = [units.fields.id] } = units.fields;
  return {
    ...source,
    units: {
      query: units.query,
      rules: unitRules({ ...units.fields, refs }),
    },
    people: { query: people.query, rules: personRules(people.fields) },
    positions: positions === undefined ? undefined : { query: positions.query, rules: positions.fields },
  };
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
