import { expect, test } from 'vitest';
import { describeExplanation, standingOf } from '../../src/report/describe-explanation.ts';
import type { Explanation } from '../../src/report/explanation.ts';
import { createScreen } from '../../src/runtime/screen.ts';
import { SYNC } from '../plan/build.ts';
import { IN_STEP } from './explanation.ts';

const REASON =
  'is to be disabled (left); held by sync.guard.leavers until released: rollcall sync --approve 3f2a9c0d1e2f';
const CALL = {
  at: 0,
  run: '20260101-000000-ab12',
  operation: 'employee.import',
  outcome: 'imported',
} as const;

const HELD: Partial<Explanation> = {
  notes: [{ subject: 'person', id: '7', label: 'ann', reason: REASON, kind: 'held', hash: '3f2a9c0d1e2f' }],
  fields: [
    { field: 'name', rule: 'displayName', secret: false, sent: 'Ann' },
    { field: 'birthday', rule: 'born', secret: false, sent: '319161600000' },
    { field: 'email', rule: 'mail', secret: false, sent: 'ann@example.com', service: 'other@example.com' },
  ],
  positions: [{ unit: 'Sales', sent: 'Clerk, primary', service: 'Clerk, primary' }],
  serviceId: '5108300000000000123',
  calls: [CALL],
};

function shown(
  it: Partial<Explanation>,
  { columns = 60, env = {} }: { readonly columns?: number; readonly env?: NodeJS.ProcessEnv } = {},
): string {
  let text = '';
  const screen = createScreen({ isTTY: columns > 0, columns, write: (more) => (text += more) }, env);
  screen.print(describeExplanation({ ...IN_STEP, ...it }, SYNC, screen.paint));
  return text;
}

const LONG_RULE = "!(lower(status) in ['left', 'inactive', 'terminated', 'resigned'])";
const NO_COLOR = { NO_COLOR: '1' };

test('explain is shown as the golden file says', async () => {
  const ruled = { fields: [{ field: 'active', rule: LONG_RULE, secret: false, sent: false }] };
  const screens: Readonly<Record<string, string>> = {
    'it follows the width of the terminal, and parts no command, id, time or run': shown(HELD, {
      env: NO_COLOR,
    }),
    'a long rule continues in its own column': shown(ruled, { columns: 50, env: NO_COLOR }),
    'a file gets whole lines': shown(HELD, { columns: 0 }),
    'colours show what to type': shown(HELD),
  };
  const all = Object.entries(screens).map(([what, text]) => `# ${what}\n${text}`);
  const visible = all.join('\n').replaceAll('\u001B', String.raw`\x1b`);
  await expect(visible).toMatchFileSnapshot('explained.txt');
});

test('no line feed and no escape sequence of a value reaches the terminal', () => {
  const evil = 'A\u001B[31m\nB';
  const live = {
    samples: [{ id: '7', place: 'row 1', raw: { name: [evil] }, refused: null, outOfScope: null }],
    positions: [],
    change: null,
    changes: [],
    isHeld: false,
    problems: [],
  };
  const text = shown({ live, label: evil }, { env: { NO_COLOR: '1' } });
  expect(text).not.toContain('\u001B');
  expect(text).toContain(String.raw`A\x1b[31m\nB (7), managed`);
});

const FAILURE: Explanation['failure'] = {
  subject: 'person',
  id: '7',
  label: 'ann',
  reason: 'no such user',
  kind: 'refused',
  attempts: 2,
  firstAt: 0,
  lastAt: 0,
};
const GONE = { why: 'inactive in the source', run: 'r1' };
const EDITED = { subject: 'person', id: '7', label: 'ann', reason: 'email edited', kind: 'edited' } as const;

test.each<readonly [string, Partial<Explanation>]>([
  ['in step since 1970-01-01 00:00 UTC', { calls: [CALL] }],
  ['in step', { calls: [], lastRead: 60_000 }],
  ['sent, and not read back yet', { calls: [CALL], readBack: false }],
  ['email edited', { notes: [EDITED], readBack: false }],
  [
    'failing: no such user (tried 2 times, last 1970-01-01 00:00 UTC); email edited',
    { failure: FAILURE, notes: [EDITED] },
  ],
  [
    'no such user; tried again later',
    { failure: FAILURE, notes: [{ ...EDITED, reason: 'no such user; tried again later' }] },
  ],
  [
    'missing in the last read (gone or out of scope; --live says which): missing 2 times; will be disabled by the first run after 1970-01-01 00:11 UTC',
    { misses: 2, missedAt: 60_000 },
  ],
  ['inactive in the source (run r1)', { state: 'disabled', disabledAt: 0, gone: GONE }],
  ['the history does not go back to the reason', { state: 'disabled', disabledAt: 0 }],
  ['inactive in the source (run r1); the username stays its own', { state: 'removed', gone: GONE }],
  ['the history does not go back to the reason; the username stays its own', { state: 'removed' }],
  ['in step except for the username, which is anna in the source and stays ann here', { inSource: 'anna' }],
])('explain says: %s', (sentence, parts) => {
  const sync = { ...SYNC, leavers: { ...SYNC.leavers, misses: 3 } };
  expect(standingOf({ ...IN_STEP, ...parts }, sync)).toBe(sentence);
});
