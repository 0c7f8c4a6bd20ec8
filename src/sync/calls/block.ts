import type { Blocked, Change } from '../../domain/changes.ts';
import { failureOf } from './call-item.ts';
import type { Run } from '../state/world.ts';

/** Leaves a planned change for a later run, with the reason. */
export function block(run: Run, change: Change, reason: string): void {
  listBlocked(run, failureOf(change, reason));
  run.tally.blocked += 1;
}

/** Lists a record that is left as it is, and logs it. */
export function listBlocked({ ledger, log }: Run, blocked: Blocked): void {
  const { subject, id, label: username, reason } = blocked;
  ledger.plan.blocked(blocked);
  log.event({ event: 'item.blocked', subject, id, username, reason });
}
