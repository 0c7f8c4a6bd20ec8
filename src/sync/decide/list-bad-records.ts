import type { LostField } from '../../domain/ports/ledger/source-stage.ts';
import type { Refusal } from '../../domain/records/records.ts';
import type { Run } from '../state/world.ts';

/** Lists what the source has and cannot be used: whole records, which are left as they are, and single fields. */
export function listBadRecords(run: Run): void {
  const { staging } = run.ledger;
  for (const refusal of staging.refusals()) refused(run, refusal);
  for (const loss of staging.losses()) lost(run, loss);
}

/** Lists a refused record. It is named by its place in the source only where it has neither label nor id. */
function refused(run: Run, { subject: part, id, place, field, reason, label }: Refusal): void {
  const subject = part === 'unit' ? 'unit' : 'person';
  const name = label ?? id ?? place;
  run.tally.failed += 1;
  run.ledger.plan.blocked({ subject, id: id ?? name, label: name, reason: `${field}: ${reason}` });
  run.log.event({ event: 'item.failed', subject, id, username: name, field, reason });
}

function lost(run: Run, { subject, id, label, field, reason: why }: LostField): void {
  const reason = `${field}: ${why}; left as it is, the rest goes on`;
  run.tally.failed += 1;
  run.ledger.plan.blocked({ subject, id, label, reason, goesOn: true });
  run.log.event({ event: 'item.failed', subject, id, username: label, field, reason });
}
