import { isRekey, type Change } from '../../domain/changes.ts';
import type { HistoryRecord } from '../../domain/ports/history.ts';
import type { Approval } from '../../domain/records/approval.ts';
import { FORGOTTEN } from '../../domain/records/former-account.ts';
import { approvalOf } from '../../plan/changes/change-digest.ts';
import { historyRecord } from '../../plan/changes/history-record.ts';
import { changesOf } from '../calls/changes-of.ts';
import { trips } from './hold-back.ts';
import type { Run } from '../state/world.ts';

/**
 * Changes the ids of people who are the same person, where that was approved or no guard holds it. Only the ledger
 * changes. Returns the new ids, which are to be compared.
 */
export function applyRekeys(run: Run): readonly string[] {
  const rekeys = [...changesOf(run, 'person', ['adopt'])].filter((change) => isRekey(change));
  if (rekeys.length === 0) return [];
  const approved = run.ledger.approvals.all();
  const isHeld = trips(run, 'usernameReuse');
  const rekeyed: string[] = [];
  for (const change of rekeys) {
    const from = change.fields.find(({ field }) => field === 'id')?.from;
    const approval = approvalOf(change, approved);
    if (typeof from !== 'string' || (isHeld && approval === null)) continue;
    if (from === FORGOTTEN) run.ledger.forgotten.release(change.username);
    else run.ledger.people.rekey(from, change.id);
    run.ledger.history.add('person', change.id, rekeyRecord(change, approval));
    run.tally.applied += 1;
    rekeyed.push(change.id);
  }
  return rekeyed;
}

/** Returns what the history keeps of it: the id alone; what follows is compared anew, and has an entry of its own. */
function rekeyRecord(change: Change, approval: Approval | null): HistoryRecord {
  const fields = change.fields.filter(({ field }) => field === 'id');
  return historyRecord({ ...change, fields }, approval);
}
