import { groupBy } from '../../domain/text/group-by.ts';

/** A unit as a line of the drawing. */
export interface DrawnUnit {
  readonly id: string;
  readonly parent: string | null;
  /** What happens to the unit: one character, coloured or not. */
  readonly sign: string;
  readonly text: string;
  readonly changed: boolean;
}

const MAX_LINES = 60;

/** Draws the units that change, and those above them, as a tree. A long tree is cut, and says so. */
export function* drawTree(
  units: readonly DrawnUnit[],
  root: Pick<DrawnUnit, 'text' | 'changed'>,
): Iterable<string> {
  const shown = withAncestors(units);
  if (shown.length === 0 && !root.changed) return;
  const children = groupBy(shown, ({ parent }) => parent);
  yield `    ${root.text}`;
  let lines = 0;
  for (const line of branch(children, null, '')) {
    lines += 1;
    if (lines > MAX_LINES) {
      yield `    … and ${shown.length - MAX_LINES} more units`;
      return;
    }
    yield line;
  }
}

function withAncestors(units: readonly DrawnUnit[]): readonly DrawnUnit[] {
  const byId = new Map(units.map((unit) => [unit.id, unit]));
  const shown = new Set<string>();
  for (const unit of units) {
    let next: DrawnUnit | undefined = unit.changed ? unit : undefined;
    while (next !== undefined && !shown.has(next.id)) {
      shown.add(next.id);
      next = next.parent === null ? undefined : byId.get(next.parent);
    }
  }
  return units.filter(({ id }) => shown.has(id)).map((unit) => rooted(unit, byId));
}

/** Puts a unit whose parent is not drawn below the root. */
function rooted(unit: DrawnUnit, byId: ReadonlyMap<string, DrawnUnit>): DrawnUnit {
  return unit.parent === null || byId.has(unit.parent) ? unit : { ...unit, parent: null };
}

function* branch(
  children: ReadonlyMap<string | null, readonly DrawnUnit[]>,
  parent: string | null,
  indent: string,
): Iterable<string> {
  const units = (children.get(parent) ?? []).toSorted((a, b) => (a.text < b.text ? -1 : 1));
  for (const [index, { id, sign, text }] of units.entries()) {
    const last = index === units.length - 1;
    yield `  ${sign} ${indent}${last ? '└─ ' : '├─ '}${text}`;
    yield* branch(children, id, `${indent}${last ? '   ' : '│  '}`);
  }
}
