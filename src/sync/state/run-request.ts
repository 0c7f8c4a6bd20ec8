import type { Plan } from '../../domain/changes.ts';
import type { RunTrigger } from '../../domain/events.ts';
import type { PlanBook } from '../../domain/ports/ledger/plan-book.ts';
import type { UnitTree } from '../../plan/units/tree.ts';

/** What is asked of a run. */
export interface RunRequest {
  /** All of the service instead of what changed; the first run always is. */
  readonly full: boolean;
  readonly trigger: RunTrigger;
  /** Hashes of plans that a person approved. */
  readonly approve: readonly string[];
  /** Plans and sends nothing; the ledger is a scratch copy. */
  readonly dryRun: boolean;
  /** Called with the plan while its changes can still be read from the plan book. */
  readonly onPlan?: ((plan: Plan, book: PlanBook, tree: UnitTree) => void) | undefined;
}
