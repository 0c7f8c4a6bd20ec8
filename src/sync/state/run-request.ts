import type { Plan } from '../../domain/changes.ts';
import type { RunTrigger } from '../../domain/events.ts';
import type { Approval } from '../../domain/records/approval.ts';
import type { PlanBook } from '../../domain/ports/ledger/plan-book.ts';
import type { UnitTree } from '../../plan/units/tree.ts';

/** A record of the source. */
export interface OneRecord {
  readonly subject: 'unit' | 'person';
  /** Source id. */
  readonly id: string;
}

/** What is asked of a run that puts back what another one did. */
export interface RevertRequest {
  /** Id of the run. */
  readonly run: string;
  /** The one record that is put back; absent: all of them. */
  readonly only?: OneRecord | undefined;
}

/** What is asked of a run. */
export interface RunRequest {
  /** Whether to read all of the service instead of what changed. The first run always does. */
  readonly full: boolean;
  readonly trigger: RunTrigger;
  /** Id of the run, where it is known before; absent: a new one. */
  readonly id?: string | undefined;
  /** Hashes under which held changes are listed, and which a person approved. */
  readonly approve: readonly Approval[];
  /** Whether to plan only, and send nothing; the ledger is then a scratch copy. */
  readonly dryRun: boolean;
  /** Whether the run notes what it finds as any other, and sends nothing (`sync.mode: report`). */
  readonly reportOnly?: boolean | undefined;
  /** The one record that is sent, of a unit with all below it, and the units that have to be made for it; absent: all. */
  readonly only?: OneRecord | undefined;
  /** The run that is put back, in place of what the source has changed; it is approved by the hash of its plan. */
  readonly revert?: RevertRequest | undefined;
  /** Called with the plan, and awaited; its changes can be read from the plan book meanwhile. */
  readonly onPlan?: ((plan: Plan, book: PlanBook, tree: UnitTree, run: string) => unknown) | undefined;
}
