import { personName, type NamedPerson } from '../../domain/records/named-person.ts';
import { printable } from '../../domain/text/printable.ts';
import type { UnitLabels } from './unit-labels.ts';

type NamedRecord = NamedPerson & { readonly subject: 'unit' | 'person' };

/** Returns what names each of these records: a unit by its label, a person with the id if two have the same username. */
export function recordNames(
  records: readonly NamedRecord[],
  labels: UnitLabels,
): (record: NamedRecord) => string {
  const ids = new Map<string, Set<string>>();
  for (const { id, label } of records) ids.set(label, (ids.get(label) ?? new Set()).add(id));
  return (record) => {
    if (record.subject === 'unit') return labels.get(record.id) ?? printable(record.label);
    return personName(record, (ids.get(record.label)?.size ?? 0) > 1 ? 'id' : undefined);
  };
}
