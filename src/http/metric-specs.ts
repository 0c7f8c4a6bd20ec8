/** A metric as it is documented and made. `about` is its help text. */
export interface MetricSpec {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly about: string;
}

/** All metrics of rollcall itself; the table in docs/monitoring.md and the check of alert rules are made from it. */
export const METRICS = {
  rollcall_runs_total: {
    kind: 'counter',
    labels: ['result', 'kind'],
    about: 'Runs that ended: result is ok, partial, held, stopped or failed; kind is incremental or full.',
  },
  rollcall_phase_duration_seconds: {
    kind: 'histogram',
    labels: ['phase'],
    about: 'Seconds that a phase of a run took: read, refresh, plan, apply, verify.',
  },
  rollcall_planned_changes_total: {
    kind: 'counter',
    labels: ['subject', 'kind'],
    about: 'Changes that runs planned, those included that were held.',
  },
  rollcall_applied_changes_total: { kind: 'counter', labels: [], about: 'Changes that were sent and taken.' },
  rollcall_held_changes: {
    kind: 'gauge',
    labels: [],
    about: 'Changes that the last run held until somebody approves them.',
  },
  rollcall_blocked_records: {
    kind: 'gauge',
    labels: [],
    about: 'Records that the last run did not change, because they wait for something.',
  },
  rollcall_failed_records: {
    kind: 'gauge',
    labels: [],
    about: 'Records that failed, in the last run or before, and are not done yet.',
  },
  rollcall_leavers_inside: {
    kind: 'gauge',
    labels: [],
    about: 'People who have left and whose accounts are still active.',
  },
  rollcall_unmanaged_employees: {
    kind: 'gauge',
    labels: [],
    about: 'Employees in the service whom the source does not have.',
  },
  rollcall_source_records: {
    kind: 'gauge',
    labels: ['kind'],
    about: 'Records in the last complete read of the source: units, people, and positions of their own.',
  },
  rollcall_managed_records: {
    kind: 'gauge',
    labels: ['kind'],
    about: 'Records that rollcall manages: units, people, and people whom it has disabled.',
  },
  rollcall_calls_total: {
    kind: 'counter',
    labels: ['call', 'outcome'],
    about: 'Attempts of calls to the service: outcome is done, refused or failed.',
  },
  rollcall_call_duration_seconds: {
    kind: 'histogram',
    labels: ['call'],
    about: 'Seconds that an attempt of a call took.',
  },
  rollcall_call_retries_total: {
    kind: 'counter',
    labels: ['call'],
    about: 'Attempts after which the call was sent again.',
  },
  rollcall_callbacks_total: {
    kind: 'counter',
    labels: ['outcome'],
    about:
      'Callbacks of the service: outcome is taken, again (the same a second time), failed, or why it was turned away: ' +
      'unsigned, forged, stale, cut, notJson, settings.',
  },
  rollcall_notify_failed_total: {
    kind: 'counter',
    labels: ['channel'],
    about: 'Notices that were not taken: channel is messenger, email or webhook.',
  },
  rollcall_pace_ratio: {
    kind: 'gauge',
    labels: [],
    about: 'Share of the configured pace that is in use: 1, and less after the service has asked for less.',
  },
  rollcall_report_only: {
    kind: 'gauge',
    labels: [],
    about: '1 while the daemon only reports (sync.mode: report), else 0.',
  },
  rollcall_other_daemons: {
    kind: 'gauge',
    labels: [],
    about: 'Daemons that work on the same ledger beside this one: 0 is right.',
  },
  rollcall_reload_refused: {
    kind: 'gauge',
    labels: [],
    about: '1 after a daemon has refused a new configuration, until it takes one or starts again, else 0.',
  },
  rollcall_last_good_run_age_seconds: {
    kind: 'gauge',
    labels: [],
    about:
      'Seconds since the last run that neither failed nor was stopped; if there is none, since the first run, or since ' +
      'the daemon started.',
  },
  rollcall_last_full_run_age_seconds: {
    kind: 'gauge',
    labels: [],
    about: 'Seconds since the last complete read of the service; if there is none, as above.',
  },
} as const satisfies Readonly<Record<string, MetricSpec>>;

export type MetricName = keyof typeof METRICS;
