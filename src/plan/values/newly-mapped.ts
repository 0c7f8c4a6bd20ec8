import type { FieldChange } from '../../domain/changes.ts';
import { propertiesOf } from '../../domain/records/emptied.ts';
import { isEmpty, type Fields, type FieldValue } from '../../domain/records/fields.ts';
import type { PersonPayload, PlacedPosition } from '../../domain/records/payload.ts';
import type { EmployeePosition } from '../../domain/ports/service.ts';
import type { Shown } from '../../domain/ports/shown.ts';
import { sameValue } from './compare.ts';
import { differsFrom } from './compare-shown.ts';

/*
 * What was sent says nothing of a field that got its rule later. If the source has no value for it, what the service
 * shows would be emptied by the next write, and no change would name it.
 */

/** Returns the fields that were never sent, are empty in the source, and have a value in the service. */
export function emptiedUnsent(
  { fields: sent }: PersonPayload,
  { fields: wanted }: PersonPayload,
  shown: Shown,
): readonly FieldChange[] {
  const fields = unsent(sent, wanted);
  return differsFrom({ fields, positions: [] }, shown, { isOurs: () => false });
}

/** Returns what is empty and was not sent; of properties, those of single schemas. */
function unsent(sent: Fields, wanted: Fields): Fields {
  const fields = Object.entries(wanted).filter(([name, value]) => !(name in sent) && sameValue(value, null));
  const before = propertiesOf(sent['properties']);
  const schemas = Object.entries(propertiesOf(wanted['properties'])).filter(
    ([id, values]) => !(id in before) && isEmpty(values),
  );
  const properties = schemas.length === 0 ? [] : [['properties', Object.fromEntries(schemas) as FieldValue]];
  return Object.fromEntries([...fields, ...properties]) as Fields;
}

/** Adds to positions that were sent what their nodes show of fields that were not sent and are empty now. */
export function withShownAt(
  sent: readonly PlacedPosition[],
  wanted: readonly PlacedPosition[],
  shown: readonly EmployeePosition[],
  orgIdOf: (unit: string | null) => string | undefined,
): readonly PlacedPosition[] {
  const at = new Map(shown.map(({ orgId, fields }) => [orgId, fields]));
  const now = new Map(wanted.map(({ unit, fields }) => [unit, fields]));
  return sent.map(({ unit, fields }) => {
    const empty = unsent(fields, now.get(unit) ?? {});
    const seen = Object.entries(at.get(orgIdOf(unit) ?? '') ?? {}).filter(([name]) => name in empty);
    return seen.length === 0
      ? { unit, fields }
      : { unit, fields: { ...Object.fromEntries(seen), ...fields } };
  });
}
