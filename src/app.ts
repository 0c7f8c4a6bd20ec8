import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { loadSettings } from './config/load-settings.ts';
import { secretsOf } from './config/secrets-of.ts';
import { LedgerBusyError, LedgerError, StoppedError } from './domain/errors.ts';
import type { Log, Progress } from './domain/events.ts';
import type { Observer } from './domain/ports/observer.ts';
import type { Ledger } from './domain/ports/ledger/ledger.ts';
import type { Service } from './domain/ports/service.ts';
import type { Settings } from './domain/settings.ts';
import type { Source } from './domain/records/source.ts';
import { openLedger, type LedgerOptions } from './ledger/open-ledger.ts';
import { tell } from './app/tell.ts';
import { systemClock } from './lib/clock.ts';
import { systemWatch } from './lib/system-watch.ts';
import type { Now } from './runtime/daemon/health.ts';
import { keepLease } from './runtime/daemon/keep-lease.ts';
import { observing } from './runtime/log/observing.ts';
import { createLogger, type Logger, type Pretty } from './runtime/log/logger.ts';
import { createProgress } from './runtime/screen/progress.ts';
import { ProgressBar } from './runtime/screen/progress-bar.ts';
import { columnsOf, wantsColour } from './runtime/screen/screen.ts';
import { createCaller, type Caller } from './service/create-caller.ts';
import { createService } from './service/create-service.ts';
import type { CallReport } from './service/calls/call.ts';
import { openSource } from './source/open-source.ts';
import type { RunRequest } from './sync/state/run-request.ts';
import { endUnbegun, type RunReport } from './sync/end-run.ts';
export type { Caller } from './service/create-caller.ts';
export { fileProblem } from './service/files/file-problem.ts';
export { checkTarget } from './service/files/save.ts';
export type { RunReport } from './sync/end-run.ts';
import { run } from './sync/run.ts';
import type { World } from './sync/state/world.ts';

/** What every verb starts with: the configuration as it is now, and the log. */
export interface App {
  readonly configFile: string;
  readonly settings: Settings;
  readonly log: Logger;
  /** Bar at the bottom of a terminal that it shares with the log; `null` where stderr is no terminal. */
  readonly bar: ProgressBar | null;
  readonly observer: Observer | undefined;
  /** One client for all runs: its pace and what the service asked for (`Retry-After`) outlast a run. */
  readonly service: Service;
}

export interface AppOptions {
  readonly configFile: string;
  readonly env: NodeJS.ProcessEnv;
  /** Where log lines go; `stderr` leaves stdout to the verb's own answer. */
  readonly logTo: 'stdout' | 'stderr';
  /** Sees the events of runs, and each call. */
  readonly observer?: Observer | undefined;
}

export function loadApp({ configFile, env, logTo, observer }: AppOptions): App {
  const { settings, warnings } = loadSettings(configFile, env);
  const stream = logTo === 'stdout' ? process.stdout : process.stderr;
  const bar = process.stderr.isTTY ? new ProgressBar(process.stderr) : null;
  const log = createLogger({
    level: logTo === 'stdout' ? settings.log.level : 'error',
    secrets: secretsOf(settings),
    pretty: stream.isTTY ? prettyOn(stream, env, bar) : undefined,
    ...(logTo === 'stderr' ? { out: process.stderr } : {}),
  });
  for (const warning of warnings) log.note('warn', warning);
  const service = createService(settings.service, {
    clock: systemClock,
    onCall: (report) => {
      logCall(log, report);
      const { call, outcome, ms, retryInMs } = report;
      observer?.call({ call, outcome, ms, isRetried: retryInMs !== null });
    },
    onToken: (token) => log.hide(token),
  });
  return { configFile, settings, log, bar, observer, service };
}

export function timeNow(): Now {
  return { time: systemClock.now(), watch: systemWatch };
}

export function bindingOf({ service }: Settings): string {
  return `${service.domainId}/${service.orgCode}`;
}

export function openAppLedger({ settings }: App, mode: LedgerOptions['mode']): Ledger {
  return openLedger({
    path: settings.state.path,
    binding: bindingOf(settings),
    now: () => systemClock.now(),
    watch: systemWatch,
    mode,
  });
}

/** Logs a call as `call.sent` or `call.retry`; the line never has a query, body or token in it. */
function logCall(log: Logger, report: CallReport): void {
  const { call, items, ms, attempt } = report;
  if (report.retryInMs !== null) {
    const reason = report.reason ?? report.outcome;
    log.event({ event: 'call.retry', call, attempt, delayMs: report.retryInMs, reason });
  } else if (report.changing) {
    const outcome = report.outcome === 'failed' ? 'ambiguous' : report.outcome;
    log.event({ event: 'call.sent', call, items, outcome, status: report.status ?? undefined, ms });
  }
}

/**
 * Opens a caller of any operation, with the connection of the configuration.
 *
 * @param onSecret called with each token that is read and each secret that a body holds
 */
export function openCaller({ settings, log }: App, onSecret: (secret: string) => void): Caller {
  const hide = (secret: string): void => {
    log.hide(secret);
    onSecret(secret);
  };
  return createCaller(settings.service, { clock: systemClock, onSecret: hide });
}

