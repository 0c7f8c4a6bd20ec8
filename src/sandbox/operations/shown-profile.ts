import type { Service } from './operation.ts';
import type { EmployeeRecord } from '../world/records.ts';
import { isList, isObject, writeWire, type WireObject, type WireValue } from '../world/wire-value.ts';

/** Values of a new account in the fields of the profile that every record shows. */
const ZEROS = {
  gender: '',
  email: '',
  mobile: '',
  sn: '',
  sort_order: 0,
  senior: false,
  rank: 0,
  tags: [],
  properties: [],
} as const satisfies WireObject;

/** Lists and flags, which are never left out. */
const ALWAYS_SHOWN: ReadonlySet<string> = new Set(['senior', 'tags', 'properties']);

type ShownProfile = Readonly<Record<keyof typeof ZEROS, WireValue | undefined>>;

/** Returns the profile as the readings `defaults` and `masked` show it. */
export function shownProfile(service: Service, employee: EmployeeRecord): ShownProfile {
  const { profile } = employee;
  const ids = service.readings.tagsShown === 'names' ? [] : tagsOf(employee).ids;
  const stored = {
    gender: profile['gender'],
    email: profile['email'],
    mobile: profile['mobile'],
    sn: profile['sn'],
    sort_order: profile['sort_order'],
    senior: profile['senior'],
    rank: rankOf(employee),
    tags: ids.length === 0 ? undefined : ids,
    properties: profile['properties'],
  };
  const shown = Object.entries(stored).map(([name, value]) => [name, shownValue(service, name, value)]);
  return Object.fromEntries(shown) as ShownProfile;
}

function shownValue(service: Service, name: string, value: WireValue | undefined): WireValue | undefined {
  const { defaults, masked, propertyShape } = service.readings;
  if (value !== undefined) {
    const seen = masked ? maskedValue(name, value) : value;
    return name === 'properties' && propertyShape === 'schema' ? bySchema(seen) : seen;
  }
  if (defaults === 'null') return null;
  const zeros: Readonly<Record<string, WireValue>> = ZEROS;
  return defaults === 'zero' || ALWAYS_SHOWN.has(name) ? zeros[name] : undefined;
}

/** Returns a masked value: "138****0000", "a****@example.com". */
function maskedValue(name: string, value: WireValue): WireValue {
  if (name === 'properties' && isList(value)) return value.map(maskedProperty);
  if (typeof value !== 'string') return value;
  if (name === 'mobile') return `${value.slice(0, 3)}****${value.slice(-4)}`;
  return name === 'email' ? value.replace(/(?<=^.).*?(?=@)/u, '****') : value;
}

function maskedProperty(property: WireValue): WireValue {
  if (!isObject(property) || !isList(property['values'])) return property;
  return { ...property, values: property['values'].map(() => '••••') };
}

function bySchema(properties: WireValue): WireValue {
  if (!isList(properties)) return properties;
  return properties.filter(isObject).map((property) => ({
    schema: { id: property['data_schema_id'] ?? '' },
    data: property['values'] ?? [],
  }));
}

/** Returns a schema for each property of the employee; one that is shown masked is private. */
export function dataSchemas(service: Service, { profile }: EmployeeRecord): readonly WireObject[] {
  const { properties } = profile;
  return (isList(properties) ? properties.filter(isObject) : []).map((property) => ({
    domain_id: service.domainId,
    org_code: service.orgCode,
    id: property['data_schema_id'] ?? '',
    ...namesOf(property['data_schema_id']),
    type: 'TEXT',
    options: [],
    min: -1,
    max: -1,
    visible_range: 'ALL',
    ops_range: 'FINAL',
    opsable: true,
    privacy: service.readings.masked,
    sort_order: 0,
  }));
}

function namesOf(id: WireValue | undefined): WireObject {
  const text = typeof id === 'string' ? id : writeWire(id ?? '');
  return { property: `property${text}`, name: `Property ${text}`, alias: `Field ${text}` };
}

/** Returns how a text without a value is shown. */
export function unsetText({ readings: { defaults } }: Service): WireValue | undefined {
  if (defaults === 'absent') return undefined;
  return defaults === 'zero' ? '' : null;
}

interface Tags {
  readonly ids: readonly WireValue[];
  readonly names: readonly WireValue[];
}

/** Returns the tags: tags and rank are "read first", their names only where those are absent (interface). */
export function tagsOf({ profile }: EmployeeRecord): Tags {
  const { tags, tag_names: named } = profile;
  if (isList(tags)) return { ids: tags, names: [] };
  const items = isList(named) ? named.filter(isObject) : [];
  return {
    ids: items.map((item) => idOfName(writeWire([item['group'] ?? '', item['tag'] ?? '']))),
    names: items.map((item) => item['tag'] ?? ''),
  };
}

function rankOf({ profile }: EmployeeRecord): WireValue | undefined {
  const name = profile['employee_rank_name'];
  return profile['rank'] ?? (typeof name === 'string' ? idOfName(name) : undefined);
}

/** Returns the same id for the same name without a table: FNV-1a, kept within an Integer. */
function idOfName(name: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  return hash >>> 1;
}
