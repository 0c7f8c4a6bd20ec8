import { describe, expect, test } from 'vitest';
import { Metrics, type Facts } from '../../src/http/metrics.ts';
import { QUIET_END } from '../runtime/run-end.ts';

const FACTS: Facts = {
  lastGood: 1_000,
  lastFull: 31_000,
  managed: { units: 2, people: 3, disabled: 1 },
  leaversInside: 4,
};

function open(facts: Facts | null = FACTS) {
  const metrics = new Metrics({
    facts: () => facts,
    pace: () => 0.5,
    now: () => 61_000,
    standing: () => ({ reportOnly: 1, otherDaemons: 2, reloadRefused: 0 }),
  });
  const lines = async (): Promise<readonly string[]> =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith('rollcall_'));
  return { metrics, lines };
}

describe('metrics', () => {
  test('say what the ledger and the pace say', async () => {
    const lines = await open().lines();
    expect(lines).toEqual(
      expect.arrayContaining([
        'rollcall_pace_ratio 0.5',
        'rollcall_last_good_run_age_seconds 60',
        'rollcall_last_full_run_age_seconds 30',
        'rollcall_leavers_inside 4',
        'rollcall_managed_records{kind="units"} 2',
        'rollcall_managed_records{kind="people"} 3',
        'rollcall_managed_records{kind="disabled"} 1',
      ]),
    );
  });

  test('count runs, their phases and changes', async () => {
    const { metrics, lines } = open();
    const end = {
      ...QUIET_END,
      event: 'run.end',
      held: 7,
      blocked: 5,
      failed: 6,
      unmanaged: 8,
      applied: 9,
    } as const;
    metrics.event({ ...end, result: 'held', kind: 'full', phases: { ...QUIET_END.phases, apply: 2_000 } });
    metrics.event({ ...end, result: 'failed', held: 0, blocked: 0, failed: 0, unmanaged: 0 });
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'rollcall_runs_total{result="held",kind="full"} 1',
        'rollcall_runs_total{result="failed",kind="incremental"} 1',
        'rollcall_phase_duration_seconds_sum{phase="apply"} 2',
        'rollcall_applied_changes_total 18',
        'rollcall_held_changes 7',
        'rollcall_blocked_records 5',
        'rollcall_failed_records 6',
        'rollcall_unmanaged_employees 8',
      ]),
    );
  });

  test('count calls by operation and outcome, with those that are sent again', async () => {
    const { metrics, lines } = open();
    const call = 'GET /v1/users';
    metrics.call({ call, outcome: 'failed', isRetried: true, ms: 500 });
    metrics.call({ call, outcome: 'done', isRetried: false, ms: 1_500 });
    expect(await lines()).toEqual(
      expect.arrayContaining([
        `rollcall_calls_total{call="${call}",outcome="failed"} 1`,
        `rollcall_calls_total{call="${call}",outcome="done"} 1`,
        `rollcall_call_retries_total{call="${call}"} 1`,
        `rollcall_call_duration_seconds_sum{call="${call}"} 2`,
      ]),
    );
  });

  test('have the records of the last read, and those of the process', async () => {
    const { metrics, lines } = open(null);
    const read = {
      event: 'source.read',
      units: 1,
      people: 2,
      positions: 3,
      refused: 0,
    } as const;
    metrics.event({ ...read, snapshot: '', parts: [], ms: 1 });
    const all = (await lines()).join('\n');
    expect(all).toContain('rollcall_source_records{kind="people"} 2');
    expect(all).not.toContain('rollcall_last_good_run_age_seconds');
    expect(await metrics.text()).toContain('nodejs_eventloop_lag_seconds');
  });
});
