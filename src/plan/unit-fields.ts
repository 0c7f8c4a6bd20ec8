import type { FieldChange } from '../domain/changes.ts';
import type { Fields } from '../domain/fields.ts';
import type { UnitPayload } from '../domain/payload.ts';
import type { Organization } from '../domain/service.ts';
import { changedFields, sameValue } from './compare.ts';

/** Fields of a node that are mapped, shown, and no longer what they were after our last write. */
export function driftOf(accepted: Fields | null, shown: Fields, mapped: Fields): readonly FieldChange[] {
  if (accepted === null) return [];
  return Object.keys(mapped)
    .filter((name) => name in shown && !sameValue(accepted[name], shown[name]))
    .map((field) => ({ field, from: shown[field] ?? null, to: mapped[field] ?? null }));
}

/** Moved in the source to where somebody has put its node already. */
export function placeChange(sent: UnitPayload, { parent }: UnitPayload): readonly FieldChange[] {
  return sent.parent === parent ? [] : [{ field: 'parent', from: sent.parent, to: parent }];
}

/** What differs among the fields that the node shows; one found by its name gets our serial number. */
export function adoptedFields(node: Organization, mapped: Fields, serialNo: string): readonly FieldChange[] {
  const shown = Object.fromEntries(Object.entries(mapped).filter(([name]) => name in node.fields));
  const serial = { serial_no: serialNo };
  return changedFields({ ...node.fields, serial_no: node.serialNo }, { ...shown, ...serial });
}
