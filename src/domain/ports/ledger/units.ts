import type { Fields } from '../../records/fields.ts';
import type { UnitEntry } from './entries.ts';

/**
 * What the service shows of a node to which nothing is sent.
 *
 * - `accepted`: the fields of the unit's node, as they were sent
 * - `gone`: the unit's node now belongs to others, or there is none: the unit counts as removed
 */
export type NodeShown =
  | { readonly is: 'accepted'; readonly unit: string; readonly fields: Fields }
  | { readonly is: 'gone'; readonly unit: string };

export interface Units {
  all(): readonly UnitEntry[];
  /** Notes what the service shows of a node to which nothing is sent. */
  note(shown: NodeShown): void;
}
