import { identifier, readFields, requiredField, type FieldChanges } from '../operation/body-fields.ts';
import { collapseBlanks } from '../readings/normalize.ts';
import type { OrganizationRecord } from '../world/records.ts';
import { conflict, invalid, noOrganization } from '../operation/refused.ts';
import type { Service } from '../operation/service.ts';
import type { WireObject } from '../wire/wire-value.ts';

type Optional = Pick<OrganizationRecord, 'logo' | 'tel' | 'contact' | 'sn' | 'serialNo' | 'sortOrder'>;

const TEXTS = { logo: 'text', tel: 'text', contact: 'text', sn: 'text', serial_no: 'text' } as const;

/** Reads the body of create (interface: Create node body), except for the parent. */
export function readCreateBody(
  service: Service,
  body: WireObject,
): Optional & Pick<OrganizationRecord, 'type' | 'name'> {
  const type = readType(requiredField(body, 'type'));
  const name = readName(service, requiredField(body, 'name'));
  return { type, name, ...optional(readFields(body, { ...TEXTS, sort_order: 'integer' })) };
}

/**
 * Reads the body of modify (interface: Modify node). All fields are optional, and sort_order is a String
 * here.
 */
export function readModifyBody(service: Service, body: WireObject): Partial<OrganizationRecord> {
  const type = body['type'] === undefined ? {} : { type: readType(requiredField(body, 'type')) };
  const name = body['name'] === undefined ? {} : { name: readName(service, requiredField(body, 'name')) };
  return { ...type, ...name, ...optional(readFields(body, TEXTS)), ...sortOrderText(body) };
}

const RECORD_NAMES: Readonly<Record<string, string>> = { serial_no: 'serialNo', sort_order: 'sortOrder' };

function optional(changes: FieldChanges): Partial<Optional> {
  const entries = Array.from(changes, ([name, value]) => [RECORD_NAMES[name] ?? name, value]);
  const fields: Partial<Optional> = Object.fromEntries(entries);
  return fields;
}

function sortOrderText(body: WireObject): Partial<Optional> {
  const text = body['sort_order'];
  if (text === undefined) return {};
  if (text === '' || text === null) return { sortOrder: undefined };
  if (typeof text !== 'string' || !/^-?\d{1,9}$/.test(text)) {
    throw invalid('sort_order is not a string of digits');
  }
  return { sortOrder: Number(text) };
}

function readType(type: string): string {
  if (type !== 'DEPT' && type !== 'CORP') throw invalid('type is neither DEPT nor CORP');
  return type;
}

function readName(service: Service, name: string): string {
  return service.readings.normalizes ? collapseBlanks(name) : name;
}

/**
 * Returns the parent. parent_id counts before parent_path where both are given, because an id cannot be
 * ambiguous.
 */
export function parentOf(service: Service, body: WireObject): OrganizationRecord {
  const { organizations } = service.world;
  const id = identifier(body['parent_id']);
  const path = body['parent_path'];
  if (id === undefined && !path) throw invalid('parent_path and parent_id are both empty');
  if (id === undefined && typeof path !== 'string') throw invalid('parent_path is not of type text');
  const parent =
    typeof path === 'string' && id === undefined ? organizations.byPath(path) : organizations.get(id ?? '');
  if (parent === undefined) throw noOrganization();
  return parent;
}

/**
 * Refuses a serial number that another node has (interface: Create node body, "serial_no (third-party serial
 * number, unique)").
 */
export function requireFreeSerial(service: Service, serialNo: string | undefined, ownId?: string): void {
  if (serialNo === undefined) return;
  const holder = service.world.organizations.bySerial(serialNo);
  if (holder !== undefined && holder.id !== ownId) throw conflict(`serial_no ${serialNo} already exists`);
}
