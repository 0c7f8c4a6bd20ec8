import type { Fields } from '../../records/fields.ts';
import type { MovedUnit, OldNode } from '../../records/moves.ts';
import type { UnitEntry } from './entries.ts';

/** Pictures that the service has from us: media id by digest. */
export interface Logos {
  all(): ReadonlyMap<string, string>;
  /** Remembers the media id of a digest, in place of an earlier one. */
  set(digest: string, mediaId: string): void;
}

/**
 * What the service shows of a node to which nothing is sent.
 *
 * - `accepted`: the fields of the unit's node, as they were sent
 * - `back`: the node of a removed unit exists again, or that of a unit whose creation was in doubt
 * - `gone`: the unit's node now belongs to others, or there is none: the unit counts as removed
 * - `old`: the same for a node that a moved unit has left: it is forgotten
 */
export type NodeShown =
  | { readonly is: 'accepted'; readonly unit: string; readonly fields: Fields }
  | { readonly is: 'back'; readonly unit: string; readonly orgId: string | null }
  | { readonly is: 'gone'; readonly unit: string }
  | { readonly is: 'old'; readonly orgId: string };

export interface Units {
  all(): readonly UnitEntry[];
  /** Notes what the service shows of a node to which nothing is sent. */
  note(shown: NodeShown): void;
  /**
   * Notes moves of an interrupted run, and nodes that moved units have left. People in these units are opened: see
   * `People.follow`.
   */
  recover(moves: readonly MovedUnit[], left: readonly OldNode[]): void;
  /** Gives units other source ids: new id by old id. Only the ledger changes. */
  rekey(ids: ReadonlyMap<string, string>): void;
  oldNodes(): readonly OldNode[];
}
