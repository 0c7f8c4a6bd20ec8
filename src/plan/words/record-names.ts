import type { PersonChange } from '../../domain/changes.ts';
import { printable } from '../../domain/text/printable.ts';
import type { UnitLabels } from './unit-labels.ts';

/** A person as texts name them. */
export interface NamedPerson {
  /** Source id. */
  readonly id: string;
  /** Username, else the id. */
  readonly label: string;
  /** Display name, where it is known. */
  readonly name?: string | undefined;
}

type NamedRecord = NamedPerson & { readonly subject: 'unit' | 'person' };

/** Returns a person as `username (Display Name)`; with `id`, the id is named as well. */
export function personName({ id: own, label, name = '' }: NamedPerson, id?: 'id'): string {
  const more = [name, id === undefined ? '' : own].filter((text) => text !== '' && text !== label);
  const inBrackets = more.map((text) => printable(text)).join(', ');
  return inBrackets === '' ? printable(label) : `${printable(label)} (${inBrackets})`;
}

/** Returns the person of a change. */
export function personOf({ id, username: label, payload }: PersonChange): NamedPerson {
  const { name } = payload.fields;
  return typeof name === 'string' ? { id, label, name } : { id, label };
}

/** Returns what names each of these records: a unit by its label, a person with the id where two would look the same. */
export function recordNames(
  records: readonly NamedRecord[],
  labels: UnitLabels,
): (record: NamedRecord) => string {
  const ids = new Map<string, Set<string>>();
  for (const one of records) {
    const name = personName(one);
    ids.set(name, (ids.get(name) ?? new Set()).add(one.id));
  }
  return (record) => {
    if (record.subject === 'unit') return labels.get(record.id) ?? printable(record.label);
    return personName(record, (ids.get(personName(record))?.size ?? 0) > 1 ? 'id' : undefined);
  };
}
