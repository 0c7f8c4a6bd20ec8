import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { openAppSource, type App } from './app.ts';
import { openAppLedger } from './setup.ts';
import { refusedIn } from './refused-secrets.ts';
import { keepLastPlan } from './last-plan.ts';
import { heldPage, notifyOfRun } from './tell.ts';
import { NO_REPLIES, openReplies, settleReplies } from './replies.ts';
import { LedgerBusyError, LedgerError, StoppedError } from '../domain/errors.ts';
import type { Plan } from '../domain/changes.ts';
import type { Log } from '../domain/events.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { Digest } from '../domain/ports/ledger/ledger-facts.ts';
import type { PlanBook } from '../domain/ports/ledger/plan-book.ts';
import type { Lease } from '../domain/ports/ledger/runs.ts';
import type { Source } from '../domain/reading/source.ts';
import { systemClock, systemWatch } from '../lib/clock.ts';
import { firstPlanned } from '../notify/notices.ts';
import type { UnitTree } from '../plan/units/tree.ts';
import { observing, type Logger } from '../runtime/logger.ts';
import { createProgress } from '../runtime/progress.ts';
import { isFullDue } from '../runtime/schedule.ts';
import { endUnstarted, type RunReport } from '../sync/end-run.ts';
import { run } from '../sync/run.ts';
import type { RunRequest } from '../sync/state/run-request.ts';
import type { World } from '../sync/state/world.ts';

export { runId } from '../sync/begin-run.ts';
export type { RunReport } from '../sync/end-run.ts';

interface Stops {
  /** Called as the run goes on, and while another run is waited for. */
  readonly onStep?: () => void;
  readonly stop: AbortSignal;
  /** Aborted right before the process ends: then the run writes at once what it can. */
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
  {
    stop,
    quit,
    onStep,
    source,
    isServiceSilent = false,
  }: Stops & Pick<DryOptions, 'source' | 'isServiceSilent'>,
): Promise<RunReport> {
  const { settings, service } = app;
  const log = logOf(app);
  // Every waiting call listens, and Node warns of a leak above ten listeners.
  setMaxListeners(0, stop);
  const world: World = {
    source: source ?? openAppSource(app, { sends: !request.dryRun && request.reportOnly !== true }),
    service,
    ledger,
    sync: settings.sync,
    limits: settings.service.limits,
    log,
    clock: systemClock,
    stop,
    ...(quit === undefined ? {} : { quit }),
    keepDays: settings.state.keepDays,
    owesFullSource: (after) => isFullDue(settings.sync, { after, until: systemClock.now() }),
    progress: createProgress({ log: { event: (event) => app.log.ofCurrentRun().event(event) }, onStep }),
    isServiceSilent,
  };
  return run(world, request);
}

const RETRY_MS = 500;
/** Milliseconds of waiting before the log says so: a run that soon ends is not worth a line. */
const LOG_AFTER_MS = 1_500;

/** Runs under the lease of the ledger. Waits at most `waitSeconds` for another run to end (promise 10). */
export async function runLeased(app: App, request: RunRequest, options: WaitingRun): Promise<RunReport> {
  const unstarted = async (ledger: Ledger | null, error: unknown): Promise<never> => {
    if (!(error instanceof StoppedError)) await reportUnstarted(app, ledger, request, error);
    throw error;
  };
  const ledger = await openLeased(app, options).catch((error: unknown) => unstarted(null, error));
  return holding(app, ledger, options, async () => {
    // Answers and messages are about the whole plan; what became of some records is shown by the command.
    const isWhole = request.revert === undefined && request.only === undefined;
    // What was released before waits until something is sent.
    const { replies, approvals } = isWhole && request.reportOnly !== true ? openReplies(ledger) : NO_REPLIES;
    const approve = [...request.approve, ...approvals];
    const page = isWhole ? heldPage(app, ledger) : null;
    const keep = keepLastPlan(app);
    let named: Digest['named'] = [];
    const onPlan: RunRequest['onPlan'] = async (...planned) => {
      keep(...planned);
      if (request.reportOnly === true) named = firstPlanned(planned[1].sequencedChanges());
      if (page === null) await request.onPlan?.(...planned);
      else page.onPlan(...planned);
    };
    try {
      const report = await runWith(app, ledger, { ...request, approve, onPlan }, options).catch(
        (error: unknown) => unstarted(ledger, error),
      );
      await settleReplies({ ...app, messenger: app.service }, ledger, { replies, report });
      if (isWhole) {
        const at = systemClock.now();
        await notifyOfRun(app, ledger, { report, page: page?.page() ?? null, named, at });
      }
      return report;
    } finally {
      page?.end();
    }
  });
}

/** Logs a run that could not begin, and tells people of it as of any other that failed. */
async function reportUnstarted(
  app: App,
  ledger: Ledger | null,
  { id, full, trigger }: RunRequest,
  error: unknown,
): Promise<void> {
  const at = systemClock.now();
  const begun = { id, full, trigger, now: at, runs: ledger?.runs ?? null };
  const report = endUnstarted(logOf(app), begun, error);
  await notifyOfRun(app, ledger, { report, page: null, at });
}

