import type { Log, Phase, Progress, RunEvent } from '../domain/events.ts';

interface ProgressOptions {
  /** Gets an event every 10 s. */
  readonly log: Pick<Log, 'event'>;
  /** Called for every record or call. */
  readonly onStep?: (() => void) | undefined;
}

const EVENT_EVERY_MS = 10_000;

interface Current {
  readonly phase: Phase;
  readonly total: number | null;
  readonly since: number;
  done: number;
}

/**
 * Creates a throttled progress: a phase of less than 10 s writes no line. Always call `end`, also after an
 * error: a timer runs until then.
 */
export function createProgress(options: ProgressOptions): Progress {
  return new ThrottledProgress(options);
}

class ThrottledProgress implements Progress {
  readonly #options: ProgressOptions;
  #current: Current | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextEvent = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  start(phase: Phase, total: number | null): void {
    this.end();
    // Changes of the clock do not affect it.
    const since = performance.now();
    this.#current = { phase, total, since, done: 0 };
    this.#nextEvent = since + EVENT_EVERY_MS;
    // Reports also while one record takes long, when advance alone would be silent.
    this.#timer = setInterval(() => this.#report(), EVENT_EVERY_MS / 10);
    this.#timer.unref();
  }

  advance(count = 1): void {
    this.#options.onStep?.();
    if (this.#current === undefined) return;
    this.#current.done += count;
    this.#report();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#current = undefined;
  }

  #report(): void {
    const now = performance.now();
    if (this.#current === undefined || now < this.#nextEvent) return;
    this.#nextEvent = now + EVENT_EVERY_MS;
    this.#options.log.event(progressEvent(this.#current, now));
  }
}

function progressEvent({ phase, total, since, done }: Current, now: number): RunEvent<'progress'> {
  const rate = now > since ? (done * 1000) / (now - since) : 0;
  const etaSeconds = total === null || rate === 0 ? null : Math.ceil(Math.max(0, total - done) / rate);
  return { event: 'progress', phase, done, total, ratePerSecond: Math.round(rate * 10) / 10, etaSeconds };
}
