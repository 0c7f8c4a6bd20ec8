import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { hasServer } from '../servers/install.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { ALERTS_FILE, RULES } from './alert-rules.ts';

/** Samples by series, one a minute, in the notation of promtool. `bad` and `good` are two instances. */
type Series = Readonly<Record<string, string>>;

interface Story {
  readonly alert: string;
  readonly name: string;
  readonly series: Series;
  /** Minutes until the alert fires. */
  readonly after: number;
  /** The instance for which it fires. `null`: it has none to name. */
  readonly instance?: null;
}

const of = (metric: string, instance: string, more = ''): string =>
  `${metric}{job="rollcall",instance="${instance}"${more}}`;
const two = (metric: string, bad: string, good: string): Series => ({
  [of(metric, 'bad')]: bad,
  [of(metric, 'good')]: good,
});
const calls = (instance: string, failed: number, done: number): Series =>
  Object.fromEntries(
    Object.entries({ failed, done }).map(([outcome, rate]) => [
      of('rollcall_calls_total', instance, `,call="GET /v1/users",outcome="${outcome}"`),
      `0+${rate}x120`,
    ]),
  );

const STORIES: readonly Story[] = [
  {
    alert: 'RollcallDown',
    name: 'one of two processes answers no more',
    series: two('up', '1x5 0x30', '1x40'),
    after: 17,
  },
  {
    alert: 'RollcallDown',
    name: 'one of two processes is no target any more',
    series: two('up', '1x5 stale', '1x40'),
    after: 17,
  },
  { alert: 'RollcallDown', name: 'there is no target at all', series: {}, after: 11, instance: null },
  {
    alert: 'RollcallRestarts',
    name: 'the third restart in an hour is followed by one more',
    series: two('process_start_time_seconds', '0x9 600x9 1200x9 1800x9 2400x9', '0x19 1200x30'),
    after: 41,
  },
  {
    alert: 'RollcallNoGoodRun',
    name: 'runs fail for six hours',
    series: two('rollcall_last_good_run_age_seconds', '0+60x400', '0+60x360 0+60x40'),
    after: 377,
  },
  {
    alert: 'RollcallNoFullRun',
    name: 'no full run for eight days',
    series: two('rollcall_last_full_run_age_seconds', '690000+60x60', '600000+60x60'),
    after: 37,
  },
  {
    alert: 'RollcallLeaverInside',
    name: 'a leaver is active for two hours, with a restart between',
    series: two('rollcall_leavers_inside', '1x60 stale _x2 1x80', '1x90 0x60'),
    after: 121,
  },
  {
    alert: 'RollcallOtherDaemon',
    name: 'a second daemon works on the ledger for five minutes',
    series: two('rollcall_other_daemons', '1x20', '1x3 0x20'),
    after: 5,
  },
  {
    alert: 'RollcallReloadRefused',
    name: 'a reload was refused, and none is taken for five minutes',
    series: two('rollcall_reload_refused', '1x20', '1x3 0x20'),
    after: 5,
  },
  {
    alert: 'RollcallHeld',
    name: 'something is held for half an hour, with a restart between',
    series: two('rollcall_held_changes', '3x10 stale _x2 3x30', '3x20 0x30'),
    after: 31,
  },
  {
    alert: 'RollcallFailing',
    name: 'a record fails for a day, with a restart between',
    series: two('rollcall_failed_records', '2x700 stale _x20 2x800', '2x1000 0x600'),
    after: 1441,
  },
  {
    alert: 'RollcallRefused',
    name: 'a quarter of the calls of one process fails, a tenth of the other',
    series: { ...calls('bad', 1, 3), ...calls('good', 1, 9) },
    after: 33,
  },
  {
    alert: 'RollcallStalls',
    name: 'the event loop stalls, and that of another program',
    series: {
      ...two('nodejs_eventloop_lag_p99_seconds', '2x60', '0.1x60'),
      'nodejs_eventloop_lag_p99_seconds{job="web",instance="other"}': '9x60',
    },
    after: 31,
  },
];

/** What two processes show that work, for two days. */
const GOOD: Series = Object.assign(
  {},
  ...['one', 'other'].map((instance) => ({
    [of('up', instance)]: '1x2880',
    [of('process_start_time_seconds', instance)]: '0x1440 86400x1440',
    [of('rollcall_last_good_run_age_seconds', instance)]: '0+60x14 '.repeat(192).trim(),
    [of('rollcall_last_full_run_age_seconds', instance)]: '500000+60x2880',
    [of('rollcall_leavers_inside', instance)]: '0x1000 1x30 0x1850',
    [of('rollcall_held_changes', instance)]: '0x1000 7x20 0x1850',
    [of('rollcall_failed_records', instance)]: '0x1000 1x900 0x980',
    [of('rollcall_calls_total', instance, ',call="GET /v1/users",outcome="done"')]: '0+20x2880',
    [of('rollcall_calls_total', instance, ',call="GET /v1/users",outcome="failed"')]: '0+1x2880',
    [of('nodejs_eventloop_lag_p99_seconds', instance)]: '0.02x1000 2x20 0.02x1860',
  })),
) as Series;

interface Expected {
  readonly alertname: string;
  readonly eval_time: string;
  readonly exp_alerts: readonly unknown[];
}

/** Returns what promtool says of the alerts where they are other ones than expected. */
function complaints(series: Series, expected: readonly Expected[]): string {
  const folder = scratchFolder('alerts');
  const file = join(folder, 'story.yaml');
  const story = {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: expected,
  };
  writeFileSync(file, stringify({ rule_files: [ALERTS_FILE], evaluation_interval: '1m', tests: [story] }));
  try {
    return spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' }).stderr;
  } finally {
    removeFolder(folder);
  }
}

/** What Alertmanager gets of an alert for one instance. */
function sent(alert: string, instance: string | null): unknown {
  const rule = RULES.find((one) => one.alert === alert);
  if (rule === undefined) throw new Error(`no alert ${alert}`);
  const annotations = Object.entries(rule.annotations).map(([key, text]) => [
    key,
    text.replace('{{ $labels.instance }}', instance ?? ''),
  ]);
  return {
    exp_labels: { ...rule.labels, job: 'rollcall', ...(instance !== null && { instance }) },
    exp_annotations: Object.fromEntries(annotations) as unknown,
  };
}

describe.runIf(hasServer('prometheus'))('the alerts', () => {
  test.each(STORIES)('$alert fires for that process alone: $name', ({ alert, series, after, instance }) => {
    const at = (minutes: number) => ({ alertname: alert, eval_time: `${minutes}m` });
    const fires = [sent(alert, instance === null ? null : 'bad')];
    const expected = [
      { ...at(after), exp_alerts: fires },
      { ...at(Math.floor(after * 0.9)), exp_alerts: [] },
    ];
    expect(complaints(series, expected)).toBe('');
  });

  test('are silent while two processes work', () => {
    const times = Array.from({ length: 96 }, (_, index) => `${index * 30}m`);
    const expected = RULES.flatMap(({ alert }) =>
      times.map((time): Expected => ({ alertname: alert, eval_time: time, exp_alerts: [] })),
    );
    expect(complaints(GOOD, expected)).toBe('');
  });

  test('have a story each', () => {
    expect(new Set(STORIES.map(({ alert }) => alert))).toEqual(new Set(RULES.map(({ alert }) => alert)));
  });
});
