import { existsSync } from 'node:fs';
import { openAppLedger, requireWritable, timeNow, type App } from '../app.ts';
import { statePathOf } from '../config/load-settings.ts';
import { NO_EDITS } from '../domain/changes.ts';
import { EXIT, LedgerError } from '../domain/errors.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { EmployeeView } from '../domain/ports/ledger/person-row.ts';
import type { RunRecord } from '../domain/ports/ledger/runs.ts';
import { fullLookDue } from '../domain/ports/ledger/ledger.ts';
import { unitName } from '../plan/units/tree.ts';
import { unitLabels } from '../plan/words/unit-labels.ts';
import { heartbeatFile, heartbeatTime, isHealthy } from '../runtime/health.ts';
import { nextRuns } from '../runtime/schedule.ts';
import {
  describeStatus,
  incrementsStatus,
  NO_UNSENT_MESSAGES,
  type Status,
  type UnsentMessages,
} from './describe-status.ts';
import { appOf, type CommandContext } from './context.ts';

export interface StatusOptions {
  readonly unmanaged: boolean;
  readonly json: boolean;
  readonly health: boolean;
  readonly exitCode: boolean;
}

const LAST_RUNS = 5;
const LAST_REPLIES = 5;
const LISTED_AT_MOST = 10_000;

/** Runs `rollcall status`: shows what the ledger knows, and asks neither the source nor the service. */
export function statusCommand(context: CommandContext, options: StatusOptions): Promise<number> {
  if (options.health) return Promise.resolve(healthCode(context));
  const app = appOf(context, 'stderr');
  const { status, names } = readStatus(app, options);
  const { leavers } = app.settings.sync;
  const { paint } = context.screen;
  if (options.json) context.out(`${JSON.stringify(status, null, 2)}\n`);
  else {
    const labels = unitLabels(names.now, names.before);
    context.screen.print(describeStatus(status, { labels, leavers, paint }));
  }
  const last = status.runs.find(({ exitCode }) => exitCode !== null);
  const code = status.cannotRun === null ? (last?.exitCode ?? EXIT.done) : EXIT.failed;
  return Promise.resolve(options.exitCode ? code : EXIT.done);
}

/**
 * Returns the exit code of `--health`. The daemon goes on with the configuration that it has read, so a
 * mistake that was made in the file since then says nothing about its health.
 */
function healthCode(context: CommandContext): number {
  const path = statePathOf(context.configFile(), context.env) ?? appOf(context, 'stderr').settings.state.path;
  const file = heartbeatFile(path);
  if (isHealthy(file, timeNow())) return EXIT.done;
  const last = heartbeatTime(file);
  const since = last === null ? 'at all' : `since ${new Date(last).toISOString()}`;
  context.screen.print([`no heartbeat ${since}: the daemon does not run, or it stands still`]);
  return EXIT.failed;
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

function readStatus(app: App, { unmanaged }: StatusOptions): StatusRead {
  const { settings } = app;
  const file = heartbeatFile(settings.state.path);
  const now = timeNow();
  const heartbeat = heartbeatTime(file);
  const next = isHealthy(file, now) ? nextRuns(settings.sync, now.time) : null;
  const base = { ledger: settings.state.path, next, heartbeat };
  if (!existsSync(settings.state.path)) {
    const noNames = new Map<string, string>();
    return { status: { ...base, ...EMPTY }, names: { now: noNames, before: noNames } };
  }
  const ledger = openAppLedger(app, 'read');
  try {
    const enough = settings.sync.leavers.misses;
    const owed = ledger.lease.holder() === null ? fullLookDue(ledger, now.time) : null;
    const status = {
      ...base,
      next: next && nextRuns(settings.sync, now.time, owed),
      ...contentsOf(ledger, { unmanaged, enough, path: base.ledger }),
    };
    return { status, names: namesOf(ledger, status) };
  } finally {
    ledger.close();
  }
}

function namesOf(ledger: Ledger, { blocked, failing }: Contents): UnitNames {
  const listed = [...failing, ...blocked].filter(({ subject }) => subject === 'unit');
  const before = new Map(ledger.units.all().map(({ id, sent }) => [id, unitName(sent) || id]));
  return { now: new Map([...before, ...listed.map(({ id, label }) => [id, label] as const)]), before };
}

/** Returns why no run can begin now: a run that cannot write leaves no trace in the ledger. */
function whyNoRun(ledger: Ledger, path: string): string | null {
  try {
    requireWritable(path);
    ledger.requireRoom();
    return null;
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return error.message;
  }
}

type Contents = Omit<Status, 'ledger' | 'next' | 'heartbeat'>;

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
  untold: NO_UNSENT_MESSAGES,
  replies: [],
};

interface StatusRequest {
  readonly unmanaged: boolean;
  /** Number of misses after which a leaver leaves. */
  readonly enough: number;
  /** Path of the ledger. */
  readonly path: string;
}

function contentsOf(ledger: Ledger, { unmanaged, enough, path }: StatusRequest): Contents {
  const runs: readonly RunRecord[] = ledger.runs.last(LAST_RUNS);
  const unmanagedList = ledger.view.unmanaged(unmanaged ? LISTED_AT_MOST : 0);
  return {
    runs,
    running: ledger.lease.holder() !== null,
    cannotRun: whyNoRun(ledger, path),
    units: ledger.units.all().filter(({ state }) => state === 'managed').length,
    people: ledger.people.counts(),
    unmanaged: unmanagedList.count,
    unmanagedEmployees: unmanaged ? unmanagedList.first.map(unmanagedOf) : null,
    held: ledger.approvals.held(),
    leftInside: ledger.leftInside.list(LISTED_AT_MOST).first,
    blocked: ledger.troubles.blocked(),
    waiting: ledger.people.waiting(enough),
    failing: ledger.troubles.failures(),
    edited: ledger.fact('edited') ?? NO_EDITS,
    kept: ledger.people.kept(LISTED_AT_MOST),
    increments: incrementsStatus(ledger.fact('increments')),
    untold: unsentMessages(ledger),
    replies: ledger.replies.list(LAST_REPLIES),
  };
}

function unmanagedOf({ username, id, locked, shown }: EmployeeView) {
  const { name } = shown.fields;
  return { username, id, locked, ...(typeof name === 'string' && { name }) };
}

function unsentMessages(ledger: Ledger): UnsentMessages {
  const book = ledger.fact('notified');
  return { error: book?.lastError ?? null, waitingSince: book?.waitingSince ?? null };
}
