import { identifier, readFields, requiredField, type FieldChanges } from '../operation/body-fields.ts';
import { CREATION_FIELDS, PHONE_FIELDS, PROFILE_FIELDS, UNKEPT_FIELDS } from './employee-fields.ts';
import { barePhone, collapseBlanks } from '../readings/normalize.ts';
import { readPositions, type PositionDraft } from './position-draft.ts';
import { invalid } from '../operation/refused.ts';
import type { Service } from '../operation/service.ts';
import { isList, isObject, type WireObject, type WireValue } from '../wire/wire-value.ts';

/** A checked employee body. */
export interface EmployeeDraft {
  readonly name: string;
  readonly positions: readonly PositionDraft[];
  readonly profile: FieldChanges;
  readonly userId?: string | undefined;
  readonly password?: string | undefined;
}

export interface DraftKind {
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
