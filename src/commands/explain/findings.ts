import { timeNow } from '../../app.ts';
import type { Blocked, Held, Pinned } from '../../domain/changes.ts';
import type { PastCall } from '../../domain/ports/ledger/journal.ts';
import type { RecordedFailure } from '../../domain/ports/ledger/troubles.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { RunRecord } from '../../domain/ports/ledger/runs.ts';
import { pinned } from '../../plan/words/describe-pins.ts';
import { claimIn, type Claim } from './held-people.ts';
import type { KnownRecord } from './known-record.ts';

/** Why a record is left as it is, or what it waits for; with `goesOn` this concerns only a part of it. */
export type Reason = Pick<Blocked, 'reason' | 'goesOn'>;

/** What the last runs left in the ledger about one record. */
export interface Findings {
  readonly blocked: readonly Reason[];
  readonly failure: RecordedFailure | null;
  /** Groups of held changes that name the record. */
  readonly held: readonly Held[];
  /** Groups that hold more changes than they list: the record may be in one of them. */
  readonly heldUnlisted: readonly Held[];
  /** For a managed person whose username comes with another source id: that claim. */
  readonly claim: Claim | null;
  /** For a new source id: source id of the managed person who has the username. */
  readonly owner: string | null;
  /** Set where the record is held from the source after a revert. */
  readonly pin: Pinned | null;
  /** Past calls, newest first. */
  readonly calls: readonly PastCall[];
  /** `lastRun`: the last run that ended; `lastRead`: the last one that read everything. */
  readonly lastRun: RunRecord | null;
  readonly lastRead: RunRecord | null;
}

const RUNS = 200;
const CALLS = 8;

/** Returns whether the record is among the first ten that a group of held changes lists. */
function listsRecord({ first }: Held, id: string | null): boolean {
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
  pin: null,
  calls: [],
  lastRun: null,
  lastRead: null,
};

/** Returns what the ledger has about a record; `ledger` is `null` before the first run. */
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
    pin: ledger.pins.active(timeNow().time).map(pinned).find(isOurs) ?? null,
    calls: id === null ? [] : ledger.journal.callsOf(subject, id, CALLS),
    lastRun: runs[0] ?? null,
    lastRead: runs.find(({ result }) => result !== 'failed' && result !== 'stopped') ?? null,
  };
}
