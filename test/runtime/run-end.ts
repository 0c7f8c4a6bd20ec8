import type { RunEvent } from '../../src/domain/events.ts';

/** The last line of a run in which nothing was to do. */
export const QUIET_END: RunEvent<'run.end'> = {
  event: 'run.end',
  result: 'ok',
  kind: 'incremental',
  counts: {
    units: { create: 0, update: 0, move: 0, remove: 0, adopt: 0 },
    people: { create: 0, update: 3, adopt: 0, disable: 0, enable: 0, remove: 0 },
  },
  applied: 0,
  failed: 0,
  blocked: 0,
  held: 0,
  unmanaged: 2,
  requests: 5,
  retries: 0,
  phases: { read: 10, refresh: 20, plan: 1, apply: 0, verify: 0 },
  rssMB: 97,
};
