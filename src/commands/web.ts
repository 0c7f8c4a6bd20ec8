import { openAppSource, type App } from '../app/app.ts';
import { bindingOf, requireWritable, timeNow, withAppLedger } from '../app/setup.ts';
import { lastPlanFile } from '../app/last-plan.ts';
import { takeMessages, takeRelease, type Taking } from '../app/replies.ts';
import { consoleRoutes } from '../console/console-routes.ts';
import type { CallSeen, Observer, RunEnd, RunEvent } from '../domain/events.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { RunRecord } from '../domain/ports/ledger/runs.ts';
import type { ApprovalCallback, ChannelName, ConsoleSettings } from '../domain/settings.ts';
import type { AskedRuns } from './asked-runs.ts';
import { callbackRoute } from '../http/callback-route.ts';
import { healthRoutes, openListener, type Listener, type Routes } from '../http/listener.ts';
import { triggerRoute } from '../http/trigger-route.ts';
import { Metrics, metricsRoute, type Facts } from '../http/metrics.ts';
import { heldChanges } from '../report/describe-status.ts';
import { heartbeatFile, isHealthy, standingOf, type Standing } from '../runtime/health.ts';

/** How many of the last runs are looked at for the last good one. */
const RUNS_READ = 500;

/** What the daemon answers for itself, from before the first run until after the last. */
export class Web implements Observer {
  readonly metrics: Metrics;
  readonly #app: () => App;
  readonly #askedRuns: AskedRuns;
  readonly #openedAt = timeNow().time;
  #facts: Facts | null = null;
  /** Result of the last run; the ledger may not know of one that failed. */
  #lastResult: string | null = null;
  /** Id of the last run that has ended, of this process or another one, as far as it was seen. */
  #lastRun: string | null = null;
  #requestRun: () => void = () => undefined;
  #listener: Listener | null = null;

  /** @param app as it is now: the configuration may be read again */
  constructor(app: () => App, askedRuns: AskedRuns) {
    this.#app = app;
    this.#askedRuns = askedRuns;
    this.metrics = new Metrics({
      facts: () => this.#facts,
      pace: () => app().service.stats().pace,
      standing: () => {
        const { isReportOnly, otherDaemons, reloadRefused } = this.#standing();
        const isRefused = reloadRefused !== null;
        return { otherDaemons, reportOnly: Number(isReportOnly), reloadRefused: Number(isRefused) };
      },
      now: () => timeNow().time,
    });
  }