/** Works under the lease of the ledger, while no run does. Waits as `runLeased` does. */
export async function underLease<T>(
  app: App,
  options: WaitingRun,
  work: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  const ledger = await openLeased(app, options);
  return holding(app, ledger, options, () => work(ledger));
}

/** Keeps the lease while it works, then releases it and closes the ledger. */
async function holding<T>(app: App, ledger: Ledger, { quit }: Stops, work: () => Promise<T>): Promise<T> {
  try {
    const release = keepLease(ledger.lease, app.log);
    const forget = app.refusals.keepIn(refusedIn(ledger));
    quit?.addEventListener('abort', release);
    try {
      return await work();
    } finally {
      forget();
      quit?.removeEventListener('abort', release);
      release();
    }
  } finally {
    ledger.close();
  }
}

/** Opens the ledger and takes its lease, once no other run holds it. */
async function openLeased(app: App, options: WaitingRun): Promise<Ledger> {
  const holder = `${hostname()} pid ${process.pid} ${randomUUID().slice(0, 8)}`;
  const endAt = systemWatch.now() + options.waitSeconds * 1000;
  const waiting = { ...options, endAt, log: app.log };
  const ledger = await waitFor(waiting, () => unlessBusy(() => openAppLedger(app, 'write')));
  try {
    await waitFor(waiting, () => unlessBusy(() => ledger.lease.acquire(holder) ?? ledger));
    return ledger;
  } catch (error) {
    ledger.close();
    throw error;
  }
}

type WaitingRun = Stops & { readonly waitSeconds: number };

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
  { stop, waitSeconds, endAt, onStep, log }: WaitingRun & { readonly endAt: number; readonly log: Logger },
  attempt: () => T | string,
): Promise<T> {
  const logAt = endAt - waitSeconds * 1000 + LOG_AFTER_MS;
  let isLogged = false;
  for (;;) {
    onStep?.();
    const result = attempt();
    if (typeof result !== 'string') return result;
    if (!isLogged && systemWatch.now() >= logAt) {
      log.note('info', 'another run holds the ledger: waiting for it', { holder: result, waitSeconds });
      isLogged = true;
    }
    if (systemWatch.now() >= endAt) {
      throw new LedgerError(
        `another run (${result}) holds the ledger; waited ${waitSeconds} s. Wait for it to end, or use --wait`,
      );
    }
    await systemClock.sleep(RETRY_MS, stop);
  }
}

interface DryOptions {
  readonly full?: boolean;
  readonly revert?: RunRequest['revert'];
  /** In place of the source of the settings. */
  readonly source?: Source | undefined;
  /** See `World.isServiceSilent`. */
  readonly isServiceSilent?: boolean;
  /** Called at the end with the copy of the ledger, which has what a run would write down. */
  readonly onEnd?: (ledger: Ledger) => void;
}

/** What a run would do; its changes can be read for as long as one works with it. */
export interface DryPlan {
  readonly plan: Plan;
  readonly book: PlanBook;
  readonly tree: UnitTree;
  /** Holder of the run that was using the ledger when it was copied. */
  readonly holder: string | null;
}

/**
 * Plans on a private copy of the ledger, and returns what is made of the plan: nothing is sent, and no watermark, miss or
 * journal moves. Throws what ended the run.
 */
export async function planDry<T>(
  app: App,
  stop: AbortSignal,
  work: (planned: DryPlan) => T | Promise<T>,
  { full = false, revert, onEnd, ...options }: DryOptions = {},
): Promise<T> {
  const ledger = openAppLedger(app, 'scratch');
  try {
    const holder = ledger.lease.holder();
    const made: T[] = [];
    const onPlan: RunRequest['onPlan'] = async (plan, book, tree) =>
      void made.push(await work({ plan, book, tree, holder }));
    const request = { full, approve: [], trigger: 'command', dryRun: true, onPlan, revert } as const;
    const { error } = await runWith(app, ledger, request, { stop, ...options });
    if (error !== null) throw error;
    onEnd?.(ledger);
    return made[0] as T;
  } finally {
    ledger.close();
  }
}

const RENEW_MS = 15_000;

/**
 * Renews a lease until the function that it returns is called, which releases it. A ledger that cannot be written now
 * (a full disk) ends its run before the next call; here it is only logged, since a lease expires by itself.
 */
export function keepLease(lease: Pick<Lease, 'renew' | 'release'>, log: Log): () => void {
  const tolerant = (work: () => unknown): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      log.note('warn', 'the lease cannot be written; it expires by itself', { error });
    }
  };
  const renewal = setInterval(() => tolerant(() => lease.renew()), RENEW_MS);
  return () => {
    clearInterval(renewal);
    tolerant(() => lease.release());
  };
}
