import { isRekey } from '../../domain/changes.ts';
import type { Approval } from '../../domain/records/approval.ts';
import { approvalOf } from '../../plan/changes/change-digest.ts';
import { historyRecord } from '../../plan/changes/history-record.ts';
import { trips } from './hold-back.ts';
import type { PeoplePlanner } from './plan-people.ts';
import type { Run } from '../state/world.ts';

/**
 * Gives people their new ids who were approved as the same person, and plans what follows: that was shown, and is approved,
 * with the ids.
 */
export function takeNewPersonIds(run: Run, people: PeoplePlanner): void {
  const taken = takeIds(run);
  people.again(taken);
  for (const { id, approval } of taken)
    if (approval !== null)
      run.ledger.approvals.approve({ ...approval, at: run.clock.now() }, { is: 'following', of: id });
}

/** A person whose new id the ledger has taken, and who approved that. */
interface Rekeyed {
  readonly id: string;
  readonly approval: Approval | null;
}

/**
 * Changes the ids of people who are the same person, if that was approved or no guard holds it. Only the ledger
 * changes. Returns the new ids, which are to be compared: what follows is planned on its own.
 */
function takeIds(run: Run): readonly Rekeyed[] {
  const adoptions = run.ledger.plan.changes({ subject: 'person', kinds: ['adopt'], after: 0, limit: -1 });
  const rekeys = adoptions.filter(({ change }) => isRekey(change));
  if (rekeys.length === 0) return [];
  const approved = run.ledger.approvals.all();
  const isHeld = trips(run, 'usernameReuse');
  const rekeyed: Rekeyed[] = [];
  for (const { seq, change } of rekeys) {
    const ids = change.fields.filter(({ field }) => field === 'id');
    const from = ids[0]?.from;
    const approval = approvalOf(change, approved);
    if (typeof from !== 'string' || (isHeld && approval === null)) continue;
    if ('username' in change) run.ledger.people.rekey(from, change);
    const taken = { ...change, fields: ids };
    run.ledger.plan.revise(seq, taken);
    run.ledger.history.add('person', change.id, historyRecord(taken, approval));
    run.tally.applied += 1;
    rekeyed.push({ id: change.id, approval });
  }
  return rekeyed;
}
