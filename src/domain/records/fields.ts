/**
 * The interface's own field names and how each is written on the wire.
 *
 * Inside rollcall a value is text wherever the interface has a number: a 64-bit integer that passes through a
 * JavaScript number loses digits (promise 8). Only the service room turns it into a JSON number.
 *
 * - `text`: string
 * - `integer`: decimal digits, sent as a JSON number (Integer, Long)
 * - `date`: milliseconds since the epoch, 13 decimal digits, sent as a JSON number
 * - `boolean`
 * - `integers`: list of decimal digits, sent as a list of JSON numbers
 * - `textMap`: name → text
 * - `properties`: DATA_SCHEMA_ID → values, sent as `[{ data_schema_id, values }]`
 * - `tagNames`: group → tags, sent as `[{ group, tag }]`; shown as a list of the tags alone
 */
export type FieldKind =
  'text' | 'integer' | 'date' | 'boolean' | 'integers' | 'textMap' | 'properties' | 'tagNames';

export interface FieldSpec {
  readonly kind: FieldKind;
  /** What it is. */
  readonly about: string;
  /** A rule for it, as a file has it. */
  readonly example: string;
  /** Set for phone numbers and mail addresses: messages hide their values. */
  readonly contact?: true;
  /** Set for a field that the service's lists show. */
  readonly listed?: true;
  /** The only values that the interface takes. */
  readonly values?: readonly string[];
  /** Set for a secret: never logged or journalled, and never on disk in the clear. */
  readonly secret?: true;
  /** Set for a field that is sent on creation only, and takes no part in comparisons. */
  readonly creationOnly?: true;
  /** Set for a date that has come: two-digit years lie in the past, and a date in the future is refused. */
  readonly past?: true;
}

const text = { kind: 'text' } as const;
const integer = { kind: 'integer' } as const;

/** Interface, Organizations: "Create node body" (without parent). A logo is a picture's digest: see `logoOf`. */
export const UNIT_FIELDS = {
  name: { ...text, about: 'Name of the unit.', example: 'ou' },
  type: {
    kind: 'text',
    values: ['DEPT', 'CORP'],
    about: 'Kind of node. Default at creation: DEPT.',
    example: '{ const: DEPT }',
  },
  sn: { ...text, about: 'Node number.', example: 'unit_number' },
  serial_no: {
    ...text,
    about: 'Serial number, unique in the service. Default at creation: the id.',
    example: 'unit_code',
  },
  tel: { ...text, about: 'Telephone number.', example: 'telephoneNumber', contact: true },
  contact: { ...text, about: 'Contact of the unit.', example: 'contact_name', contact: true },
  sort_order: { ...integer, about: 'Place among its siblings.', example: 'position' },
  logo: {
    ...text,
    about: 'Picture: path of a file, or bytes (PNG, JPEG, GIF, WebP; at most 5 MB).',
    example: 'jpegPhoto',
  },
} as const satisfies Record<string, FieldSpec>;

/**
 * Fields that a node shows and a create body takes. If no rule maps them and they were edited in the service,
 * they go along when a unit gets a new node. Values that the service filled in itself do not.
 */
export const NODE_FIELDS_ALONG = ['logo'] as const;

/**
 * Interface, "Organization node": fields that others type into a node and that no body takes. `owner_id`
 * names its owner.
 */
export const NODE_FIELDS_UNWRITABLE = ['en_name', 'tw_name', 'owner_id'] as const;

