import type { Held } from '../../domain/changes.ts';
import type { PastCall, RecordedFailure } from '../../domain/journal.ts';
import type { Ledger, RunRecord } from '../../domain/ledger.ts';
import type { KnownRecord } from './known-record.ts';

/** What the last runs left in the ledger about one record. */
export interface Findings {
  /** Why it is left as it is, or what it waits for. */
  readonly blocked: readonly string[];
  readonly failure: RecordedFailure | null;
  /** Groups of held changes that name it. */
  readonly held: readonly Held[];
  /** Groups that hold more than they list: it may be in one of them. */
  readonly heldUnlisted: readonly Held[];
  /** Newest first. */
  readonly calls: readonly PastCall[];
  /** The last run that ended, and the last one that read everything. */
  readonly lastRun: RunRecord | null;
  readonly lastRead: RunRecord | null;
}

const RUNS = 200;
const CALLS = 8;

/** Among the first ten that a group of held changes lists. */
export function listsRecord({ first }: Held, id: string | null): boolean {
  return first.some((name) => name.endsWith(` (${id})`));
}

const NONE: Findings = {
  blocked: [],
  failure: null,
  held: [],
  heldUnlisted: [],
  calls: [],
  lastRun: null,
  lastRead: null,
};

/** `ledger`: `null` before the first run. */
export function findingsOf(
  ledger: Ledger | null,
  { subject, id }: Pick<KnownRecord, 'subject' | 'id'>,
): Findings {
  if (ledger === null) return NONE;
  const isOurs = (record: { readonly subject: string; readonly id: string }): boolean =>
    record.subject === subject && record.id === id;
  const groups = ledger.approvals.held();
  const names = (group: Held): boolean => listsRecord(group, id);
  const runs = ledger.runs.last(RUNS).filter(({ endedAt }) => endedAt !== null);
  return {
    blocked: ledger.journal
      .blocked()
      .filter(isOurs)
      .map(({ reason }) => reason),
    failure: ledger.journal.failures().find(isOurs) ?? null,
    held: groups.filter(names),
    heldUnlisted: groups.filter((group) => !names(group) && group.count > group.first.length),
    calls: id === null ? [] : ledger.journal.callsOf(subject, id, CALLS),
    lastRun: runs[0] ?? null,
    lastRead: runs.find(({ result }) => result !== 'failed' && result !== 'stopped') ?? null,
  };
}