  /** Listens where `http` is configured. Throws a ConfigError where it cannot. */
  async open(): Promise<void> {
    const { settings, log } = this.#app();
    if (settings.http === undefined) return;
    this.refresh();
    const file = heartbeatFile(settings.state.path);
    const health = healthRoutes({
      isAlive: () => isHealthy(file, timeNow()),
      lastResult: () => this.#lastResult,
      trouble: () => {
        const { otherDaemons, reloadRefused } = this.#standing();
        return { otherDaemon: otherDaemons > 0, reloadRefused: reloadRefused !== null };
      },
    });
    const { trigger } = settings.http;
    const takesRuns =
      trigger === undefined ? [] : [triggerRoute({ ...trigger, runs: this.#askedRuns, log, watch: uptime })];
    const routes = [
      health,
      metricsRoute(this.metrics),
      ...this.#approvals(),
      ...this.#console(),
      ...takesRuns,
    ];
    this.#listener = await openListener(settings.http, routes);
    log.note('info', 'listening', { address: this.#listener.address });
  }

  event(event: RunEvent): void {
    this.metrics.event(event);
    if (event.event === 'run.end') this.#lastResult = event.result;
  }

  call(call: CallSeen): void {
    this.metrics.call(call);
  }

  notifyFailed(channel: ChannelName): void {
    this.metrics.notifyFailed(channel);
  }

  /** Begins a run whenever an answer releases something, and now where one did that no run has taken. */
  connect(requestRun: () => void): void {
    this.#requestRun = requestRun;
    const { settings } = this.#app();
    if (settings.approvals === undefined && settings.http?.console?.approvers === undefined) return;
    if (this.#withLedger('read', ({ approvals }) => approvals.replies('open').length) > 0) requestRun();
  }

  #standing(): Standing {
    return standingOf(this.#app().settings, timeNow());
  }

  #approvals(): readonly Routes[] {
    const { settings, log } = this.#app();
    const { approvals } = settings;
    if (approvals === undefined) return [];
    const take = takeMessages(() => this.#taking(this.#app().settings.approvals ?? approvals));
    const now = (): number => this.#app().service.now();
    const counted = (outcome: string): void => this.metrics.callback(outcome);
    const callback = (): ApprovalCallback => (this.#app().settings.approvals ?? approvals).callback;
    return [callbackRoute({ settings: callback, now, log, take, counted })];
  }

  /** @param approvals who may release, and from where */
  #taking(approvals: Taking['approvals']): Taking {
    return {
      ...this.#app(),
      messenger: this.#app().service,
      approvals,
      withLedger: (mode, work) => this.#withLedger(mode, work),
      released: () => this.#requestRun(),
    };
  }

  #console(): readonly Routes[] {
    const { settings, log } = this.#app();
    const shown = settings.http?.console;
    if (shown === undefined) return [];
    const state = () => ({
      settings: this.#app().settings,
      about: bindingOf(settings),
      now: timeNow(),
      requireWritable,
      planFile: lastPlanFile(settings.state.path),
      rules: () => openAppSource(this.#app()).rules,
      withLedger: <T>(work: (ledger: Ledger) => T) => this.#withLedger('read', work),
    });
    const now = (): ConsoleSettings => this.#app().settings.http?.console ?? shown;
    const approve = async (by: string, hash: string) => {
      const approvers = (now().approvers ?? []).map(({ username }) => username);
      // The page is in one language, whatever messages are in.
      const taking = { ...this.#taking({ approvers, callback: {} }), language: 'en' } as const;
      return takeRelease(taking, { by, hash, at: timeNow().time });
    };
    return [consoleRoutes({ shown: now, state, approve, log, watch: uptime })];
  }

  #withLedger<T>(mode: 'read' | 'write', work: (ledger: Ledger) => T): T {
    return withAppLedger(this.#app(), mode, work);
  }

  /** Reads the ledger after each run, so that no request waits for it. */
  refresh(): void {
    if (this.#app().settings.http === undefined) return;
    this.#withLedger('read', (ledger) => {
      const ended = ledger.runs.last(RUNS_READ).filter(({ result }) => result !== null);
      this.#lastResult ??= ended[0]?.result ?? null;
      this.#lastRun = ended[0]?.id ?? null;
      // An alert needs an age before the first good run too, and one that no restart makes younger.
      const since = ended.findLast(({ startedAt }) => isPast(startedAt))?.startedAt ?? this.#openedAt;
      const lastFull = ledger.fact('lastFull');
      if (this.#facts === null) this.metrics.found(foundBefore(ledger, ended));
      this.#facts = factsOf(ledger, {
        lastGood: ended.find(({ result, endedAt }) => isGood(result) && isPast(endedAt))?.endedAt ?? since,
        lastFull: isPast(lastFull) ? lastFull : since,
      });
    });
  }

  /** Shows what a run of another process has found: one by command, or of another daemon. */
  follow(): void {
    if (this.#app().settings.http === undefined) return;
    try {
      const last = this.#withLedger('read', ({ runs }) => runs.last(2).find(({ result }) => result !== null));
      if (last === undefined || last.id === this.#lastRun) return;
      this.#lastResult = last.result;
      this.#facts = null;
      this.refresh();
    } catch {
      // A ledger that cannot be read now is looked at with the next heartbeat.
    }
  }

  async close(): Promise<void> {
    await this.#listener?.close();
  }
}

const uptime = (): number => timeNow().watch.now();

/** A time in the future was counted by a wrong clock: it tells no age. */
const isPast = (at: number | null): at is number => at !== null && at <= timeNow().time;

const isGood = (result: string | null): boolean => result !== 'failed' && result !== 'stopped';

/** Returns what the last run before this process has found: it stands until a run comes to its end. */
function foundBefore({ approvals, troubles }: Ledger, ended: readonly RunRecord[]): Partial<RunEnd> {
  const last = ended.find(({ result, report }) => isGood(result) && report?.only !== true);
  if (last === undefined) return {};
  return { ...last.report, held: heldChanges(approvals.held(), last), failed: troubles.failures().length };
}

function factsOf(ledger: Ledger, ages: Pick<Facts, 'lastGood' | 'lastFull'>): Facts {
  const { managed, disabled } = ledger.people.counts();
  const units = ledger.units.all().filter(({ state }) => state === 'managed').length;
  return {
    ...ages,
    managed: { units, people: managed, disabled },
    leaversInside: ledger.leftInside.list(0).count,
  };
}
