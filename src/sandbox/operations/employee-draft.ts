import { OPERATIONS } from '../../interface/operations/operations.ts';
import { invalid, type Service } from './operation.ts';
import {
  phoneDigits,
  collapseBlanks,
  fieldsIn,
  identifier,
  requiredField,
  type FieldChanges,
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

/** Reads a body of the employee whose row was checked; `names` are the fields of its profile. */
export function readEmployee(
  service: Service,
  body: WireObject,
  names: readonly string[] = CREATION_FIELDS,
): EmployeeDraft {
  const name = requiredField(body, 'name');
  return {
    name: service.readings.normalizes ? collapseBlanks(name) : name,
    positions: readPositions(service, body['positions']),
    profile: keptFields(service, fieldsIn(body, names)),
    userId: identifier(body['user_id']),
    password: identifier(body['password']),
  };
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
  if (typeof phone === 'string') kept.set(name, phoneDigits(phone));
}

/** A position of a body with its node resolved. It is complete: a field that is not there is empty. */
export type PositionDraft = Omit<PositionRecord, 'id'>;

/** Reads positions (interface: Employee body fields). */
function readPositions(service: Service, value: WireValue | undefined): readonly PositionDraft[] {
  const items = isList(value) ? value.filter(isObject) : [];
  if (items.length === 0 && service.readings.emptyPositions === 'refused')
    throw invalid('positions is required');
  return items.map((item) => ({
    orgId: nodeOf(service, item).id,
    jobTitle: text(item['job_title']),
    primary: item['primary'] === true,
    chief: item['chief'] === true,
    sourceType: text(item['source_type']),
  }));
}

function text(value: WireValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function nodeOf(service: Service, item: WireObject): OrganizationRecord {
  const { organizations } = service.world;
  const id = identifier(item['org_id']);
  const path = text(item['org_path']) ?? '';
  const node = id === undefined ? organizations.byPath(path) : organizations.get(id);
  if (node === undefined) throw invalid(`organization ${id ?? path} of a position does not exist`);
  return node;
}

const { name: _name, positions: _positions, ...modified } = OPERATIONS.modifyEmployee.body.of.fields;
const { username: _username, ...created } = OPERATIONS.createEmployee.body.of.fields;

/** Fields of the profile (interface: Employee body fields), without those that have a place of their own. */
export const PROFILE_FIELDS = Object.keys(modified);

/** Fields of create and import, which take more than modify. */
const CREATION_FIELDS = Object.keys(created).filter((name) => name !== 'name' && name !== 'positions');

const PHONE_FIELDS = ['mobile', 'tel', 'fax', 'workPhone', 'otherPhone'] as const;

/** Fields that are used on creation and then forgotten. */
const UNKEPT_FIELDS = ['user_id', 'password', 'source_credentials'] as const;
