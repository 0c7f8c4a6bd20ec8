import { runLeased } from '../app.ts';
import { appOf, stopOnSignals, type Context } from './context.ts';

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
    const report = await runLeased(app, request, { stop: stop.signal, waitSeconds: wait });
    return report.exitCode;
  } finally {
    await app.service.close();
    stop.release();
  }
}
