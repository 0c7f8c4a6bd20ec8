import { openAppLedger, runLeased, type App } from '../app.ts';
import { appOf, stopOnSignals, type Context } from './context.ts';
import { describeRun } from './describe-run.ts';

export interface SyncOptions {
  readonly full: boolean;
  readonly approve: readonly string[];
  readonly wait: number;
}

/** `rollcall sync`: one run, now. */
export async function syncCommand(context: Context, { full, approve, wait }: SyncOptions): Promise<number> {
  const app = appOf(context, 'stdout');
  const stop = stopOnSignals();
  try {
    const request = { full, approve, trigger: 'command', dryRun: false } as const;
    const report = await runLeased(app, request, {
      stop: stop.signal,
      quit: stop.quit,
      waitSeconds: wait,
    });
    const { isTerminal, paint, print } = context.screen;
    // Elsewhere stdout is the log, and stays JSON lines.
    if (isTerminal) print(['', describeRun(report, waitingIn(app), paint)]);
    return report.exitCode;
  } finally {
    await app.service.close();
    stop.release();
  }
}

/** Leavers who wait for a further read. */
function waitingIn(app: App): number {
  const ledger = openAppLedger(app, 'read');
  try {
    const groups = ledger.people.waiting(app.settings.sync.leavers.misses);
    return groups.reduce((sum, { count }) => sum + count, 0);
  } finally {
    ledger.close();
  }
}
