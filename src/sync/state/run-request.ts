import type { Plan } from '../../domain/changes.ts';
import type { RunTrigger } from '../../domain/events.ts';
import type { PlanBook } from '../../domain/ports/ledger/plan-book.ts';
import type { UnitTree } from '../../plan/units/tree.ts';

/** What is asked of a run. */
export interface RunRequest {
  /** Whether to read all of the service instead of what changed. The first run always does. */
  readonly full: boolean;
  readonly trigger: RunTrigger;
  /** Hashes under which held changes are listed, and which a person approved. */
  readonly approve: readonly string[];
  /** Whether to plan only, and send nothing; the ledger is then a scratch copy. */
  readonly dryRun: boolean;
  /** Called with the plan while its changes can still be read from the plan book. */
  readonly onPlan?: ((plan: Plan, book: PlanBook, tree: UnitTree) => void) | undefined;
}
