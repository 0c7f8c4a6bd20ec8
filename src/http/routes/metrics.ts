import type { Metrics } from '../metrics/metrics.ts';
import type { Routes } from '../listener.ts';

/** Answers `/metrics` in the text format of Prometheus. */
export const metricsRoute =
  (metrics: Metrics): Routes =>
  (app) => {
    app.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()));
  };
