import type { RunTally } from '../state/run-tally.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { Blocked } from '../../domain/changes.ts';
import { groupBy } from '../../domain/text/group-by.ts';
import type { NodeBook } from '../../plan/nodes/node-book.ts';
import { describeContents, doomedNodes, waitingNote } from '../units/remove-units.ts';

/** No unit: nobody who is sent to a unit stays in a node that a unit has left. */
const NONE = '';

/**
 * Drops removals that a run could not make now: as last seen, the node still has people or units, and this
 * plan does not move them elsewhere. Returns these units, and those whose old nodes wait likewise. For dry runs: a run
 * that sends looks itself.
 */
export function dropOccupied(ledger: Ledger, tally: RunTally, nodes: NodeBook): readonly Blocked[] {
  const doomed = doomedNodes(ledger, nodes, new Map());
  if (doomed.length === 0) return [];
  const { plan, view } = ledger;
  const units = [...plan.sequencedChanges('units')].filter(({ goesOn }) => goesOn);
  const seen = view.seenAt(doomed.map(({ orgId }) => orgId));
  const children = groupBy(nodes.all(), ({ parentId }) => parentId);
  const staysIn = whoStays(ledger);
  const moving = new Set(units.flatMap(({ change }) => (change.kind === 'move' ? [change.id] : [])));
  const emptied = new Set<string>();
  return doomed.flatMap((node) => {
    const { orgId, item, isOld } = node;
    const employees = (seen.get(orgId) ?? []).map(({ username }) => username);
    const below = (children.get(orgId) ?? []).map(({ id }) => id);
    const contents = {
      employees: employees.filter((username) => staysIn(username, isOld ? NONE : item.id)),
      children: below.filter((id) => !moving.has(nodes.ours.get(id) ?? NONE) && !emptied.has(id)),
      more: false,
    };
    const who = describeContents(nodes, contents);
    if (who === null) {
      emptied.add(orgId);
      return [];
    }
    for (const { seq, change } of units) {
      if (isOld || change.kind !== 'remove' || change.id !== item.id) continue;
      plan.revise(seq, null);
      tally.planned(change, -1);
    }
    return [waitingNote(node, who)];
  });
}

/** Returns whether a person stays in a unit after this plan. Held changes move no person. */
function whoStays(ledger: Ledger): (username: string, unit: string) => boolean {
  const after = new Map<string, ReadonlySet<string | null>>();
  for (const { change, goesOn } of ledger.plan.sequencedChanges())
    if (goesOn && change.subject === 'person' && change.kind !== 'disable') {
      const left = change.kind === 'remove' ? [] : change.payload.positions;
      after.set(change.username, new Set(left.map(({ unit }) => unit)));
    }
  return (username, unit) => after.get(username)?.has(unit) ?? true;
}
