import type { HistoryEntry } from '../../domain/ports/history.ts';
import { say } from '../../domain/words/say.ts';
import type { Approval } from '../../domain/records/approval.ts';

/** An applied change as machines read it (`history --json`). */
export interface WrittenEntry {
  readonly at: string;
  readonly run: string;
  readonly subject: HistoryEntry['subject'];
  readonly id: string;
  /** Username, or name of the unit. */
  readonly name: string;
  readonly kind: HistoryEntry['kind'];
  readonly fields: readonly Written[];
  readonly cause: string;
  /** Guard that counts the change. */
  readonly guard: string | null;
  /** Hash under which it was approved. */
  readonly approval: string | null;
  readonly approver: string | null;
}

interface Written {
  readonly field: string;
  readonly before: HistoryEntry['fields'][number]['from'];
  readonly after: HistoryEntry['fields'][number]['to'];
}

/** Returns who approved; approvals of earlier versions have no name. */
export function approverOf({ by }: Approval): string {
  return by ?? 'command line';
}

export function writtenEntry(entry: HistoryEntry): WrittenEntry {
  const { at, run, subject, id, label, kind, fields, why, guard, approval } = entry;
  return {
    at: new Date(at).toISOString(),
    run,
    subject,
    id,
    name: label,
    kind,
    fields: fields.map(({ field, from, to }) => ({ field, before: from, after: to })),
    cause: say(why),
    guard,
    approval: approval?.hash ?? null,
    approver: approval === null ? null : approverOf(approval),
  };
}
