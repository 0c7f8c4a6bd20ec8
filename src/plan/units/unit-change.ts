import type { FieldChange, Origin, UnitChange, UnitChangeKind } from '../../domain/changes.ts';
import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { isEmpty, type Fields } from '../../domain/records/fields.ts';
import { untagged } from '../../domain/records/moves.ts';
import type { UnitPayload } from '../../domain/records/payload.ts';
import type { Doubt } from '../../domain/records/records.ts';
import type { Guard } from '../../domain/settings.ts';
import { unitName } from './tree.ts';
import { changedFields, sameValue } from '../values/compare.ts';

export interface UnitChangeParts {
  readonly payload: UnitPayload;
  readonly serialNo: string;
  readonly orgId: string | null;
  readonly why: string;
  readonly origin?: Origin;
  readonly guard: Guard | null;
  /** The topmost moved unit that this one follows. */
  readonly cause?: string | null;
  readonly fields?: readonly FieldChange[];
  readonly loses?: NonNullable<UnitChange['loses']>;
  readonly doubt?: Doubt | undefined;
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
 * Returns the mapped fields that a node shows otherwise than after rollcall's last write. A field of
 * `shownFields`, which the service shows of some node, is empty if this node does not show it.
 */
export function driftOf(
  { accepted }: Pick<UnitEntry, 'accepted'>,
  { shown, shownFields }: { readonly shown: Fields; readonly shownFields: ReadonlySet<string> },
  mapped: Fields,
): readonly FieldChange[] {
  if (accepted === null) return [];
  return Object.keys(mapped)
    .filter((name) => name !== 'serial_no')
    .filter((name) => (name in shown || shownFields.has(name)) && !sameValue(accepted[name], shown[name]))
    .map((field) => ({ field, from: shown[field] ?? null, to: mapped[field] ?? null }));
}

/**
 * Returns the guard that counts a change of these fields. None counts a change that only gives a node the logo that it
 * never had: a picture that could not be read or uploaded before is no change of the source, and nothing is replaced.
 */
export function guardOf(
  fields: readonly FieldChange[],
  { fields: shown }: Organization,
): Extract<Guard, 'updates'> | null {
  const givesLogo = fields.every(({ field, from }) => field === 'logo' && isEmpty(from));
  return fields.length === 0 || (givesLogo && isEmpty(shown['logo'])) ? null : 'updates';
}

type Carrier = Pick<UnitEntry, 'serialNo' | 'accepted'>;
type Numbered = Pick<Organization, 'serialNo'>;

/**
 * Returns the serial number that is to be set: a move that was taken back has tagged it, or an adoption may not have
 * set it.
 */
export function unsetSerial({ serialNo, accepted }: Carrier, node: Numbered): readonly FieldChange[] {
  const isTagged = untagged(node.serialNo) === serialNo;
  const isDoubtful = accepted === null && node.serialNo !== serialNo;
  return isTagged || isDoubtful ? [{ field: 'serial_no', from: node.serialNo, to: serialNo }] : [];
}

/** Returns the change if the node has another serial number than the one that was read back: it was edited. */
export function serialDrift({ serialNo, accepted }: Carrier, node: Numbered): readonly FieldChange[] {
  if (accepted?.['serial_no'] !== serialNo || node.serialNo === serialNo) return [];
  return [{ field: 'serial_no', from: node.serialNo, to: serialNo }];
}

/**
 * Returns the new serial number of a unit that has another id in the source now, if its node still shows a former
 * one.
 */
export function newSerial(
  { serialNo, formerSerialNos = [] }: Pick<UnitEntry, 'serialNo' | 'formerSerialNos'>,
  node: Numbered,
): readonly FieldChange[] {
  const shown = untagged(node.serialNo) ?? node.serialNo ?? '';
  if (shown === serialNo || !formerSerialNos.includes(shown)) return [];
  return [{ field: 'serial_no', from: node.serialNo, to: serialNo }];
}

/** Returns the change of a parent in the source, for a node that was already moved there in the service. */
export function placeChange(sent: UnitPayload, { parent }: UnitPayload): readonly FieldChange[] {
  return sent.parent === parent ? [] : [{ field: 'parent', from: sent.parent, to: parent }];
}

/** Returns what an adoption sends that the node does not show. A node that was found by its name gets our serial number. */
export function adoptedFields(node: Organization, mapped: Fields, serialNo: string): readonly FieldChange[] {
  return changedFields({ ...node.fields, serial_no: node.serialNo }, { ...mapped, serial_no: serialNo });
}

/** Stands in place of a parent's id for a node that is no unit's. */
export const NO_UNIT = '(a node that is no unit)';

/**
 * Returns the unit as its node shows it, below this parent: an adoption makes that ours, before a move brings it to its
 * place.
 */
export function asItStands(node: Organization, { fields }: UnitPayload, parent: string | null): UnitPayload {
  const kept = Object.entries(fields).flatMap(([name, value]) => {
    if (name === 'serial_no' || !(name in node.fields)) return [[name, value] as const];
    const shown = node.fields[name] ?? null;
    return shown === null ? [] : [[name, shown] as const];
  });
  return { fields: Object.fromEntries(kept), parent };
}
