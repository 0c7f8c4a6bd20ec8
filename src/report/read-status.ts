import { NO_EDITS } from '../domain/changes.ts';
import { LedgerError } from '../domain/errors.ts';
import { fullLookDue, type Ledger } from '../domain/ports/ledger/ledger.ts';
import type { EmployeeView } from '../domain/ports/ledger/person-row.ts';
import type { RunRecord } from '../domain/ports/ledger/runs.ts';
import type { Settings } from '../domain/settings.ts';
import { unitName } from '../plan/units/tree.ts';
import { heartbeatFile, heartbeatTime, isHealthy, type Instant } from '../runtime/health.ts';
import { nextRuns } from '../runtime/schedule.ts';
import { CHANNELS } from '../domain/settings.ts';
import { standingOf, type Standing } from './standing.ts';
import { incrementsStatus, type Status, type UnsentMessages } from './describe-status.ts';

const LAST_RUNS = 5;
const LAST_REPLIES = 5;

/** What the status is read with. */
export interface StatusRequest {
  readonly settings: Pick<Settings, 'state' | 'sync'>;
  readonly now: Instant;
  /** Employees that the source does not have: listed, counted now, or as the last run counted them. */
  readonly unmanaged: 'listed' | 'counted' | 'as of the last run';
  /** How many records of each list are read. */
  readonly atMost: number;
  /** Throws a LedgerError if the ledger cannot be written. */
  readonly requireWritable: (path: string) => void;
}

interface StatusRead {
  readonly status: Status;
  readonly names: UnitNames;
}

/** Names of units by source id. */
interface UnitNames {
  /**
   * Names as the last run read them, where it listed the unit, also if that never got into the ledger; else
   * as sent.
   */
  readonly now: ReadonlyMap<string, string>;
  /** Names as sent: a unit that is left as it is keeps its old name in the service. */
  readonly before: ReadonlyMap<string, string>;
}

/**
 * Returns what the ledger knows. It asks neither the source nor the service.
 *
 * @param ledger `null`: there was no run yet
 */
export function readStatus(ledger: Ledger | null, request: StatusRequest): StatusRead {
  const { settings, now } = request;
  const file = heartbeatFile(settings.state.path);
  const heartbeat = heartbeatTime(file);
  const next = isHealthy(file, now) ? nextRuns(settings.sync, now.time) : null;
  const base = { ...standingOf(settings, now), ledger: settings.state.path, next, heartbeat };
  if (ledger === null) {
    const noNames = new Map<string, string>();
    return { status: { ...base, ...EMPTY }, names: { now: noNames, before: noNames } };
  }
  const owed = ledger.lease.holder() === null ? fullLookDue(ledger, now.time) : null;
  const status = {
    ...base,
    next: next && nextRuns(settings.sync, now.time, owed),
    ...contentsOf(ledger, request),
  };
  return { status, names: namesOf(ledger, status) };
}

function namesOf(ledger: Ledger, { blocked, failing }: Contents): UnitNames {
  const listed = [...failing, ...blocked].filter(({ subject }) => subject === 'unit');
  const before = new Map(ledger.units.all().map(({ id, sent }) => [id, unitName(sent) || id]));
  return { now: new Map([...before, ...listed.map(({ id, label }) => [id, label] as const)]), before };
}

/** Returns why no run can begin now: a run that cannot write leaves no trace in the ledger. */
function whyNoRun(ledger: Ledger, { settings, requireWritable }: StatusRequest): string | null {
  try {
    requireWritable(settings.state.path);
    ledger.requireRoom();
    return null;
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return error.message;
  }
}

type Contents = Omit<Status, 'ledger' | 'next' | 'heartbeat' | keyof Standing>;

const EMPTY: Contents = {
  runs: [],
  running: false,
  cannotRun: null,
  units: 0,
  people: { creating: 0, managed: 0, disabled: 0, removed: 0 },
  unmanaged: 0,
  unmanagedEmployees: null,
  held: [],
  leftInside: [],
  blocked: [],
  waiting: [],
  failing: [],
  edited: NO_EDITS,
  kept: [],
  untold: [],
  replies: [],
};

function contentsOf(ledger: Ledger, request: StatusRequest): Contents {
  const { unmanaged, atMost, settings } = request;
  const runs: readonly RunRecord[] = ledger.runs.last(LAST_RUNS);
  const counted = unmanaged === 'as of the last run' ? countedIn(runs) : null;
  const strangers =
    counted === null
      ? ledger.view.unmanaged(unmanaged === 'listed' ? atMost : 0)
      : { count: counted, first: [] };
  return {
    runs,
    running: ledger.lease.holder() !== null,
    cannotRun: whyNoRun(ledger, request),
    units: ledger.units.all().filter(({ state }) => state === 'managed').length,
    people: ledger.people.counts(),
    unmanaged: strangers.count,
    unmanagedEmployees: unmanaged === 'listed' ? strangers.first.map(unmanagedOf) : null,
    held: ledger.approvals.held(),
    leftInside: ledger.leftInside.list(atMost).first,
    blocked: ledger.troubles.blocked(atMost),
    waiting: ledger.people.waiting(settings.sync.leavers.misses),
    failing: ledger.troubles.failures(atMost),
    edited: ledger.fact('edited') ?? NO_EDITS,
    kept: ledger.people.kept(atMost),
    increments: incrementsStatus(ledger.fact('increments')),
    untold: unsentMessages(ledger),
    replies: ledger.approvals.replies(LAST_REPLIES),
  };
}

function countedIn(runs: readonly RunRecord[]): number | null {
  return runs.find(({ report }) => report !== null)?.report?.unmanaged ?? null;
}

function unmanagedOf({ username, id, locked, shown }: EmployeeView) {
  const { name } = shown.fields;
  return { username, id, locked, ...(typeof name === 'string' && { name }) };
}

function unsentMessages(ledger: Ledger): readonly UnsentMessages[] {
  const books = ledger.fact('notified') ?? {};
  return CHANNELS.flatMap((channel) => {
    const { lastError: error = null, waitingSince = null } = books[channel] ?? {};
    return error === null && waitingSince === null ? [] : [{ channel, error, waitingSince }];
  });
}
