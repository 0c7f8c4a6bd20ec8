import type { FieldChange, UnitChange, UnitChangeKind } from '../../domain/changes.ts';
import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { isEmpty, type Fields } from '../../domain/records/fields.ts';
import type { UnitPayload } from '../../domain/records/payload.ts';
import type { Reason } from '../../domain/reasons/reason.ts';
import type { Doubt } from '../../domain/records/records.ts';
import type { Guard } from '../../domain/guards.ts';
import type { WantedUnit } from './match-unit.ts';
import { unitName } from './tree.ts';
import { changedFields, sameValue } from '../values/compare.ts';

export interface UnitChangeParts {
  readonly payload: UnitPayload;
  readonly serialNo: string;
  readonly orgId: string | null;
  readonly why: Reason;
  readonly guard: Guard | null;
  /** The topmost moved unit that this one follows. */
  readonly cause?: string | null;
  readonly fields?: readonly FieldChange[];
  readonly loses?: NonNullable<UnitChange['loses']>;
  readonly doubt?: Doubt | undefined;
  readonly isOthers?: true;
}

export function unitChange(
  kind: UnitChangeKind,
  id: string,
  { fields = [], cause = null, doubt, ...parts }: UnitChangeParts,
): UnitChange {
  const change = {
    subject: 'unit',
    kind,
    id,
    name: unitName(parts.payload),
    fields,
    cause,
    ...parts,
  } as const;
  return doubt === undefined ? change : { ...change, doubt };
}

/**
 * Returns the mapped fields that a node shows otherwise than after rollcall's last write, and its serial number if that
 * is another one. A field of `shownFields`, which the service shows of some node, is empty if this node does not show it.
 */
export function driftOf(
  { accepted, serialNo }: Pick<UnitEntry, 'accepted' | 'serialNo'>,
  node: Organization,
  { mapped, shownFields }: { readonly mapped: Fields; readonly shownFields: ReadonlySet<string> },
): readonly FieldChange[] {
  if (accepted === null) return [];
  const shown = node.fields;
  const edited = Object.keys(mapped)
    .filter((name) => name !== 'serial_no')
    .filter((name) => (name in shown || shownFields.has(name)) && !sameValue(accepted[name], shown[name]))
    .map((field) => ({ field, from: shown[field] ?? null, to: mapped[field] ?? null }));
  return accepted['serial_no'] === serialNo ? [...edited, ...serialChange(serialNo, node)] : edited;
}

/** Returns the change that gives a node its serial number, if it shows another one. */
export function serialChange(to: string, { serialNo: from }: Organization): readonly FieldChange[] {
  return from === to ? [] : [{ field: 'serial_no', from, to }];
}

/**
 * Returns the guard that counts a change of these fields. None counts a change that only gives a node the logo that it
 * never had: a picture that could not be read or uploaded before is no change of the source, and nothing is replaced.
 * A parent under another id is the same node.
 */
export function guardOf(
  fields: readonly FieldChange[],
  { fields: shown }: Organization,
): Extract<Guard, 'updates'> | null {
  const isUncounted = ({ field, from }: FieldChange): boolean =>
    field === 'parent' || (field === 'logo' && isEmpty(from) && isEmpty(shown['logo']));
  return fields.every(isUncounted) ? null : 'updates';
}

/** Returns the change of a parent in the source. */
export function placeChange(sent: UnitPayload, { parent }: UnitPayload): readonly FieldChange[] {
  return sent.parent === parent ? [] : [{ field: 'parent', from: sent.parent, to: parent }];
}

/**
 * Returns what an adoption sends that the node does not show. A node that was found by its name gets our serial number. Of
 * a unit that was never ours, a logo that the node shows stays until the picture changes: a media id tells nothing about
 * a picture.
 */
export function adoptedFields(
  { known, payload, serialNo }: WantedUnit,
  node: Organization,
): readonly FieldChange[] {
  const shown = { ...node.fields, serial_no: node.serialNo };
  const fields = changedFields(shown, { ...payload.fields, serial_no: serialNo });
  const keepsLogo = known !== 'managed' && !isEmpty(node.fields['logo']);
  return keepsLogo ? fields.filter(({ field }) => field !== 'logo') : fields;
}

/** Returns what a unit's new node shows otherwise than what was last sent of it, or than the node that was found. */
export function fieldsOf(unit: WantedUnit, node: Organization): readonly FieldChange[] {
  const { entry, known, payload } = unit;
  if (known === 'managed' && entry?.orgId === node.id)
    return changedFields(entry.sent.fields, payload.fields);
  return adoptedFields(unit, node);
}

/** Setting our serial number, or a field, on a node that has none takes nothing away. */
export const takesNothing = (fields: readonly FieldChange[], node: Organization): boolean =>
  fields.every(({ field }) => field === 'serial_no' || !(field in node.fields));

/** Stands in place of a parent's id for a node that is no unit's. */
export const NO_UNIT = '(a node that is no unit)';
