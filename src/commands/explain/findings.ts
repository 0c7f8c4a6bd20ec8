import type { Blocked, Held } from '../../domain/changes.ts';
import type { PastCall } from '../../domain/ports/ledger/journal.ts';
import type { RecordedFailure } from '../../domain/ports/ledger/troubles.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { RunRecord } from '../../domain/ports/ledger/runs.ts';
import { claimIn, type Claim } from './held-people.ts';
import type { KnownRecord } from './known-record.ts';

/** Why a record is left as it is, or what it waits for; with `goesOn` only a part of it. */
export type Reason = Pick<Blocked, 'reason' | 'goesOn'>;

/** What the last runs left in the ledger about one record. */
export interface Findings {
  readonly blocked: readonly Reason[];
  readonly failure: RecordedFailure | null;
  /** Groups of held changes that name it. */
  readonly held: readonly Held[];
  /** Groups that hold more than they list: it may be in one of them. */
  readonly heldUnlisted: readonly Held[];
  /** Of a person of ours whose username comes with another source id. */
  readonly claim: Claim | null;
  /** Of a new source id: that of the person of ours who has the username. */
  readonly owner: string | null;
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

export function reasonOf({ reason, goesOn }: Reason): Reason {
  return goesOn === true ? { reason, goesOn } : { reason };
}

function ownerOf(ledger: Ledger, username: string): string | null {
  return ledger.people.named(username)[0]?.id ?? null;
}

const NONE: Findings = {
  blocked: [],
  failure: null,
  held: [],
  heldUnlisted: [],
  claim: null,
  owner: null,
  calls: [],
  lastRun: null,
  lastRead: null,
};

/** `ledger`: `null` before the first run. */
export function findingsOf(
  ledger: Ledger | null,
  { subject, id, label, state }: Pick<KnownRecord, 'subject' | 'id' | 'label' | 'state'>,
): Findings {
  if (ledger === null) return NONE;
  const isOurs = (record: { readonly subject: string; readonly id: string }): boolean =>
    record.subject === subject && record.id === id;
  const groups = ledger.approvals.held();
  const names = (group: Held): boolean => listsRecord(group, id);
  const runs = ledger.runs.last(RUNS).filter(({ endedAt }) => endedAt !== null);
  return {
    blocked: ledger.troubles.blocked().filter(isOurs).map(reasonOf),
    failure: ledger.troubles.failures().find(isOurs) ?? null,
    held: groups.filter(names),
    heldUnlisted: groups.filter((group) => !names(group) && group.count > group.first.length),
    claim: state === null || subject === 'unit' ? null : claimIn(groups, { id: id ?? '', username: label }),
    owner: state === null && subject === 'person' ? ownerOf(ledger, label) : null,
    calls: id === null ? [] : ledger.journal.callsOf(subject, id, CALLS),
    lastRun: runs[0] ?? null,
    lastRead: runs.find(({ result }) => result !== 'failed' && result !== 'stopped') ?? null,
  };
}
