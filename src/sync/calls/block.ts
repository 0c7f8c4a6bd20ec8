import type { Change } from '../../domain/changes.ts';
import { failureOf } from './journalled.ts';
import type { Run } from '../state/world.ts';

/** Leaves a planned change for a later run, with the reason. */
export function block(run: Run, change: Change, reason: string): void {
  const blocked = failureOf(change, reason);
  run.ledger.staging.blocked(blocked);
  run.tally.blocked += 1;
  const { subject, id, label } = blocked;
  run.log.event({ event: 'item.blocked', subject, id, username: label, reason });
}
