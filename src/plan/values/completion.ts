import type { FieldChange } from '../../domain/changes.ts';
import { propertiesOf } from '../../domain/records/emptied.ts';
import { isEmpty } from '../../domain/records/is-empty.ts';
import type { Shown } from '../../domain/ports/shown.ts';
import { sameValue } from './compare.ts';

/**
 * Returns whether a change only adds the properties that had to wait for their data schema: what a first load could not
 * send is no change of the source. Nothing that the service shows is replaced.
 *
 * @param awaited ids of the schemas
 */
export function isCompletion(
  fields: readonly FieldChange[],
  shown: Shown | undefined,
  awaited: ReadonlySet<string> | undefined,
): boolean {
  const [change, ...others] = fields;
  if (awaited === undefined || awaited.size === 0 || others.length > 0) return false;
  if (change?.field !== 'properties' || shown?.unread?.['properties'] !== undefined) return false;
  const [from, to] = [propertiesOf(change.from), propertiesOf(change.to)];
  const there = propertiesOf(shown?.fields['properties'] ?? null);
  const ids = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...ids].every(
    (id) => sameValue(from[id], to[id]) || (awaited.has(id) && isEmpty(from[id]) && isEmpty(there[id])),
  );
}
