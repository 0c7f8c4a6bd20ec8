import { bucketsOf } from '../../domain/buckets.ts';
import type { Blocked, Change } from '../../domain/changes.ts';
import type { CallItem } from '../../domain/ports/ledger/journal.ts';
import type { Failure } from '../../domain/ports/ledger/troubles.ts';
import { digest } from '../../lib/digest.ts';
import { approvalOf, hashLine } from '../../plan/changes/change-digest.ts';
import { historyRecord } from '../../plan/changes/history-record.ts';
import type { Run, SendingRun } from '../state/world.ts';

/** What identifies the record of a failure. */
type Failing = Omit<Failure, 'reason' | 'digest'>;

/** One record of a changing call, with what a failure says of it. */
export interface Item extends CallItem, Failing {
  /** Returns the digest of the change, for which only a failure asks; absent: the call makes no planned change. */
  readonly digestOf?: () => string;
}

export function itemOf(run: SendingRun, change: Change): Item {
  const approval = approvalOf(change, run.approved);
  return {
    buckets: bucketsOf(change),
    isApproved: approval !== null,
    claims: change,
    record: historyRecord(change, approval),
    digestOf: () => digestOf(change),
    ...namedBy(change),
  };
}

export function failureOf(record: Change | Item, reason: string): Failure {
  if ('kind' in record) return { ...namedBy(record), reason, digest: digestOf(record) };
  const { subject, id, label, digestOf: of } = record;
  return { subject, id, label, reason, ...(of === undefined ? {} : { digest: of() }) };
}

const digestOf = (change: Change): string => digest(hashLine(change));

/** Returns which record a change is about, as lists and the log name it. */
export function namedBy(change: Change): Failing {
  const { subject, id } = change;
  return { subject, id, label: change.subject === 'unit' ? change.name : change.username };
}

/** Counts a record as failed, and logs it. */
export function countFailed({ tally, log }: Run, { subject, id, label: username, reason }: Failure): void {
  tally.failed += 1;
  log.event({ event: 'item.failed', subject, id, username, reason });
}

/** Leaves a planned change for a later run, with the reason. */
export function block(run: Run, change: Change, reason: string): void {
  listBlocked(run, failureOf(change, reason));
}

/** Lists a record that is left as it is, counts it, and logs it: `status`, the counts and the exit code are of one list. */
export function listBlocked({ ledger, tally, log }: Run, blocked: Blocked): void {
  const { subject, id, label: username, reason } = blocked;
  ledger.plan.note(blocked);
  tally.blocked += 1;
  log.event({ event: 'item.blocked', subject, id, username, reason });
}
