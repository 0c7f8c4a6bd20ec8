import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Organization } from '../../domain/ports/service.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import type { UnitTree } from './tree.ts';

export interface UnitsInput {
  readonly tree: UnitTree;
  readonly entries: readonly UnitEntry[];
  readonly organizations: readonly Organization[];
  /** Organization ids of nodes that moved units have left, and that are not deleted yet. */
  readonly oldNodes: ReadonlySet<string>;
  readonly rootOrgId: string;
  /** Mapped fields that a node which does not show them has not: others show them, also when asked for one by one. */
  readonly told: ReadonlySet<string>;
  readonly sync: SyncSettings;
}
