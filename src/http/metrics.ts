import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { PHASES, type CallSeen, type Observer, type RunEnd, type RunEvent } from '../domain/events.ts';
import type { Routes } from './listener.ts';
import { METRICS, type MetricName } from './metric-specs.ts';

/** Values that the events of runs do not have, as of a request. */
export interface Facts {
  /** Times, ms since the epoch; if there was no such run, since when there could have been one. */
  readonly lastGood: number;
  readonly lastFull: number;
  readonly managed: Readonly<Record<'units' | 'people' | 'disabled', number>>;
  readonly leaversInside: number;
}

/** What a run that came to its end has found. */
const FOUND = [
  ['rollcall_held_changes', 'held'],
  ['rollcall_blocked_records', 'blocked'],
  ['rollcall_failed_records', 'failed'],
  ['rollcall_unmanaged_employees', 'unmanaged'],
] as const;

interface MetricsDeps {
  /** Returns what the ledger says; read after each run, never while a request waits. */
  readonly facts: () => Facts | null;
  /** Returns the share of the pace in use, above 0, at most 1. */
  readonly pace: () => number;
  /** Returns what the heartbeats of the daemons say, as numbers. */
  readonly standing: () => Readonly<Record<'reportOnly' | 'otherDaemons' | 'reloadRefused', number>>;
  readonly now: () => number;
}

const SECONDS = [0.05, 0.25, 1, 5, 15, 60, 300, 900, 3600];

type MetricOf<K extends string> = {
  [N in MetricName]: (typeof METRICS)[N]['kind'] extends K ? N : never;
}[MetricName];

/** Makes a gauge that is not shown before it has a value: what is not known is not 0. */
function unknownGauge(options: ConstructorParameters<typeof Gauge>[0], hasLabels: boolean): Gauge {
  const gauge = new Gauge(options);
  if (!hasLabels) gauge.remove();
  return gauge;
}

/** Counts what happens in the runs of this process, in the text format of Prometheus. */
export class Metrics implements Observer {
  readonly contentType: string;
  readonly #registry = new Registry();
  readonly #counters = new Map<string, Counter>();
  readonly #gauges = new Map<string, Gauge>();
  readonly #histograms = new Map<string, Histogram>();
  readonly #deps: MetricsDeps;

  constructor(deps: MetricsDeps) {
    this.#deps = deps;
    this.contentType = this.#registry.contentType;
    collectDefaultMetrics({ register: this.#registry });
    for (const [name, { kind, labels, about }] of Object.entries(METRICS)) {
      const options = { name, help: about, labelNames: [...labels], registers: [this.#registry] };
      if (kind === 'counter') this.#counters.set(name, new Counter(options));
      else if (kind === 'gauge') this.#gauges.set(name, unknownGauge(options, labels.length > 0));
      else this.#histograms.set(name, new Histogram({ ...options, buckets: SECONDS }));
    }
  }

  /** Returns all metrics as text. */
  text(): Promise<string> {
    this.#collect();
    return this.#registry.metrics();
  }

  event(event: RunEvent): void {
    if (event.event === 'source.read') this.#read(event);
    if (event.event === 'run.end') this.#ended(event);
  }

  call({ call, outcome, isRetried, ms }: CallSeen): void {
    this.#count('rollcall_calls_total', { call, outcome });
    this.#histograms
      .get('rollcall_call_duration_seconds' satisfies MetricOf<'histogram'>)
      ?.observe({ call }, ms / 1000);
    if (isRetried) this.#count('rollcall_call_retries_total', { call });
  }

  notifyFailed(channel: string): void {
    this.#count('rollcall_notify_failed_total', { channel });
  }

  callback(outcome: string): void {
    this.#count('rollcall_callbacks_total', { outcome });
  }

  /** Shows what a run has found: one of this process, or the last one before it. */
  found(end: Partial<RunEnd>): void {
    for (const [name, field] of FOUND) if (end[field] !== undefined) this.#set(name, end[field]);
  }

  #read({ units, people, positions }: RunEvent<'source.read'>): void {
    for (const [kind, count] of Object.entries({ units, people, positions }))
      this.#set('rollcall_source_records', count, { kind });
  }

  #ended(end: RunEvent<'run.end'>): void {
    const { result, kind, only } = end;
    this.#count('rollcall_runs_total', { result, kind });
    const seconds = this.#histograms.get('rollcall_phase_duration_seconds' satisfies MetricOf<'histogram'>);
    for (const phase of PHASES) seconds?.observe({ phase }, end.phases[phase] / 1000);
    this.#planned('unit', end.counts.units);
    this.#planned('person', end.counts.people);
    this.#count('rollcall_applied_changes_total', {}, end.applied);
    // A run that failed, or was about some records alone, knows neither what would be held nor who waits.
    if (result === 'failed' || result === 'stopped' || only === true) return;
    this.found(end);
  }

  #planned(subject: string, counts: Readonly<Record<string, number>>): void {
    for (const [kind, count] of Object.entries(counts))
      this.#count('rollcall_planned_changes_total', { subject, kind }, count);
  }

  #collect(): void {
    const { facts, pace, now, standing } = this.#deps;
    this.#set('rollcall_pace_ratio', pace());
    const { reportOnly, otherDaemons, reloadRefused } = standing();
    this.#set('rollcall_report_only', reportOnly);
    this.#set('rollcall_other_daemons', otherDaemons);
    this.#set('rollcall_reload_refused', reloadRefused);
    const known = facts();
    if (known === null) return;
    this.#set('rollcall_leavers_inside', known.leaversInside);
    for (const [kind, count] of Object.entries(known.managed))
      this.#set('rollcall_managed_records', count, { kind });
    this.#age('rollcall_last_good_run_age_seconds', known.lastGood, now());
    this.#age('rollcall_last_full_run_age_seconds', known.lastFull, now());
  }

  #age(name: MetricOf<'gauge'>, at: number, now: number): void {
    this.#set(name, Math.max(0, (now - at) / 1000));
  }

  #count(name: MetricOf<'counter'>, labels: Readonly<Record<string, string>>, by = 1): void {
    this.#counters.get(name)?.inc({ ...labels }, by);
  }

  #set(name: MetricOf<'gauge'>, value: number, labels: Readonly<Record<string, string>> = {}): void {
    this.#gauges.get(name)?.set({ ...labels }, value);
  }
}

/** Answers `/metrics` in the text format of Prometheus. */
export const metricsRoute =
  (metrics: Metrics): Routes =>
  (app) => {
    app.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()));
  };
