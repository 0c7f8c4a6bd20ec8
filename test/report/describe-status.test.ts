import { expect, test } from 'vitest';
import { describeStatus, type Status } from '../../src/report/describe-status.ts';
import { NO_EDITS } from '../../src/domain/changes.ts';
import { plain } from '../../src/domain/text/line.ts';
import { SYNC } from '../plan/build.ts';

const EMPTY: Status = {
  ledger: 'x.db',
  runs: [],
  running: false,
  cannotRun: null,
  units: 0,
  people: { creating: 0, managed: 0, disabled: 0, removed: 0 },
  unmanaged: 0,
  unmanagedEmployees: null,
  held: [],
  leftInside: [],
  blocked: [],
  waiting: [],
  failing: [],
  edited: NO_EDITS,
  kept: [],
  untold: { error: null, waitingSince: null },
  replies: [],
  next: null,
  heartbeat: null,
};

function told(status: Partial<Status>): readonly string[] {
  const words = { labels: new Map<string, string>(), leavers: SYNC.leavers, paint: plain };
  const lines = [...describeStatus({ ...EMPTY, ...status }, words)];
  return lines.map((line) => (typeof line === 'string' ? line : line.head + line.text));
}

test('who failed and waits for the next try is listed once, with the time of it', () => {
  const who = { subject: 'person', id: '7', label: 'ann' } as const;
  const reason = 'old positions are still there: 4711';
  const times = { attempts: 3, firstAt: 0, lastAt: 0, kind: 'refused' } as const;
  const waits = `${reason} (3 times; tried again after 1970-01-01 00:15 UTC, by sync --full, or when the record changes)`;
  const lines = told({
    failing: [{ ...who, ...times, reason }],
    blocked: [
      { ...who, reason: waits },
      { ...who, id: '8', label: 'bob', reason: 'unit "d9" is unknown' },
    ],
  });
  expect(lines.filter((line) => line.includes('ann'))).toEqual([`  ! person ann: ${waits}`]);
  expect(lines).toContain('failing: 1 person');
  expect(lines).toContain('skipped or waiting: 1 person');
  expect(lines.at(-1)).toBe(
    'In all: 1 failing; 1 person skipped or waiting. One record: rollcall explain NAME',
  );
});

test('who failed and has another reason to wait by now is told both', () => {
  const who = { subject: 'person', id: '7', label: 'ann' } as const;
  const lines = told({
    failing: [{ ...who, attempts: 1, firstAt: 0, lastAt: 0, kind: 'refused', reason: 'not allowed' }],
    blocked: [{ ...who, reason: 'unit "d9" is unknown' }],
  });
  expect(lines.filter((line) => line.includes('ann'))).toHaveLength(2);
  expect(lines).toContain('  ! person ann: not allowed (once, last 1970-01-01 00:00:00 UTC)');
});

test('messages that wait, since there were too many in a day, are told', () => {
  const waitingSince = Date.UTC(2026, 10, 23, 9, 30);
  const lines = told({ untold: { error: null, waitingSince } });
  expect(lines.join('\n')).toContain('messages    none is sent since 2026-11-23 09:30');
});

test('what is held stands with its likely cause, and without a line where nothing stands out', () => {
  const one = { guard: 'leavers', hash: 'h', count: 1, limit: 0, first: ['ann'], about: '' } as const;
  const lines = told({ held: [{ ...one, cause: 'All 9 were in Sales' }] });
  const at = lines.findIndex((line) => line.startsWith('HELD'));
  expect(lines.slice(at + 1, at + 4)).toEqual([
    '  ann',
    '  Likely cause: All 9 were in Sales.',
    '  Look at them with rollcall plan, release them with: rollcall sync --approve h',
  ]);
  expect(told({ held: [{ ...one, cause: null }] }).join('\n')).not.toContain('cause');
});

test.each([
  [true, 'under way', 'No run has ended yet; one is under way.'],
  [
    false,
    'interrupted',
    'No run has ended yet: the next one goes on from where the last one was interrupted.',
  ],
])('a run without an end is under way only where one is (%s)', (running, text, end) => {
  const run = {
    kind: 'full',
    startedAt: 0,
    endedAt: null,
    result: null,
    exitCode: null,
    report: null,
  } as const;
  const lines = told({
    running,
    runs: [
      { ...run, id: 'b' },
      { ...run, id: 'a' },
    ],
  });
  expect(lines[0]).toContain(`full  ${text}  [b]`);
  expect(lines[1]).toContain('full  interrupted  [a]');
  expect(lines.at(-1)).toBe(end);
});