/** @param sends whether the pictures of logos may be sent: then they are put down beside the ledger */
export function openAppSource(settings: Settings, sends = false): Source {
  return openSource(settings.source, sends ? settings.state.path : null);
}

function prettyOn(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv, bar: ProgressBar | null): Pretty {
  return { colour: wantsColour(stream, env), columns: () => columnsOf(stream), bar: bar ?? undefined };
}

/** Shows progress as lines in the log or as a bar on a terminal; never both on one stream. */
function progressOf({ log, bar }: App, onStep?: () => void): Progress {
  return createProgress({ ...(bar === null ? { log } : { bar }), onStep });
}

interface Stops {
  /** Called as the run goes on, and while another run is waited for. */
  readonly onStep?: () => void;
  readonly stop: AbortSignal;
  /** Aborted right before the process ends: whatever can be written at once is written. */
  readonly quit?: AbortSignal;
}

/** Returns the log of runs. */
function logOf({ log, observer }: App): Log {
  return observer === undefined ? log : observing(log, observer);
}

/** Makes one run, with everything it needs. */
async function runWith(
  app: App,
  ledger: Ledger,
  request: RunRequest,
  { stop, quit, onStep }: Stops,
): Promise<RunReport> {
  const { settings, service } = app;
  const log = logOf(app);
  // Every waiting call listens, and Node warns of a leak above ten listeners.
  setMaxListeners(0, stop);
  const world: World = {
    source: openAppSource(settings, !request.dryRun),
    service,
    ledger,
    sync: settings.sync,
    limits: settings.service.limits,
    log,
    clock: systemClock,
    stop,
    ...(quit === undefined ? {} : { quit }),
    keepDays: settings.state.keepDays,
    progress: progressOf(app, onStep),
  };
  return run(world, request);
}

const ASK_AGAIN_MS = 500;
/** Milliseconds of waiting before the log says so: a run that soon ends is not worth a line. */
const SAID_AFTER_MS = 1_500;

/** Runs under the lease of the ledger. Waits at most `waitSeconds` for another run to end (promise 10). */
export async function runLeased(app: App, request: RunRequest, options: Waiting): Promise<RunReport> {
  const ledger = await openLeased(app, options).catch((error: unknown) => {
    if (!(error instanceof StoppedError))
      endUnbegun(logOf(app), { full: request.full, now: systemClock.now() }, error);
    throw error;
  });
  try {
    const release = keepLease(ledger.lease, app.log);
    options.quit?.addEventListener('abort', release);
    try {
      const report = await runWith(app, ledger, request, options);
      await tell(app, ledger, report);
      return report;
    } finally {
      options.quit?.removeEventListener('abort', release);
      release();
    }
  } finally {
    ledger.close();
  }
}

/** Opens the ledger and takes its lease, once no other run holds it. */
async function openLeased(app: App, options: Waiting): Promise<Ledger> {
  const holder = `${hostname()} pid ${process.pid} ${randomUUID().slice(0, 8)}`;
  const until = systemWatch.now() + options.waitSeconds * 1000;
  const waiting = { ...options, until, log: app.log };
  const ledger = await waitFor(waiting, () => unlessBusy(() => openAppLedger(app, 'write')));
  try {
    await waitFor(waiting, () => unlessBusy(() => ledger.lease.acquire(holder)?.holder ?? ledger));
    return ledger;
  } catch (error) {
    ledger.close();
    throw error;
  }
}

type Waiting = Stops & { readonly waitSeconds: number };

/**
 * Does the work, or returns why it cannot: another process is in the middle of a write. No statement can tell
 * which process, because it may have been stopped right there.
 */
function unlessBusy<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof LedgerBusyError) return 'in the middle of a write, or stopped there';
    throw error;
  }
}

/** Tries again until the attempt returns an object; a text says who is in the way. */
async function waitFor<T extends object>(
  { stop, waitSeconds, until, onStep, log }: Waiting & { readonly until: number; readonly log: Logger },
  attempt: () => T | string,
): Promise<T> {
  const sayAt = until - waitSeconds * 1000 + SAID_AFTER_MS;
  let isSaid = false;
  for (;;) {
    onStep?.();
    const got = attempt();
    if (typeof got !== 'string') return got;
    if (!isSaid && systemWatch.now() >= sayAt) {
      log.note('info', 'another run holds the ledger: waiting for it', { holder: got, waitSeconds });
      isSaid = true;
    }
    if (systemWatch.now() >= until) {
      throw new LedgerError(
        `another run (${got}) holds the ledger; waited ${waitSeconds} s. Wait for it to end, or use --wait`,
      );
    }
    await systemClock.sleep(ASK_AGAIN_MS, stop);
  }
}

export interface DryReport extends RunReport {
  /** Holder of the run that was using the ledger when it was copied. */
  readonly holder: string | null;
}

/** Plans on a private copy of the ledger: nothing is sent, and no watermark, miss or journal moves. */
export async function runDry(app: App, request: RunRequest, stop: AbortSignal): Promise<DryReport> {
  const ledger = openAppLedger(app, 'scratch');
  try {
    const holder = ledger.lease.holder();
    return { ...(await runWith(app, ledger, { ...request, dryRun: true }, { stop })), holder };
  } finally {
    ledger.close();
  }
}
