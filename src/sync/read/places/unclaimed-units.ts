import type { Ledger } from '../../../domain/ports/ledger/ledger.ts';
import type { PlacedPosition } from '../../../domain/records/payload.ts';
import type { Loss } from '../../../domain/records/records.ts';
import { listSome } from '../../../domain/text/printable.ts';
import type { Placement } from '../../../plan/people/positions.ts';
import type { UnitTree } from '../../../plan/units/tree.ts';

/** A person's positions in the tree, and what cannot be read of the record. */
export interface PlacedPerson extends Pick<Placement, 'positions' | 'problem'> {
  readonly losses: readonly Loss[];
}

/** Units that may have people about whom this read says nothing, each with the reason; `null`: the root. */
export type Unclaimed = ReadonlyMap<string | null, string>;

const OF_A_ROW = 'may be a row whose person cannot be read: correct that row';

/** Returns the positions with those that this read may not tell, which are listed as lost. */
export function withKept(
  placed: Placement,
  kept: readonly PlacedPosition[],
  losses: readonly Loss[],
  unclaimed: Unclaimed,
): PlacedPerson {
  const whys = new Set(kept.flatMap(({ unit }) => unclaimed.get(unit) ?? []));
  const lost = [...whys].map((why): Loss => {
    const same = kept.filter(({ unit }) => unclaimed.get(unit) === why);
    const names = listSome(same.map(({ unit }) => (unit === null ? 'at the root' : `in unit ${unit}`)));
    return { field: 'positions', reason: `the one ${names} ${why}` };
  });
  const positions = [...placed.positions, ...kept].toSorted((a, b) =>
    (a.unit ?? '') < (b.unit ?? '') ? -1 : 1,
  );
  return {
    positions,
    problem: placed.positions.length === 0 && placed.orphan ? null : placed.problem,
    losses: [
      ...losses,
      ...(placed.lost === null ? [] : [{ field: 'positions', reason: placed.lost }]),
      ...lost,
    ],
  };
}

/** Returns the units named by rows of positions whose person cannot be read. */
export function unclaimedUnits(ledger: Ledger, tree: UnitTree): Unclaimed {
  const units = new Map<string | null, typeof OF_A_ROW>();
  for (const { subject, id, unitRefs = [] } of ledger.staging.bad().refusals) {
    if (subject !== 'position' || id !== null) continue;
    for (const ref of unitRefs) {
      const target = tree.resolve(ref);
      if (target.is === 'root') units.set(null, OF_A_ROW);
      else if (target.is === 'unit') units.set(target.id, OF_A_ROW);
    }
  }
  return units;
}
