import type { Fields } from '../../records/fields.ts';
import type { MovedUnit, OldNode } from '../../records/moves.ts';
import type { UnitEntry } from './entries.ts';

/** Pictures that the service has from us: media id by digest. */
export interface Logos {
  all(): ReadonlyMap<string, string>;
  /** Remembers the media id of a digest, in place of an earlier one; `null`: forgets the digest. */
  set(digest: string, mediaId: string | null): void;
}

export interface Units {
  all(): readonly UnitEntry[];
  accept(id: string, accepted: Fields): void;
  /**
   * Notes moves of an interrupted run, and nodes that moved units have left. People in these units are opened: see
   * `People.follow`.
   */
  recover(moves: readonly MovedUnit[], left: readonly OldNode[]): void;
  /** Gives units other source ids: new id by old id. Only the ledger changes. */
  rekey(ids: ReadonlyMap<string, string>): void;
  /** Notes that a removed unit is there again. */
  takeBack(id: string): void;
  /** Notes that a node is somebody else's by now: its unit counts as removed, or its old node is forgotten. */
  letGo(node: { readonly unit: string } | { readonly oldNode: string }): void;
  oldNodes(): readonly OldNode[];
}
