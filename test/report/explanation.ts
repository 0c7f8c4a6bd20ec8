import type { Explanation } from '../../src/report/explanation.ts';

/** In step, as far as anybody knows. */
export const IN_STEP: Explanation = {
  subject: 'person',
  id: '7',
  label: 'ann',
  state: 'managed',
  serviceId: '51',
  serialNo: null,
  readBack: true,
  misses: 0,
  missedAt: null,
  disabledAt: null,
  fields: [],
  positionRules: {},
  positions: [],
  seen: null,
  notes: [],
  failure: null,
  inSource: null,
  leftBy: null,
  calls: [],
  gone: null,
  lastRun: null,
  lastRead: null,
  live: null,
};
