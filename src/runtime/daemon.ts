import { once } from 'node:events';
import { EXIT, sentenceOf, StoppedError } from '../domain/errors.ts';
import { stopped } from '../domain/run-problems.ts';
import type { Log } from '../domain/events.ts';
import { RunQueue, type Added, type AskedRun, type RunRequest } from './run-queue.ts';
import { onSignals, type SignalSource } from './signals.ts';
import { isFullDue, nextTime, startSchedule, type Schedule, type ScheduleSettings } from './schedule.ts';

/** Milliseconds that calls in flight get after the first SIGTERM; a container is killed 5 s later. */
const STOP_AFTER_MS = 25_000;
const BEAT_EVERY_MS = 30_000;
const STANDSTILL =
  'no run has ended or gone on for three intervals of the schedule: status --health is 1 until one does; ' +
  'start the daemon again';

/** Asks the daemon for runs. */
export interface Requests {
  /** Requests a run after an answer of an approver. */
  readonly afterReply: () => void;
  /** Begins a run, unless one works or waits. */
  readonly ifIdle: (asked: AskedRun) => Added;
}

export interface DaemonOptions {
  readonly settings: ScheduleSettings;
  /**
   * Makes one run. It ends soon after `signal` aborts, and at the latest when `quit` aborts. If it throws,
   * the daemon logs the error and goes on.
   */
  readonly runOnce: (
    request: RunRequest & { readonly signal: AbortSignal; readonly quit: AbortSignal },
  ) => Promise<unknown>;
  /**
   * Returns when the last full run that ended well began, ms; `null`: none did, so the first run is a full
   * one anyway.
   */
  readonly lastFullRun: () => number | null;
  /** Reads the configuration again, for the runs from now on. If it throws, everything stays as it was. */
  readonly reload: () => ScheduleSettings | Promise<ScheduleSettings>;
  /**
   * Returns a count that goes up with each record that is read and each call: a run that goes on is alive,
   * however long it takes.
   */
  readonly steps: () => number;
  /** Called first, when signals are handled: opens what the daemon listens at. */
  readonly open?: () => Promise<void>;
  /** Called at the start with what requests a run. */
  readonly connect?: (requests: Requests) => void;
  /**
   * Called every 30 s, for `status --health`, unless the daemon stands still; and after each reload, with the reason if
   * it was refused.
   */
  readonly beat: (reloadRefused: string | null) => void;
  readonly log: Log;
  readonly signals?: SignalSource;
  /** Ends the process at once, on the second signal. */
  readonly exit?: (code: number) => void;
  readonly now?: () => number;
}

/**
 * Runs on schedule until SIGTERM or SIGINT; then the process should exit 0. SIGUSR2 starts a run, SIGHUP
 * reloads.
 */
export async function runDaemon(options: DaemonOptions): Promise<void> {
  await new Daemon(options).run();
}

class Daemon {
  readonly #options: DaemonOptions;
  readonly #stop = new AbortController();
  readonly #quit = new AbortController();
  readonly #queue: RunQueue;
  readonly #standstill: Standstill;
  #schedule: Schedule | undefined;
  #settings: ScheduleSettings;
  #ended = 0;
  #isStuck = false;
  #reloadRefused: string | null = null;

