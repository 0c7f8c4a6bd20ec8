import type { Fields } from '../../records/fields.ts';
import type { MovedUnit, OldNode } from '../../records/moves.ts';
import type { UnitEntry } from './entries.ts';

export interface Units {
  all(): readonly UnitEntry[];
  accept(id: string, accepted: Fields): void;
  /** Notes a move of an interrupted run. */
  moved(moved: MovedUnit): void;
  /** The same units under other source ids: new id of each old one. Only the ledger changes. */
  rekey(ids: ReadonlyMap<string, string>): void;
  /** Removed, and there again. */
  takeBack(id: string): void;
  /** Its node is somebody else's by now: it counts as removed. */
  letGo(id: string): void;
  /** Its unit has another one by now. */
  left(node: OldNode): void;
  /** Somebody else's by now. */
  forgetOld(orgId: string): void;
  /** Returns those whose nodes we changed last, the latest first. */
  changedLatest(limit: number): readonly string[];
  oldNodes(): readonly OldNode[];
}
