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
  /** The only values that the interface takes. */
  readonly values?: readonly string[];
  /** Set for a secret: never logged or journalled, and never on disk in the clear. */
  readonly secret?: true;
  /** Set for a field that is sent on creation only, and takes no part in comparisons. */
  readonly creationOnly?: true;
  /** Set for a date that has come: two-digit years lie in the past, and a date in the future is refused. */
  readonly past?: true;
}

const text = { kind: 'text' } as const satisfies FieldSpec;
const integer = { kind: 'integer' } as const satisfies FieldSpec;

/** Interface, Organizations: "Create node body" (without parent). A logo is a picture's digest: see `logoOf`. */
export const UNIT_FIELDS = {
  name: text,
  type: { kind: 'text', values: ['DEPT', 'CORP'] },
  sn: text,
  serial_no: text,
  tel: text,
  contact: text,
  sort_order: integer,
  logo: text,
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
  name: text,
  en_name: text,
  mobile: text,
  email: text,
  extension_id: text,
  serial_no: text,
  sort_order: integer,
  senior: { kind: 'boolean' },
  sn: text,
  province: text,
  city: text,
  tel: text,
  fax: text,
  workPhone: text,
  otherPhone: text,
  otherEmail: text,
  industry: text,
  region: text,
  label: text,
  extended1: text,
  extended2: text,
  extended3: text,
  source_id: { kind: 'text', creationOnly: true },
  user_id: { kind: 'text', creationOnly: true },
  id_card: { kind: 'text', secret: true },
  password: { kind: 'text', secret: true, creationOnly: true },
  gender: text,
  birthday: { kind: 'date', past: true },
  source_credentials: { kind: 'text', secret: true, creationOnly: true },
  source_identifiers: { kind: 'textMap', secret: true },
  tags: { kind: 'integers' },
  tag_names: { kind: 'tagNames' },
  rank: integer,
  employee_rank_name: text,
  properties: { kind: 'properties' },
} as const satisfies Record<string, FieldSpec>;

/** Fields of them whose values no text may show. */
export const SECRET_FIELDS: readonly string[] = Object.entries<FieldSpec>(PERSON_FIELDS).flatMap(
  ([name, { secret }]) => (secret === true ? [name] : []),
);

/** Fields of them that the interface's list of employees shows ("Employee (list / view record)"). */
export const LISTED_FIELDS = [
  'name',
  'gender',
  'email',
  'mobile',
  'sn',
  'sort_order',
  'senior',
  'rank',
  'tags',
  'tag_names',
  'properties',
] as const satisfies readonly (keyof typeof PERSON_FIELDS)[];

/** Interface, Employees: "Position" of the employee body (without org_id and org_path). */
export const POSITION_FIELDS = {
  job_title: text,
  primary: { kind: 'boolean' },
  chief: { kind: 'boolean' },
  source_type: text,
} as const satisfies Record<string, FieldSpec>;

/** Fields of them that the service shows anywhere ("Position (in list/view)"). */
export const LISTED_POSITION_FIELDS = [
  'job_title',
  'primary',
  'chief',
] as const satisfies readonly (keyof typeof POSITION_FIELDS)[];

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
