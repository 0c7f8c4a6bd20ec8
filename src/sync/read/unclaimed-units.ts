import type { PlacedPosition } from '../../domain/records/payload.ts';
import type { Loss } from '../../domain/records/records.ts';
import { listSome } from '../../domain/text/printable.ts';
import type { Placement } from '../../plan/people/positions.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import type { Run } from '../state/world.ts';

/** A person's positions in the tree, and what cannot be read of the record. */
export interface Placed extends Pick<Placement, 'positions' | 'problem'> {
  readonly losses: readonly Loss[];
}

/** Returns the positions with those that may be rows whose person cannot be read, which are listed as lost. */
export function withKept(
  placed: Placement,
  kept: readonly PlacedPosition[],
  losses: readonly Loss[],
): Placed {
  const names = listSome(kept.map(({ unit }) => (unit === null ? 'at the root' : `in unit ${unit}`)));
  const reason = `the one ${names} may be a row whose person cannot be read: correct that row`;
  const positions = [...placed.positions, ...kept].toSorted((a, b) =>
    (a.unit ?? '') < (b.unit ?? '') ? -1 : 1,
  );
  return {
    positions,
    problem: placed.positions.length === 0 && placed.orphan ? null : placed.problem,
    losses: [...losses, { field: 'positions', reason }],
  };
}

/** Returns the units named by rows of positions whose person cannot be read; `null`: the root. */
export function unclaimedUnits(run: Run, tree: UnitTree): ReadonlySet<string | null> {
  const rows = run.ledger.staging
    .refusals()
    .filter(({ subject, id }) => subject === 'position' && id === null);
  const units = rows.flatMap(({ unitRefs = [] }) =>
    unitRefs.flatMap((ref): readonly (string | null)[] => {
      const target = tree.resolve(ref);
      if (target.is === 'root') return [null];
      return target.is === 'unit' ? [target.id] : [];
    }),
  );
  return new Set(units);
}
