import { expect, test } from 'vitest';
import type { Explanation } from '../../src/commands/explain/explanation.ts';
import { standingOf } from '../../src/commands/explain/standing.ts';
import { SYNC } from '../plan/build.ts';
import { NOBODY } from './explanation.ts';

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
  [
    'in step since 1970-01-01 00:00 UTC',
    { ...SEEN, calls: [call('employee.import', 'imported')], inSource: null },
  ],
  [
    'in step except for the username, which is anna in the source and stays ann here (sync.usernameChange: keep)',
    { ...SEEN, calls: [call('employee.import', 'imported')], inSource: 'anna' },
  ],
  [
    'not read back yet; tel: "x" is no number; the rest goes on',
    { ...SEEN, readBack: false, blocked: [{ reason: 'tel: "x" is no number', goesOn: true }] },
  ],
  ['left as they are: this one goes on', { blocked: [{ reason: 'this one goes on' }] }],
  ['left as they are: no, the rest goes on', { blocked: [{ reason: 'no, the rest goes on' }] }],
])('explain says who it was: %s', (words, parts) => {
  expect(standingOf({ ...NOBODY, ...parts }, SYNC).sentence).toContain(words);
});
