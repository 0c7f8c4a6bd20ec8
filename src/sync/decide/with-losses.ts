import { isRekey, type Change, type PersonChange } from '../../domain/changes.ts';
import { PERSON_KINDS } from '../../plan/changes/kinds.ts';
import { lostTitles } from '../../plan/people/merge-positions.ts';
import { unmappedOf } from '../../plan/values/unmapped.ts';
import { accountOf, isTrusted } from '../calls/person-body.ts';
import type { PlanningRun } from '../state/world.ts';

/** Adds to a planned change what its import would clear for good: the guard `lost` holds that. */
export function withLosses<C extends Change>(run: PlanningRun, change: C): C;
export function withLosses(run: PlanningRun, change: Change): Change {
  if (change.subject === 'unit' || !PERSON_KINDS[change.kind].isImported) return change;
  if (run.sync.unmapped === 'omit' || isTrusted(run, change) || isRekey(change)) return change;
  const loses = lossesFor(run, change);
  const held = loses === null ? change : { ...change, loses };
  const { meanwhile } = change;
  return meanwhile === undefined ? held : { ...held, meanwhile: withLosses(run, meanwhile) };
}

/** Returns what cannot be sent as it is shown: nobody knows whether the service keeps it, but of titles, which go. */
function lossesFor(run: PlanningRun, change: PersonChange): NonNullable<PersonChange['loses']> | null {
  const shown = accountOf(run, change);
  if (shown === null) return null;
  const fields = unmappedOf(change.payload, shown).flatMap(({ name, writable }) => (writable ? [] : [name]));
  if (hasLostTitle(run, change)) return { fields: [...fields, 'job_title'], certain: true };
  return fields.length === 0 ? null : { fields, certain: false };
}

function hasLostTitle(run: PlanningRun, change: PersonChange): boolean {
  const wanted = change.payload.positions.flatMap(({ unit, fields }) => {
    const orgId = run.nodes.orgIdOf(unit);
    return orgId === undefined ? [] : [{ orgId, fields }];
  });
  const shown = accountOf(run, change)?.positions ?? [];
  return lostTitles(wanted, shown, { positions: run.sync.positions, nodes: run.nodes.ours }).length > 0;
}
