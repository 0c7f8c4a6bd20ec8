import type { UnitChange } from '../../domain/changes.ts';
import { NodeValues } from '../../plan/units/node-values.ts';
import { NamesBelow } from './names-below.ts';
import type { Run } from '../state/world.ts';

/** What the changes of units in one run share. */
export interface UnitWork {
  readonly run: Run;
  /** Those that nothing holds. */
  readonly changes: readonly UnitChange[];
  readonly names: NamesBelow;
  /** What others typed into nodes, as they were when this run read them. */
  readonly values: NodeValues;
  /** Units among them that move. */
  readonly moves: ReadonlySet<string>;
  /** Changes of units that have a node, by its organization id: they may make room for another one's name. */
  readonly byOrgId: ReadonlyMap<string, UnitChange>;
}

export function unitWork(run: Run, changes: readonly UnitChange[]): UnitWork {
  const nodes = run.ledger.view.organizations();
  const placed = changes.flatMap((change) =>
    change.orgId === null ? [] : [[change.orgId, change] as const],
  );
  const moves = new Set(changes.filter(({ kind }) => kind === 'move').map(({ id }) => id));
  return {
    run,
    changes,
    moves,
    names: new NamesBelow(nodes),
    values: new NodeValues(nodes, run.ledger.units.all()),
    byOrgId: new Map(placed),
  };
}