/** Interface, Employees: "Employee body fields" (without username, positions and ops). */
export const PERSON_FIELDS = {
  name: { ...text, about: 'Display name.', example: 'cn', listed: true },
  en_name: { ...text, about: 'English name.', example: `{ expr: "givenName + ' ' + sn" }` },
  mobile: {
    ...text,
    about: 'Mobile number.',
    example: `{ expr: "phone(mobile, 'DE')" }`,
    contact: true,
    listed: true,
  },
  email: { ...text, about: 'E-mail address.', example: 'mail', contact: true, listed: true },
  extension_id: {
    ...text,
    about: 'Serial number from the source. Default at creation: the id.',
    example: 'employeeNumber',
  },
  serial_no: {
    ...text,
    about: 'Serial number from the source; extension_id takes precedence in the service.',
    example: 'employeeNumber',
  },
  sort_order: { ...integer, about: 'Place in the lists of the service.', example: 'sort_key', listed: true },
  senior: {
    kind: 'boolean',
    about: 'Is an executive.',
    example: `{ expr: "grade == 'E1'" }`,
    listed: true,
  },
  sn: { ...text, about: 'Employee number.', example: 'employeeNumber', listed: true },
  province: { ...text, about: 'Province.', example: 'st' },
  city: { ...text, about: 'City.', example: 'l' },
  tel: { ...text, about: 'Telephone number.', example: 'telephoneNumber', contact: true },
  fax: { ...text, about: 'Fax number.', example: 'facsimileTelephoneNumber', contact: true },
  workPhone: { ...text, about: 'Telephone number at work.', example: 'telephoneNumber', contact: true },
  otherPhone: { ...text, about: 'Another telephone number.', example: 'homePhone', contact: true },
  otherEmail: { ...text, about: 'Another e-mail address.', example: 'private_mail', contact: true },
  industry: { ...text, about: 'Industry.', example: 'industry' },
  region: { ...text, about: 'Region.', example: 'region' },
  label: { ...text, about: 'Label in the profile.', example: 'nickname' },
  extended1: { ...text, about: 'Free field.', example: 'cost_center' },
  extended2: { ...text, about: 'Free field.', example: 'building' },
  extended3: { ...text, about: 'Free field.', example: 'room' },
  source_id: {
    kind: 'text',
    creationOnly: true,
    about: 'Authentication source of the account.',
    example: '{ const: ldap }',
  },
  user_id: { kind: 'text', creationOnly: true, about: 'User id of the account.', example: 'user_id' },
  id_card: { kind: 'text', secret: true, about: 'Number of the ID card.', example: 'id_number' },
  password: {
    kind: 'text',
    secret: true,
    creationOnly: true,
    about: 'First password of a new user.',
    example: 'first_password',
  },
  gender: { ...text, about: 'Gender.', example: '{ expr: "lookup(\'genders\', sex)" }', listed: true },
  birthday: {
    kind: 'date',
    past: true,
    about: 'Birthday; a day in the future is not sent.',
    example: 'date_of_birth',
  },
  source_credentials: {
    kind: 'text',
    secret: true,
    creationOnly: true,
    about: 'Credential of another system.',
    example: 'credential',
  },
  source_identifiers: {
    kind: 'textMap',
    secret: true,
    about: 'KEY: rule. Login data elsewhere.',
    example: '{ wechat: wechat_id }',
  },
  tags: { kind: 'integers', about: 'Ids of tags; takes every value.', example: 'tag_ids', listed: true },
  tag_names: {
    kind: 'tagNames',
    about: 'GROUP: rule. Each value is a tag of that group.',
    example: '{ Staff: employeeType, Site: l }',
    listed: true,
  },
  rank: {
    ...integer,
    about: 'Rank; the service reads it before employee_rank_name.',
    example: 'grade_id',
    listed: true,
  },
  employee_rank_name: { ...text, about: 'Name of the rank.', example: 'grade' },
  properties: {
    kind: 'properties',
    about: 'DATA_SCHEMA_ID: rule. Properties by data schema.',
    example: '{ 4711: roomNumber }',
    listed: true,
  },
} as const satisfies Record<string, FieldSpec>;

/** Fields of them whose values no text may show. */
export const SECRET_FIELDS: readonly string[] = Object.entries<FieldSpec>(PERSON_FIELDS).flatMap(
  ([name, { secret }]) => (secret === true ? [name] : []),
);

/** Fields of them that the interface's list of employees shows ("Employee (list / view record)"). */
export const LISTED_FIELDS: readonly string[] = listed(PERSON_FIELDS);

function listed(specs: Readonly<Record<string, FieldSpec>>): readonly string[] {
  return Object.keys(specs).filter((name) => specs[name]?.listed === true);
}

/** Interface, Employees: "Position" of the employee body (without org_id and org_path). */
export const POSITION_FIELDS = {
  job_title: { ...text, about: 'Job title.', example: 'title', listed: true },
  primary: {
    kind: 'boolean',
    about: 'Is the main position.',
    example: '{ const: true }',
    listed: true,
  },
  chief: {
    kind: 'boolean',
    about: 'Is head of the unit.',
    example: 'is_head',
    listed: true,
  },
  source_type: { ...text, about: 'Group of positions.', example: '{ const: HR }' },
} as const satisfies Record<string, FieldSpec>;

/** Fields of them that the service shows anywhere ("Position (in list/view)"). */
export const LISTED_POSITION_FIELDS: readonly string[] = listed(POSITION_FIELDS);

export type UnitField = keyof typeof UNIT_FIELDS;
export type PersonField = keyof typeof PERSON_FIELDS;

/** A mapped value. Integers and dates are decimal digits; see {@link FieldKind}. */
export type FieldValue =
  | string
  | boolean
  | readonly string[]
  | Readonly<Record<string, string>>
  | Readonly<Record<string, readonly string[]>>;

/** Mapped fields by the interface's names. `null`: mapped, and absent in this record. No key: not mapped. */
export type Fields = Readonly<Record<string, FieldValue | null>>;

/**
 * Returns whether a value is nothing: missing, null, empty text, empty list and empty map are all the same.
 * `false` is a value.
 */
export function isEmpty(value: FieldValue | null | undefined): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
