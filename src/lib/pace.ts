import { abortable, type Clock } from './clock.ts';

interface PaceLimits {
  readonly requestsPerSecond: number;
  readonly concurrency: number;
}

/** Turns that are shared with other processes: all of them together keep to the rate. */
export interface Turns {
  /** Waits for a turn; the signal ends the waiting. */
  take(signal: AbortSignal): Promise<void>;
  /** Lets no call start for so many ms. Does not reject. */
  pause(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Thrown where a pause was asked for that is too long to wait for. */
export class PauseTooLong extends Error {
  /** Milliseconds left of the pause. */
  readonly ms: number;

  constructor(ms: number) {
    super(`no call may start for ${ms} ms`);
    this.ms = ms;
  }
}

/** Longest pause that is waited for, in milliseconds. */
export const LONGEST_PAUSE_MS = 10 * 60_000;

/** Milliseconds to recover from nothing to full speed; from half speed it takes half as long. */
const RECOVERY_MS = 120_000;
/** Smallest share of the limits: the pace stays above it, however often it is halved. */
const SLOWEST = 1 / 64;
/**
 * Share of an interval by which a timer may fire late without costing rate: the next turn stays where it was.
 */
const LATENESS = 0.5;

/**
 * One pace for all calls together (promise 7): turns are handed out in order, `1 / requestsPerSecond` apart, at most
 * `concurrency` at once. No second sees more than `requestsPerSecond` starts, plus one for a late timer.
 */
export class Pace {
  readonly #limits: PaceLimits;
  readonly #clock: Clock;
  readonly #shared: Turns | null;
  #queue: Promise<unknown> = Promise.resolve();
  #active = 0;
  #wake: () => void = () => undefined;
  #nextTurn = Number.NEGATIVE_INFINITY;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #longestPause = 0;
  #slowed: { readonly at: number; readonly share: number } | null = null;

  /** @param shared turns that each start takes as well, where several processes keep one pace */
  constructor(limits: PaceLimits, clock: Clock, shared: Turns | null = null) {
    this.#limits = limits;
    this.#clock = clock;
    this.#shared = shared;
  }

  /**
   * Waits for a turn, then runs the task; the signal ends the waiting, not the task. Throws PauseTooLong instead of
   * waiting for more than ten minutes of pause.
   */
  async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = this.#queue;
    const turn = abortable(before, signal).then(() => this.#turn(signal));
    // What it settles with holds what the one before it settled with, and so on: without this, all calls ever made.
    this.#queue = Promise.allSettled([before, turn]).then(() => undefined);
    await turn;
    try {
      return await task();
    } finally {
      this.#active -= 1;
      this.#wake();
    }
  }

  /**
   * Halves rate and concurrency, which recover slowly. Calls that started before an earlier halving do not
   * halve again: they only repeat the same news.
   * @param startedAt when the call that was throttled started, in ms of the clock
   */
  slowDown(startedAt: number): void {
    if (this.#slowed !== null && startedAt < this.#slowed.at) return;
    const now = this.#clock.now();
    this.#slowed = { at: now, share: Math.max(SLOWEST, this.share() / 2) };
    this.#nextTurn = Math.max(this.#nextTurn, now + this.#interval());
  }

  /** Lets no call start for so many ms from now. A longer pause that was asked for before stays. */
  pause(ms: number): void {
    const now = this.#clock.now();
    this.#longestPause = now < this.#pausedUntil ? Math.max(this.#longestPause, ms) : ms;
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms);
    void this.#shared?.pause(ms);
  }

  /** Lets go of turns that are shared. */
  async close(): Promise<void> {
    await this.#shared?.close();
  }

  /** Returns how much of the limits is in use, above 0, at most 1. */
  share(): number {
    if (this.#slowed === null) return 1;
    const since = Math.max(this.#slowed.at, this.#pausedUntil);
    const recovered = Math.max(0, this.#clock.now() - since) / RECOVERY_MS;
    return Math.min(1, this.#slowed.share + recovered);
  }

  async #turn(signal: AbortSignal): Promise<void> {
    while (this.#active >= this.#concurrency()) await abortable(this.#released(), signal);
    for (let wait = this.#wait(); wait > 0; wait = this.#wait()) await this.#clock.sleep(wait, signal);
    if (this.#shared !== null) await this.#takeShared(this.#shared, signal);
    signal.throwIfAborted();
    this.#take(this.#clock.now(), this.#interval());
  }

  /** Takes a turn; several at a slower pace: all together become slower, though each knows of its own throttling alone. */
  async #takeShared(shared: Turns, signal: AbortSignal): Promise<void> {
    for (let turns = Math.round(1 / this.share()); turns > 0; turns -= 1) await shared.take(signal);
  }

  #take(now: number, interval: number): void {
    const isLate = now - this.#nextTurn <= interval * LATENESS;
    this.#nextTurn = (isLate ? this.#nextTurn : now) + interval;
    this.#active += 1;
  }

  #released(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /**
   * Returns milliseconds to wait. A turn or the end of a pause is further away than was said only where the
   * clock was set back.
   */
  #wait(): number {
    const now = this.#clock.now();
    this.#pausedUntil = Math.min(this.#pausedUntil, now + this.#longestPause);
    const pause = this.#pausedUntil - now;
    if (pause > LONGEST_PAUSE_MS) throw new PauseTooLong(pause);
    this.#nextTurn = Math.min(this.#nextTurn, now + this.#interval());
    return Math.max(pause, this.#nextTurn - now);
  }

  #interval(): number {
    return 1000 / (this.#limits.requestsPerSecond * this.share());
  }

  #concurrency(): number {
    return Math.max(1, Math.floor(this.#limits.concurrency * this.share()));
  }
}

export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Returns the milliseconds to wait after the attempt of this number has failed: doubled each time, the upper half of it
 * by chance, so that callers who failed together do not come back together.
 * @param attempt 1 after the first failure
 * @param random from 0 to 1
 */
export function backOffMs(attempt: number, { firstMs, longestMs }: BackOff, random: number): number {
  const full = Math.min(longestMs, firstMs * 2 ** (attempt - 1));
  return full * (0.5 + random / 2);
}

/**
 * Returns `Retry-After` as milliseconds from now; `null` where there is none or it cannot be read.
 * @param date the answer's own `Date` in ms: a date in the header is on that clock, not on ours
 */
export function retryAfterMs(header: string | null, date: number): number | null {
  if (header === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
  const until = Date.parse(header);
  return Number.isNaN(until) ? null : Math.max(0, until - date);
}
