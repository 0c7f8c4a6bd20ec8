import type { FieldKind } from '../operation/body-fields.ts';

/**
 * Fields of the profile (interface: Employee body fields), without those that have a place of their own:
 * name, username and positions are required, password and source_credentials are never kept.
 */
export const PROFILE_FIELDS = {
  en_name: 'text',
  mobile: 'text',
  email: 'text',
  extension_id: 'text',
  serial_no: 'text',
  sort_order: 'integer',
  senior: 'flag',
  sn: 'text',
  province: 'text',
  city: 'text',
  tel: 'text',
  fax: 'text',
  workPhone: 'text',
  otherPhone: 'text',
  otherEmail: 'text',
  industry: 'text',
  region: 'text',
  label: 'text',
  extended1: 'text',
  extended2: 'text',
  extended3: 'text',
  id_card: 'text',
  gender: 'text',
  birthday: 'integer',
  tags: 'integers',
  tag_names: 'objects',
  rank: 'integer',
  employee_rank_name: 'text',
  properties: 'objects',
} as const satisfies Readonly<Record<string, FieldKind>>;

/** Fields that create and import take, but modify does not. */
export const CREATION_FIELDS = {
  source_id: 'text',
  user_id: 'text',
  password: 'text',
  source_credentials: 'text',
  source_identifiers: 'texts',
} as const satisfies Readonly<Record<string, FieldKind>>;

export const PHONE_FIELDS = ['mobile', 'tel', 'fax', 'workPhone', 'otherPhone'] as const;

/** Fields that are used on creation and then forgotten. */
export const UNKEPT_FIELDS = ['user_id', 'password', 'source_credentials'] as const;
