import type { PersonChange, UnitChangeKind } from '../../domain/changes.ts';
import type { SequencedChange } from '../../domain/ports/ledger/plan-book.ts';
import { PERSON_KINDS, UNIT_KINDS } from '../../plan/changes/kinds.ts';
import { DragAlong, takesName, type PeopleGroup, type PlannedUnit } from '../../plan/units/drag-along.ts';
import { unhurried } from '../../lib/in-steps.ts';
import { block } from '../calls/call-item.ts';
import type { Run } from '../state/world.ts';

/**
 * Makes changes wait that would be useless or harmful without what guards have held. Each gets its reason, and the
 * hashes whose approval lets it go. A held change that would have to wait for another one needs the other's hash too.
 */
export async function dragAlong(run: Run, all: readonly string[]): Promise<void> {
  const { plan } = run.ledger;
  const released = await releases(run);
  for await (const { seq, change, isHeld, hashes } of unhurried(plan.sequencedChanges())) {
    const reason = isHeld ? null : released([]).reasonFor(change);
    if (!isHeld && reason === null) continue;
    const isEnough = (approved: readonly string[]): boolean =>
      released(approved).reasonFor(change) === null && hashes.every((hash) => approved.includes(hash));
    if (reason !== null) block(run, change, reason);
    if (isHeld && isEnough(hashes)) continue;
    const alone = isHeld ? [] : all.filter((hash) => isEnough([hash]));
    const more = all.map((hash) => [...hashes, hash]).find(isEnough) ?? all;
    if (isHeld) plan.stop(seq, 'held', more);
    else plan.stop(seq, 'waiting', alone.length > 0 ? alone : all);
  }
}

type HeldChange = Pick<SequencedChange, 'isHeld' | 'hashes'>;

/** Returns what waits once these hashes are approved. */
async function releases(run: Run): Promise<(approved: readonly string[]) => DragAlong> {
  // In the order of the decisions, parents come before their children.
  const units = [...run.ledger.plan.sequencedChanges('units')]
    .toSorted((a, b) => a.seq - b.seq)
    .flatMap(({ change, ...listed }) => (change.subject === 'unit' ? [{ change, ...listed }] : []));
  const entries = run.ledger.units.all().filter(({ state }) => state === 'managed');
  const groups = await peopleGroups(run, units);
  const known = new Map<string, DragAlong>();
  return (approved) => {
    const stays = <T extends HeldChange>(one: T): T & HeldChange => ({
      ...one,
      isHeld: one.isHeld && !one.hashes.every((hash) => approved.includes(hash)),
    });
    const key = approved.toSorted().join(' ');
    const dragging =
      known.get(key) ?? new DragAlong({ units: units.map(stays), entries, people: groups.map(stays) });
    known.set(key, dragging);
    return dragging;
  };
}

/** Groups people by their units: there are as many groups as combinations of units, however many people. */
async function peopleGroups(
  run: Run,
  units: readonly PlannedUnit[],
): Promise<readonly (PeopleGroup & HeldChange)[]> {
  const renamed = units.filter(({ change }) => change.kind === 'update' && takesName(change));
  const joined = idsOf(units, (kind) => UNIT_KINDS[kind].joins, renamed);
  const gone = idsOf(units, (kind) => kind === 'remove', renamed);
  const groups = new Map<string, PeopleGroup & HeldChange>();
  for await (const { change, isHeld, hashes } of unhurried(run.ledger.plan.sequencedChanges())) {
    if (change.subject === 'unit') continue;
    const { into, from } = unitsOf(change);
    const group = {
      into: into.filter((id) => joined.has(id)),
      from: from.filter((id) => gone.has(id)),
      isHeld,
      hashes,
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
