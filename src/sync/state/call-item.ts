import { bucketsOf } from '../../domain/buckets.ts';
import type { Change } from '../../domain/changes.ts';
import type { CallItem } from '../../domain/ports/ledger/journal.ts';
import type { Failure } from '../../domain/ports/ledger/troubles.ts';
import { digest } from '../../lib/digest.ts';
import { approvalOf, hashLine, type Approvals } from '../../plan/changes/change-digest.ts';
import { historyRecord } from '../../plan/changes/history-record.ts';

/** What identifies the record of a failure. */
type Failing = Omit<Failure, 'reason' | 'digest'>;

/** One record of a changing call, with what a failure says of it. */
export interface Item extends CallItem, Failing {
  /** Returns the digest of the change, for which only a failure asks; absent: the call makes no planned change. */
  readonly digestOf?: () => string;
}

export function itemOf(approved: Approvals, change: Change): Item {
  const approval = approvalOf(change, approved);
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
