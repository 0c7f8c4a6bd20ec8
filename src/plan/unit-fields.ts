import type { FieldChange } from '../domain/changes.ts';
import type { Fields } from '../domain/fields.ts';
import type { UnitPayload } from '../domain/payload.ts';
import type { Organization } from '../domain/service.ts';
import { changedFields, sameValue } from './compare.ts';
import type { UnitNode } from './tree.ts';

/** Defaults at creation only (contract, Fields): type DEPT, serial_no the source id. */
export function serialOf(node: UnitNode): string {
  const mapped = node.unit.fields['serial_no'];
  return typeof mapped === 'string' ? mapped : node.unit.id;
}

/** Fields of a node that are mapped, shown, and no longer what they were after our last write. */
export function driftOf(accepted: Fields | null, shown: Fields, mapped: Fields): readonly FieldChange[] {
  if (accepted === null) return [];
  return Object.keys(mapped)
    .filter((name) => name in shown && !sameValue(accepted[name], shown[name]))
    .map((field) => ({ field, from: shown[field] ?? null, to: mapped[field] ?? null }));
}

export function nameOf({ fields }: UnitPayload): string {
  return typeof fields['name'] === 'string' ? fields['name'] : '';
}

export const nameKey = (parent: string, name: string): string => JSON.stringify([parent, name]);
export const serialKey = (serialNo: string): string => JSON.stringify([serialNo]);

/** What differs among the fields that the node shows; one found by its name gets our serial number. */
export function adoptedFields(node: Organization, mapped: Fields, serialNo: string): readonly FieldChange[] {
  const shown = Object.fromEntries(Object.entries(mapped).filter(([name]) => name in node.fields));
  const serial = { serial_no: serialNo };
  return changedFields({ ...node.fields, serial_no: node.serialNo }, { ...shown, ...serial });
}
