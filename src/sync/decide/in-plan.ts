import type { Change } from '../../domain/changes.ts';
import type { Planned } from '../../domain/ports/ledger/plan-book.ts';
import { plannedOf } from '../../plan/changes/planned.ts';
import type { Run } from '../state/world.ts';

const JUST_MS = 7 * 86_400_000;

/** Returns a change as the plan book keeps it. */
export function inPlan({ ledger, clock }: Pick<Run, 'ledger' | 'clock'>, change: Change): Planned {
  return plannedOf(change, (id) => {
    const disabledAt = ledger.people.entry(id)?.disabledAt ?? null;
    return disabledAt !== null && clock.now() - disabledAt < JUST_MS;
  });
}
