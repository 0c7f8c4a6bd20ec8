import { openAppLedger, timeNow, type App } from '../app.ts';
import { runLeased } from '../app/runs.ts';
import { oneRecord } from './sync/one-record.ts';
import { appOf, stopOnSignals, type Context } from './context.ts';
import { NOBODY_EDITED } from '../domain/changes.ts';
import type { Rest } from '../plan/words/rest-parts.ts';
import { describeRun } from './describe-run.ts';

export interface SyncOptions {
  readonly full: boolean;
  readonly approve: readonly string[];
  readonly wait: number;
  readonly only?: string | undefined;
}

const MOST_KEPT = 10_000;

/** Runs `rollcall sync`: makes one run, now. */
export async function syncCommand(
  context: Context,
  { full, approve, wait, only: named }: SyncOptions,
): Promise<number> {
  const app = appOf(context, 'stdout');
  const stop = stopOnSignals();
  try {
    const only = named === undefined ? undefined : await oneRecord(app, named, stop.signal);
    const approvals = approve.map((hash) => ({ hash, by: null }));
    const request = { full, approve: approvals, trigger: 'command', dryRun: false, only } as const;
    const report = await runLeased(app, request, {
      stop: stop.signal,
      quit: stop.quit,
      waitSeconds: wait,
    });
    const { isTerminal, paint, print } = context.screen;
    // Outside a terminal, stdout is the log and stays JSON lines.
    if (isTerminal) print(['', describeRun(report, restIn(app), paint)]);
    return report.exitCode;
  } finally {
    await app.service.close();
    stop.release();
  }
}

/** Returns what the run has left as it is on purpose. */
function restIn(app: App): Rest {
  const ledger = openAppLedger(app, 'read');
  try {
    const { leavers, usernameChange } = app.settings.sync;
    const groups = ledger.people.waiting(leavers.misses);
    return {
      missing: groups.reduce((sum, { count }) => sum + count, 0),
      edited: ledger.fact('edited') ?? NOBODY_EDITED,
      kept: usernameChange === 'keep' ? ledger.people.kept(MOST_KEPT).length : 0,
      pinned: ledger.pins.active(timeNow().time).length,
    };
  } finally {
    ledger.close();
  }
}
