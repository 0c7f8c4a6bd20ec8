import type { Fields } from '../../domain/records/fields.ts';
import type { Position } from '../../domain/records/records.ts';
import type { PositionSample, Sample } from '../../domain/reading/source.ts';
import { placeOf } from '../../plan/people/positions.ts';
import type { UnitTree } from '../../plan/units/tree.ts';

/** A position as the source has it now. */
export interface WantedPosition {
  /** Source id of the unit, `null` for the root; `undefined`: no unit has this reference. */
  readonly unit: string | null | undefined;
  /** Reference by which the source names the unit. */
  readonly ref: string | null;
  readonly fields: Fields;
  /** Why nobody can be put there, or `null`. */
  readonly problem: string | null;
}

/** Units of the source, as a plan made now has them. */
export interface UnitsNow {
  readonly tree: UnitTree;
  /** Units that the plan leaves as they are: source id → reason. */
  readonly blocked: ReadonlyMap<string, string>;
}

export interface Read {
  readonly samples: readonly Sample[];
  readonly rows: readonly PositionSample[];
  readonly units: UnitsNow;
}

/**
 * Returns the positions of one person: those in the record itself, and the rows of a separate positions
 * query.
 */
export function wantedPositions(
  id: string | null,
  { samples, rows, units }: Read,
): readonly WantedPosition[] {
  const own = samples.flatMap(({ reading }) =>
    reading.ok && 'username' in reading.record && reading.record.id === id ? reading.record.positions : [],
  );
  const ofRows = rows.flatMap(({ reading }) =>
    reading.ok ? reading.record.map(({ position }) => position) : [],
  );
  return [...own, ...ofRows].map((position) => wanted(position, units));
}

function wanted({ unit: ref, fields }: Position, { tree, blocked }: UnitsNow): WantedPosition {
  const { unit, problem } = placeOf(ref, tree);
  const why = typeof unit === 'string' ? blocked.get(unit) : undefined;
  return { unit, ref, fields, problem: problem ?? (why === undefined ? null : `unit ${unit ?? ''}: ${why}`) };
}
