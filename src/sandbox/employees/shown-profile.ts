import { isList, isObject, type WireObject, type WireValue } from '../wire/wire-value.ts';
import type { EmployeeRecord } from '../world/records.ts';
import type { Service } from '../operation/service.ts';
import { writeWire } from '../wire/write-wire.ts';
import { rankOf, tagsOf } from './employee-tags.ts';

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
