import type { Blocked, UnitChange } from '../../domain/changes.ts';
import type { NodeBook } from '../../plan/nodes/node-book.ts';
import { describeContents, waitingReason } from '../units/remove-units.ts';
import type { RunRequest } from '../state/run-request.ts';
import type { Run } from '../state/world.ts';

/**
 * Drops removals that a run could not make now, since somebody is still in the node by what the service was last seen to
 * show, and this plan takes them nowhere else. Returns these units. For dry runs: a run that sends looks itself.
 */
export function dropOccupied(run: Run, nodes: NodeBook, { dryRun }: RunRequest): readonly Blocked[] {
  if (!dryRun || run.reverting !== null) return [];
  const { plan, view } = run.ledger;
  const units = [...plan.sequencedChanges('units')].filter(({ goesOn }) => goesOn);
  const removals = units.flatMap(({ seq, change }) => {
    const isRemoval = change.subject === 'unit' && change.kind === 'remove' && change.orgId !== null;
    return isRemoval ? [{ seq, change, orgId: change.orgId, depth: nodes.depthOf(change.orgId) }] : [];
  });
  if (removals.length === 0) return [];
  const seen = view.seenAt(removals.map(({ orgId }) => orgId));
  const staysIn = whoStays(run);
  const leaving = new Set(units.flatMap(({ change }) => (change.kind === 'move' ? [change.id] : [])));
  return removals
    .toSorted((a, b) => b.depth - a.depth)
    .flatMap(({ seq, change, orgId }) => {
      const employees = (seen.get(orgId) ?? []).map(({ username }) => username);
      const below = [...nodes.all()].filter((node) => node.parentId === orgId);
      const contents = {
        employees: employees.filter((username) => staysIn(username, change.id)),
        children: below.flatMap(({ id }) => (leaving.has(nodes.ours.get(id) ?? '') ? [] : [id])),
        more: false,
      };
      const who = describeContents({ nodes }, contents);
      if (who === null) leaving.add(change.id);
      else drop(run, seq, change);
      return who === null ? [] : [{ ...recordOf(change), reason: waitingReason(who) }];
    });
}

const recordOf = ({ id, name }: UnitChange) => ({ subject: 'unit', id, label: name }) as const;

function drop({ ledger, tally }: Run, seq: number, change: UnitChange): void {
  ledger.plan.stop(seq, 'dropped', []);
  tally.planned(change, -1);
}

/** Returns whether somebody is still in a unit once this plan is done; nobody is moved by what is held. */
function whoStays(run: Run): (username: string, unit: string) => boolean {
  const after = new Map<string, ReadonlySet<string | null>>();
  for (const { change, goesOn } of run.ledger.plan.sequencedChanges())
    if (goesOn && change.subject === 'person' && change.kind !== 'disable') {
      const left = change.kind === 'remove' ? [] : change.payload.positions;
      after.set(change.username, new Set(left.map(({ unit }) => unit)));
    }
  return (username, unit) => after.get(username)?.has(unit) ?? true;
}
