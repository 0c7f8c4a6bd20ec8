import type { FieldChange, Origin, UnitChange, UnitChangeKind } from '../../domain/changes.ts';
import type { UnitPayload } from '../../domain/records/payload.ts';
import type { Doubt } from '../../domain/records/seen.ts';
import type { Guard } from '../../domain/settings.ts';
import { unitName } from './unit-name.ts';

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
  readonly doubt?: Doubt;
}

export function unitChange(
  kind: UnitChangeKind,
  id: string,
  { fields = [], cause = null, ...parts }: UnitChangeParts,
): UnitChange {
  return { subject: 'unit', kind, id, name: unitName(parts.payload), fields, cause, ...parts };
}
