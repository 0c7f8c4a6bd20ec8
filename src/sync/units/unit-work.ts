import type { UnitChange } from '../../domain/changes.ts';
import { NodeValues } from '../../plan/nodes/node-values.ts';
import type { SendingRun } from '../state/world.ts';

/** What the changes of units in one run share. */
export interface UnitWork {
  readonly run: SendingRun;
  /** Those that nothing holds. */
  readonly changes: readonly UnitChange[];
  /** What others typed into nodes, as they were when this run read them. */
  readonly values: NodeValues;
  /** Units among them that move. */
  readonly moves: ReadonlySet<string>;
  /** Changes of units that have a node, by its organization id: they may make room for another one's name. */
  readonly byOrgId: ReadonlyMap<string, UnitChange>;
}

export function unitWork(run: SendingRun, changes: readonly UnitChange[]): UnitWork {
  const placed = changes.flatMap((change) =>
    change.orgId === null ? [] : [[change.orgId, change] as const],
  );
  const moves = new Set(changes.filter(({ kind }) => kind === 'move').map(({ id }) => id));
  return {
    run,
    changes,
    moves,
    values: new NodeValues([...run.nodes.all()], run.ledger.units.all()),
    byOrgId: new Map(placed),
  };
}
