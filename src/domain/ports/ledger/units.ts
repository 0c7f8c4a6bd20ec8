import type { Fields } from '../../records/fields.ts';
import type { MovedUnit, OldNode } from '../../records/moves.ts';
import type { UnitEntry } from './entries.ts';

/** Pictures that the service has from us: media id by digest. */
export interface Logos {
  all(): ReadonlyMap<string, string>;
  /** Remembers the media id of a digest, in place of an earlier one. */
  remember(digest: string, mediaId: string): void;
  forget(digest: string): void;
}

export interface Units {
  all(): readonly UnitEntry[];
  accept(id: string, accepted: Fields): void;
  /** Notes a move of an interrupted run. */
  moved(moved: MovedUnit): void;
  /** Gives units other source ids: new id by old id. Only the ledger changes. */
  rekey(ids: ReadonlyMap<string, string>): void;
  /** Notes that a removed unit is there again. */
  takeBack(id: string): void;
  /** Notes that the unit's node is somebody else's by now: the unit counts as removed. */
  letGo(id: string): void;
  /** Notes an old node: its unit has another node by now. */
  left(node: OldNode): void;
  /** Forgets an old node that is somebody else's by now. */
  forgetOld(orgId: string): void;
  /** Returns the units whose nodes we changed last, the latest first. */
  changedLatest(limit: number): readonly string[];
  oldNodes(): readonly OldNode[];
}