  constructor(options: DaemonOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#standstill = new Standstill(options.now ?? Date.now);
    this.#queue = new RunQueue({
      run: (request) => this.#runOnce(request),
      skipped: ({ full, trigger }, reason) =>
        options.log.event({ event: 'run.skipped', kind: full ? 'full' : 'incremental', trigger, reason }),
    });
  }

  async run(): Promise<void> {
    const release = this.#handleSignals();
    let heart: NodeJS.Timeout | undefined;
    try {
      if (this.#options.open !== undefined) await this.#options.open();
      heart = setInterval(() => this.#beat(), BEAT_EVERY_MS);
      this.#beat();
      this.#schedule = this.#startSchedule(this.#options.settings);
      this.#requestFirst();
      this.#options.connect?.({
        afterReply: () => this.#queue.add({ full: false, trigger: 'reply' }),
        ifIdle: (asked) => this.#queue.addIfIdle({ full: false, trigger: 'http', asked }),
      });
      if (!this.#stop.signal.aborted) await once(this.#stop.signal, 'abort');
      await this.#finish();
    } finally {
      this.#schedule?.stop();
      clearInterval(heart);
      release();
    }
  }

  #handleSignals(): () => void {
    return onSignals(this.#options.signals ?? process, {
      SIGTERM: () => this.#stopOrExit(),
      SIGINT: () => this.#stopOrExit(),
      SIGUSR2: () => this.#queue.add({ full: false, trigger: 'signal' }),
      SIGHUP: () => void this.#reload(),
    });
  }

  #stopOrExit(): void {
    const { log, exit = (code) => process.exit(code) } = this.#options;
    if (this.#stop.signal.aborted) {
      this.#quit.abort();
      return exit(EXIT.failed);
    }
    log.note('info', 'stopping: the calls in flight are finished first');
    this.#stop.abort(stopped('stopped-asked', {}));
  }

  #startSchedule(settings: ScheduleSettings): Schedule {
    return startSchedule(settings, (full) => this.#queue.add({ full, trigger: full ? 'fullCron' : 'cron' }));
  }

  #requestFirst(): void {
    const isOwed = this.#owesFullRun();
    this.#queue.add({ full: isOwed, trigger: isOwed ? 'owed' : 'start' });
  }

  #owesFullRun(): boolean {
    const { settings, lastFullRun, now = Date.now } = this.#options;
    const after = lastFullRun();
    if (settings.fullCron === null || after === null) return false;
    const until = now();
    // A time in the future was counted by a wrong clock: how long ago it was is unknown.
    return after > until || isFullDue(settings, { after, until });
  }

  async #runOnce(request: RunRequest): Promise<void> {
    try {
      await this.#options.runOnce({ ...request, signal: this.#stop.signal, quit: this.#quit.signal });
    } catch (error) {
      if (error instanceof StoppedError) return;
      this.#options.log.note('error', 'the run failed; the next one comes on schedule', { error });
    } finally {
      this.#ended += 1;
    }
  }

  async #reload(): Promise<void> {
    const { log, reload } = this.#options;
    try {
      const settings = await reload();
      if (this.#stop.signal.aborted) return;
      const old = this.#schedule;
      this.#schedule = this.#startSchedule(settings);
      this.#settings = settings;
      old?.stop();
      this.#reloadRefused = null;
      log.note('info', 'configuration read again');
    } catch (error) {
      this.#reloadRefused = sentenceOf(error);
      log.note('error', 'the configuration cannot be used; the old one stays', { error });
    }
    if (!this.#isStuck) this.#show();
  }

  #beat(): void {
    if (!this.#standsStill()) this.#show();
  }

  #show(): void {
    try {
      this.#options.beat(this.#reloadRefused);
    } catch (error) {
      this.#options.log.note('warn', 'the heartbeat cannot be written', { error });
    }
  }

  #standsStill(): boolean {
    const { log, steps } = this.#options;
    const stood = this.#isStuck;
    this.#isStuck = this.#standstill.isLong(this.#ended + steps(), this.#settings);
    if (this.#isStuck && !stood) log.note('error', STANDSTILL);
    return this.#isStuck;
  }

  async #finish(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), STOP_AFTER_MS);
    });
    const end = await Promise.race([this.#queue.stop(), deadline]);
    clearTimeout(timer);
    if (end !== 'late') return;
    this.#options.log.note(
      'warn',
      'calls in flight did not end in time; the next run finds out what became of them',
    );
    this.#quit.abort();
  }
}

const INTERVALS = 3;
/**
 * Smallest number of beats, however often the schedule comes: a machine that slept has so long to wake up.
 */
const LEAST_BEATS = 20;

/**
 * Tells whether a daemon stands still: for three intervals of its schedule, and while it beat twenty times,
 * no run has ended and none took a step. A first load may take hours; while it goes on, it is no standstill.
 */
class Standstill {
  readonly #now: () => number;
  #steps: number | null = null;
  #since = 0;
  #beats = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param steps counts up with each ended run, record and call; asked at each beat */
  isLong(steps: number, { cron, timezone }: Pick<ScheduleSettings, 'cron' | 'timezone'>): boolean {
    const now = this.#now();
    if (steps !== this.#steps || now < this.#since) {
      [this.#steps, this.#since, this.#beats] = [steps, now, 0];
      return false;
    }
    this.#beats += 1;
    if (this.#beats < LEAST_BEATS) return false;
    let time: number | null = this.#since;
    for (let interval = 0; interval < INTERVALS && time !== null; interval += 1)
      time = nextTime(cron, timezone, { after: time });
    return time !== null && now >= time;
  }
}
