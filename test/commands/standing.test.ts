import { expect, test } from 'vitest';
import type { Explanation } from '../../src/commands/explain/explanation.ts';
import { standingOf } from '../../src/commands/explain/standing.ts';
import { SYNC } from '../plan/build.ts';

const NOBODY: Explanation = {
  subject: 'person',
  id: '7',
  label: 'ann',
  state: 'managed',
  locked: false,
  serviceId: '51',
  serialNo: null,
  readBack: true,
  misses: 0,
  missedAt: null,
  disabledAt: null,
  fields: [],
  positionRules: {},
  positions: [],
  edited: [],
  seen: null,
  blocked: [],
  failure: null,
  held: [],
  heldUnlisted: [],
  calls: [],
  lastRun: null,
  lastRead: null,
  live: null,
};

const SEEN = { seen: { id: '51', locked: true, fields: {}, positions: [], parentId: null } } as const;

const call = (operation: 'employee.remove' | 'employee.disable' | 'employee.import', outcome: string) => {
  return { at: 0, run: 'r', operation, outcome };
};

test.each<readonly [string, Partial<Explanation>]>([
  [
    'removed by rollcall 1970-01-01 00:00 UTC',
    { state: 'removed', calls: [call('employee.remove', 'personGone')] },
  ],
  [
    'gone from the service without a call of rollcall',
    { state: 'removed', calls: [call('employee.import', 'imported')] },
  ],
  ['not in the service as last seen, and not removed by rollcall', {}],
  [
    'after a call of rollcall whose outcome is in doubt',
    { ...SEEN, locked: true, calls: [call('employee.disable', 'doubt')] },
  ],
  ['locked in the service by somebody else', { ...SEEN, locked: true }],
])('explain says who it was: %s', (words, parts) => {
  expect(standingOf({ ...NOBODY, ...parts }, SYNC.leavers)).toContain(words);
});
