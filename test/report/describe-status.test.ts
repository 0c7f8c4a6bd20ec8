import { expect, test } from 'vitest';
import { describeStatus, type Status } from '../../src/report/describe-status.ts';
import { NO_EDITS } from '../../src/domain/changes.ts';
import { plain } from '../../src/domain/text/line.ts';
import { SYNC } from '../plan/build.ts';

const EMPTY: Status = {
  ledger: 'x.db',
  isReportOnly: false,
  otherDaemons: 0,
  reloadRefused: null,
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
  untold: [],
  replies: [],
  next: null,
  heartbeat: null,
};

function told(status: Partial<Status>): readonly string[] {
  const words = { labels: new Map<string, string>(), leavers: SYNC.leavers, paint: plain };
  const lines = [...describeStatus({ ...EMPTY, ...status }, words)];
  return lines.map((line) => (typeof line === 'string' ? line : line.head + line.text));
}

const ANN = { subject: 'person', id: '7', label: 'ann' } as const;
const FAILS = { ...ANN, attempts: 1, firstAt: 0, lastAt: 0, kind: 'refused', reason: 'not allowed' } as const;
const UNKNOWN = 'unit "d9" is unknown';
const WAITS =
  'not allowed (3 times; tried again after 1970-01-01 00:15 UTC, by sync --full, or when the record changes)';
const HELD = { guard: 'leavers', hash: 'h', count: 1, limit: 0, first: ['ann'], about: '' } as const;
const RUN = {
  kind: 'full',
  startedAt: 0,
  endedAt: null,
  result: null,
  exitCode: null,
  report: null,
} as const;
const RUNS = [
  { ...RUN, id: 'b' },
  { ...RUN, id: 'a' },
];

/** Each says something that the lines of others do not. */
const STATUSES: Readonly<Record<string, Partial<Status>>> = {
  'who failed and waits for the next try is listed once, with the time of it': {
    failing: [{ ...FAILS, attempts: 3 }],
    blocked: [
      { ...ANN, reason: WAITS },
      { ...ANN, id: '8', label: 'bob', reason: UNKNOWN },
    ],
  },
  'who failed and has another reason to wait by now is told both': {
    failing: [FAILS],
    blocked: [{ ...ANN, reason: UNKNOWN }],
  },
  'messages that wait, since there were too many in a day': {
    untold: [{ channel: 'messenger', error: null, waitingSince: Date.UTC(2026, 10, 23, 9, 30) }],
  },
  'what is held stands with its likely cause': { held: [{ ...HELD, cause: 'All 9 were in Sales' }] },
  'and without a line where nothing stands out': { held: [{ ...HELD, cause: null }] },
  'a run without an end is under way where one is': { running: true, runs: RUNS },
  'a run without an end was interrupted where none is under way': { running: false, runs: RUNS },
};

test('a status is told as the golden file says', async () => {
  const all = Object.entries(STATUSES).map(([what, status]) =>
    [`# ${what}`, ...told(status)].map((line) => line.trimEnd()).join('\n'),
  );
  await expect(`${all.join('\n\n')}\n`).toMatchFileSnapshot('statuses.txt');
});

test('begins with what stands above all: report only, other daemons, a reload that was refused', () => {
  const refused = 'x.yaml: sync.cron: is no schedule';
  const lines = told({ isReportOnly: true, otherDaemons: 1, reloadRefused: refused });
  expect(lines.slice(0, 4)).toEqual([
    'Report only (sync.mode: report): nothing is sent.',
    '2 daemons work on this ledger: stop all but one.',
    `The daemon keeps its old configuration. It refused the new one: ${refused}.`,
    '',
  ]);
});
