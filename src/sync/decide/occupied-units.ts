import type { Blocked } from '../../domain/changes.ts';
import { groupBy } from '../../domain/text/group-by.ts';
import type { NodeBook } from '../../plan/nodes/node-book.ts';
import { describeContents, waitingReason } from '../units/remove-units.ts';
import { namedBy } from '../calls/call-item.ts';
import type { RunRequest } from '../state/run-request.ts';
import type { Run } from '../state/world.ts';

/**
 * Drops removals that a run could not make now: as last seen, the node still has people or units, and this
 * plan does not move them elsewhere. Returns these units. For dry runs: a run that sends looks itself.
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
  const children = groupBy(nodes.all(), ({ parentId }) => parentId);
  const staysIn = whoStays(run);
  const leaving = new Set(units.flatMap(({ change }) => (change.kind === 'move' ? [change.id] : [])));
  return removals
    .toSorted((a, b) => b.depth - a.depth)
    .flatMap(({ seq, change, orgId }) => {
      const employees = (seen.get(orgId) ?? []).map(({ username }) => username);
      const below = (children.get(orgId) ?? []).map(({ id }) => id);
      const contents = {
        employees: employees.filter((username) => staysIn(username, change.id)),
        children: below.filter((id) => !leaving.has(nodes.ours.get(id) ?? '')),
        more: false,
      };
      const who = describeContents({ nodes }, contents);
      if (who === null) {
        leaving.add(change.id);
        return [];
      }
      plan.stop(seq, 'dropped', []);
      run.tally.planned(change, -1);
      return [{ ...namedBy(change), reason: waitingReason(who) }];
    });
}

/** Returns whether a person stays in a unit after this plan. Held changes move no person. */
function whoStays(run: Run): (username: string, unit: string) => boolean {
  const after = new Map<string, ReadonlySet<string | null>>();
  for (const { change, goesOn } of run.ledger.plan.sequencedChanges())
    if (goesOn && change.subject === 'person' && change.kind !== 'disable') {
      const left = change.kind === 'remove' ? [] : change.payload.positions;
      after.set(change.username, new Set(left.map(({ unit }) => unit)));
    }
  return (username, unit) => after.get(username)?.has(unit) ?? true;
}
