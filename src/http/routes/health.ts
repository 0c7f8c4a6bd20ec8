import type { Routes } from '../listener.ts';

export interface Health {
  /** Returns whether the heartbeat is younger than two minutes, as `status --health`. */
  readonly isAlive: () => boolean;
  /** Returns how the last run ended; `null`: none has ended yet. */
  readonly lastResult: () => string | null;
}

/**
 * Answers `/healthz` (200 while the daemon goes on, whatever the service does, else 503) and `/readyz` (200 once a run
 * has ended, for as long as the last one did not fail).
 */
export const healthRoutes =
  ({ isAlive, lastResult }: Health): Routes =>
  (app) => {
    app.get('/healthz', (_, reply) => {
      const alive = isAlive();
      return reply.code(alive ? 200 : 503).send({ alive });
    });
    app.get('/readyz', (_, reply) => {
      const result = lastResult();
      const ready = result !== null && result !== 'failed' && result !== 'stopped';
      return reply.code(ready ? 200 : 503).send({ ready, lastRun: result });
    });
  };
