import { isRekey, type Change, type PersonChange } from '../../domain/changes.ts';
import { PERSON_KINDS } from '../../plan/changes/kinds.ts';
import { lostTitles } from '../../plan/people/merge-positions.ts';
import { lossesOf, unmappedOf, type Losses } from '../../plan/values/unmapped.ts';
import { accountOf, isTrusted, unmappedRules } from '../calls/person-body.ts';
import type { PlanningRun } from '../state/world.ts';

/** A planned change with what its import would clear for good: that is held by the guard `lost`. */
export function withLosses<C extends Change>(run: PlanningRun, change: C): C;
export function withLosses(run: PlanningRun, change: Change): Change {
  if (change.subject === 'unit' || !PERSON_KINDS[change.kind].isImported) return change;
  if (isTrusted(run, change) || isRekey(change)) return change;
  const loses = lossesFor(run, change);
  const held = loses === null ? change : { ...change, loses };
  const { meanwhile } = change;
  return meanwhile === undefined ? held : { ...held, meanwhile: withLosses(run, meanwhile) };
}

function lossesFor(run: PlanningRun, change: PersonChange): Losses | null {
  const shown = accountOf(run, change);
  if (shown === null) return null;
  const rules = unmappedRules(run);
  const losses = lossesOf(unmappedOf(change.payload, shown), rules);
  if (rules.unmapped === 'omit' || !hasLostTitle(run, change)) return losses;
  return { fields: [...(losses?.fields ?? []), 'job_title'], certain: true };
}

function hasLostTitle(run: PlanningRun, change: PersonChange): boolean {
  const wanted = change.payload.positions.flatMap(({ unit, fields }) => {
    const orgId = run.nodes.orgIdOf(unit);
    return orgId === undefined ? [] : [{ orgId, fields }];
  });
  const shown = accountOf(run, change)?.positions ?? [];
  return lostTitles(wanted, shown, { positions: run.sync.positions, nodes: run.nodes.ours }).length > 0;
}
