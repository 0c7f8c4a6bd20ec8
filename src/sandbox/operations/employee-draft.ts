import { invalid, type Service } from './operation.ts';
import {
  barePhone,
  collapseBlanks,
  identifier,
  readFields,
  requiredField,
  type FieldChanges,
  type FieldKind,
} from './request-parts.ts';
import type { OrganizationRecord, PositionRecord } from '../world/records.ts';
import { isList, isObject, type WireObject, type WireValue } from '../world/wire-value.ts';

/** A checked employee body. */
export interface EmployeeDraft {
  readonly name: string;
  readonly positions: readonly PositionDraft[];
  readonly profile: FieldChanges;
  readonly userId?: string | undefined;
  readonly password?: string | undefined;
}

interface DraftKind {
  /** Whether the body is one of create or import, which take more fields than modify. */
  readonly creation: boolean;
}

export function readEmployee(service: Service, body: WireObject, kind: DraftKind): EmployeeDraft {
  const name = requiredField(body, 'name');
  const fields = readFields(body, kind.creation ? { ...PROFILE_FIELDS, ...CREATION_FIELDS } : PROFILE_FIELDS);
  requireTags(fields.get('tag_names'));
  requireProperties(fields.get('properties'));
  return {
    name: service.readings.normalizes ? collapseBlanks(name) : name,
    positions: readPositions(service, body['positions']),
    profile: keptFields(service, fields),
    userId: identifier(fields.get('user_id')),
    password: identifier(fields.get('password')),
  };
}

/** Requires the fields that a body with REMOVE must have; what they name need not exist. */
export function requireRemovable(body: WireObject): void {
  requiredField(body, 'name');
  const positions = body['positions'];
  if (!isList(positions) || positions.length === 0) throw invalid('positions is required');
}

/**
 * Returns the fields to keep. `tags` and `rank` are read first, so each of them replaces the field with its
 * name, and the other way round.
 */
function keptFields(service: Service, fields: FieldChanges): FieldChanges {
  const kept = new Map(fields);
  for (const name of UNKEPT_FIELDS) kept.delete(name);
  displace(kept, 'tags', 'tag_names');
  displace(kept, 'rank', 'employee_rank_name');
  if (service.readings.normalizes) PHONE_FIELDS.forEach((name) => normalizePhone(kept, name));
  return kept;
}

function displace(kept: Map<string, WireValue | undefined>, first: string, second: string): void {
  if (kept.get(first) !== undefined) kept.set(second, undefined);
  else if (kept.get(second) !== undefined) kept.set(first, undefined);
}

function normalizePhone(kept: Map<string, WireValue | undefined>, name: string): void {
  const phone = kept.get(name);
  if (typeof phone === 'string') kept.set(name, barePhone(phone));
}

function requireTags(tags: WireValue | undefined): void {
  for (const tag of isList(tags) ? tags : []) {
    if (!isObject(tag) || typeof tag['group'] !== 'string' || typeof tag['tag'] !== 'string') {
      throw invalid('tag_names needs group and tag in each element');
    }
  }
}

function requireProperties(properties: WireValue | undefined): void {
  for (const property of isList(properties) ? properties : []) {
    const id = isObject(property) ? identifier(property['data_schema_id']) : undefined;
    if (id === undefined || !isObject(property) || !isList(property['values'])) {
      throw invalid('properties needs data_schema_id and values in each element');
    }
  }
}

/** A position of a body with its node resolved. It is complete: a field that is not there is empty. */
export type PositionDraft = Omit<PositionRecord, 'id'>;

const POSITION_FIELDS = { job_title: 'text', primary: 'flag', chief: 'flag', source_type: 'text' } as const;

/** Reads positions, which are required (interface: "org_id and org_path must not both be empty"). */
function readPositions(service: Service, value: WireValue | undefined): readonly PositionDraft[] {
  if (!isList(value)) throw invalid('positions is required');
  if (value.length === 0 && service.readings.emptyPositions === 'refused') {
    throw invalid('positions is required');
  }
  return value.map((item) => readPosition(service, item));
}

function readPosition(service: Service, item: WireValue): PositionDraft {
  if (!isObject(item)) throw invalid('a position is no object');
  const fields = readFields(item, POSITION_FIELDS);
  return {
    orgId: nodeOf(service, item).id,
    jobTitle: text(fields.get('job_title')),
    primary: fields.get('primary') === true,
    chief: fields.get('chief') === true,
    sourceType: text(fields.get('source_type')),
  };
}

function text(value: WireValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function nodeOf(service: Service, item: WireObject): OrganizationRecord {
  const { organizations } = service.world;
  const id = identifier(item['org_id']);
  const path = text(item['org_path']) ?? '';
  if (id === undefined && path === '') throw invalid('org_id and org_path are both empty');
  const node = id === undefined ? organizations.byPath(path) : organizations.get(id);
  if (node === undefined) throw invalid(`organization ${id ?? path} of a position does not exist`);
  return node;
}

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
const CREATION_FIELDS = {
  source_id: 'text',
  user_id: 'text',
  password: 'text',
  source_credentials: 'text',
  source_identifiers: 'texts',
} as const satisfies Readonly<Record<string, FieldKind>>;

const PHONE_FIELDS = ['mobile', 'tel', 'fax', 'workPhone', 'otherPhone'] as const;

/** Fields that are used on creation and then forgotten. */
const UNKEPT_FIELDS = ['user_id', 'password', 'source_credentials'] as const;
