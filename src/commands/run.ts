import { rmSync } from 'node:fs';
import { openAppLedger, runLeased, timeNow, type App } from '../app.ts';
import { writeHeartbeat, heartbeatFile } from '../runtime/health.ts';
import { runDaemon } from '../runtime/daemon.ts';
import { appOf, type Context } from './context.ts';

/** Another process may run by hand meanwhile; the daemon waits for it. */
const WAIT_SECONDS = 3_600;

/** `rollcall run`: the daemon, until SIGTERM. */
export async function runCommand(context: Context): Promise<number> {
  let app = appOf(context, 'stdout');
  openAppLedger(app, 'write').close();
  await runDaemon({
    settings: app.settings.sync,
    log: app.log,
    lastFullRun: () => lastFullRun(app),
    beat: () => writeHeartbeat(heartbeatFile(app.settings.state.path), timeNow()),
    reload: () => {
      app = appOf(context, 'stdout');
      return app.settings.sync;
    },
    runOnce: ({ full, trigger, signal, quit }) =>
      runLeased(
        app,
        { full, trigger, approve: [], dryRun: false },
        { stop: signal, quit, waitSeconds: WAIT_SECONDS },
      ),
  });
  await app.service.close();
  rmSync(heartbeatFile(app.settings.state.path), { force: true });
  return 0;
}

function lastFullRun(app: App): number | null {
  const ledger = openAppLedger(app, 'write');
  try {
    return ledger.fact('lastFull');
  } finally {
    ledger.close();
  }
}
