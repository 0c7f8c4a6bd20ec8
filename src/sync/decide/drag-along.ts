import type { PersonChange, UnitChangeKind } from '../../domain/changes.ts';
import type { SequencedChange } from '../../domain/ports/ledger/plan-book.ts';
import { PERSON_KINDS, UNIT_KINDS } from '../../plan/changes/kinds.ts';
import { DragAlong, takesName, type PeopleGroup, type PlannedUnit } from '../../plan/units/drag-along.ts';
import { block } from '../calls/block.ts';
import type { Run } from '../state/world.ts';

/** Makes changes wait that would be useless or harmful without what guards have held. Each gets its reason. */
export function dragAlong(run: Run): void {
  const { plan } = run.ledger;
  const planned = plan.unitChanges();
  const units: readonly PlannedUnit[] = planned.flatMap(({ change, isHeld }) =>
    change.subject === 'unit' ? [{ change, isHeld }] : [],
  );
  const entries = run.ledger.units.all().filter(({ state }) => state === 'managed');
  const dragging = new DragAlong({ units, entries, people: peopleGroups(run, units) });
  for (const one of planned) {
    const reason = dragging.waiting.get(one.change.id);
    if (reason !== undefined) wait(run, one, reason);
  }
  for (const one of plan.sequencedChanges()) {
    if (one.isHeld || one.change.subject === 'unit') continue;
    const reason = dragging.reasonFor(one.change);
    if (reason !== null) wait(run, one, reason);
  }
}

function wait(run: Run, { seq, change }: SequencedChange, reason: string): void {
  run.ledger.plan.wait(seq);
  block(run, change, reason);
}

/** Groups people by their units: there are as many groups as combinations of units, however many people. */
function peopleGroups(run: Run, units: readonly PlannedUnit[]): readonly PeopleGroup[] {
  const renamed = units.filter(({ change }) => change.kind === 'update' && takesName(change));
  const joined = idsOf(units, (kind) => UNIT_KINDS[kind].joins, renamed);
  const gone = idsOf(units, (kind) => kind === 'remove', renamed);
  const groups = new Map<string, PeopleGroup>();
  for (const { change, isHeld } of run.ledger.plan.sequencedChanges()) {
    if (change.subject === 'unit') continue;
    const { into, from } = unitsOf(change);
    const group = {
      into: into.filter((id) => joined.has(id)),
      from: from.filter((id) => gone.has(id)),
      isHeld,
    };
    if (group.into.length + group.from.length > 0) groups.set(JSON.stringify(group), group);
  }
  return [...groups.values()];
}

function idsOf(
  units: readonly PlannedUnit[],
  isMeant: (kind: UnitChangeKind) => boolean,
  also: readonly PlannedUnit[],
): ReadonlySet<string> {
  const those = units.filter(({ change }) => isMeant(change.kind));
  return new Set([...those, ...also].map(({ change }) => change.id));
}

/** Returns the units that a change leads into and out of. People who leave stay in the unit until they are gone. */
function unitsOf({ kind, payload, before = [] }: PersonChange): Pick<PeopleGroup, 'into' | 'from'> {
  const { leaves } = PERSON_KINDS[kind];
  const into = leaves ? [] : payload.positions.flatMap(({ unit }) => unit ?? []);
  return { into, from: before.flatMap(({ unit }) => unit ?? []) };
}
