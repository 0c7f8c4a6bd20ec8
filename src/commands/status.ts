import { existsSync } from 'node:fs';
import { openAppLedger, timeNow, type App } from '../app.ts';
import { EXIT } from '../domain/errors.ts';
import type { Ledger, RunRecord } from '../domain/ledger.ts';
import { heartbeatFile, heartbeatTime, isHealthy } from '../runtime/health.ts';
import { nextRuns } from '../runtime/schedule.ts';
import { describeStatus, type Status } from './describe-status.ts';
import { appOf, type Context } from './context.ts';

export interface StatusOptions {
  readonly unmanaged: boolean;
  readonly json: boolean;
  readonly health: boolean;
  readonly exitCode: boolean;
}

const LAST_RUNS = 5;
const LISTED_AT_MOST = 10_000;

/** `rollcall status`: what the ledger knows; asks neither the source nor the service. */
export function statusCommand(context: Context, options: StatusOptions): Promise<number> {
  const app = appOf(context, 'stderr');
  if (options.health) return Promise.resolve(healthCode(app));
  const status = readStatus(app, options);
  context.out(
    options.json ? `${JSON.stringify(status, null, 2)}\n` : `${describeStatus(status).join('\n')}\n`,
  );
  const last = status.runs.find(({ exitCode }) => exitCode !== null);
  return Promise.resolve(options.exitCode ? (last?.exitCode ?? EXIT.done) : EXIT.done);
}

function healthCode({ settings }: App): number {
  return isHealthy(heartbeatFile(settings.state.path), timeNow()) ? EXIT.done : EXIT.failed;
}

function readStatus(app: App, { unmanaged }: StatusOptions): Status {
  const { settings } = app;
  const file = heartbeatFile(settings.state.path);
  const now = timeNow();
  const heartbeat = heartbeatTime(file);
  const next = isHealthy(file, now) ? nextRuns(settings.sync, now.time) : null;
  const base = { ledger: settings.state.path, next, heartbeat };
  if (!existsSync(settings.state.path)) return { ...base, ...EMPTY };
  const ledger = openAppLedger(app, 'read');
  try {
    return { ...base, ...contentsOf(ledger, unmanaged) };
  } finally {
    ledger.close();
  }
}

type Contents = Omit<Status, 'ledger' | 'next' | 'heartbeat'>;

const EMPTY: Contents = {
  runs: [],
  units: 0,
  people: { creating: 0, managed: 0, disabled: 0, removed: 0 },
  unmanaged: 0,
  unmanagedEmployees: null,
  held: [],
  blocked: [],
  failing: [],
  kept: [],
};

function contentsOf(ledger: Ledger, unmanaged: boolean): Contents {
  const runs: readonly RunRecord[] = ledger.runs.last(LAST_RUNS);
  return {
    runs,
    units: ledger.units.all().filter(({ state }) => state === 'managed').length,
    people: ledger.people.counts(),
    unmanaged: ledger.view.unmanagedCount(),
    unmanagedEmployees: unmanaged
      ? ledger.view.unmanaged(LISTED_AT_MOST).map(({ username, id, locked }) => ({ username, id, locked }))
      : null,
    held: ledger.approvals.held(),
    blocked: ledger.journal.blocked(),
    failing: ledger.journal.failures(),
    kept: ledger.people.kept(LISTED_AT_MOST),
  };
}
