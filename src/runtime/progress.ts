import type { Log, Phase, Progress, RunEvent } from '../domain/events.ts';
import { guardLine } from './screen.ts';

interface ProgressOptions {
  /** Gets an event every 10 s; leave it out where the bar and the log share a terminal. */
  readonly log?: Pick<Log, 'event'> | undefined;
  readonly bar?: Pick<ProgressBar, 'show' | 'clear'> | undefined;
  /** Called for every record or call, with or without an event. */
  readonly onStep?: (() => void) | undefined;
  /** Returns ms; the default is not affected by changes of the clock. */
  readonly now?: () => number;
}

const EVENT_EVERY_MS = 10_000;
const DRAW_EVERY_MS = 200;

interface Current {
  readonly phase: Phase;
  readonly total: number | null;
  readonly since: number;
  done: number;
}

/**
 * Creates a throttled progress: a phase of less than 10 s leaves no line. Call `end` whatever happens: a
 * timer runs until then.
 */
export function createProgress(options: ProgressOptions): Progress {
  return new ThrottledProgress(options);
}

class ThrottledProgress implements Progress {
  readonly #options: ProgressOptions;
  readonly #now: () => number;
  #current: Current | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextEvent = 0;
  #nextDraw = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  start(phase: Phase, total: number | null): void {
    this.end();
    const since = this.#now();
    this.#current = { phase, total, since, done: 0 };
    this.#nextEvent = since + EVENT_EVERY_MS;
    this.#nextDraw = since;
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
    if (this.#current !== undefined) this.#options.bar?.clear();
    this.#current = undefined;
  }

  #report(): void {
    const now = this.#now();
    if (this.#current === undefined || now < Math.min(this.#nextEvent, this.#nextDraw)) return;
    const event = progressEvent(this.#current, now);
    if (now >= this.#nextEvent) this.#log(event, now);
    if (now >= this.#nextDraw) this.#draw(event, now);
  }

  #log(event: RunEvent<'progress'>, now: number): void {
    this.#nextEvent = now + EVENT_EVERY_MS;
    this.#options.log?.event(event);
  }

  #draw(event: RunEvent<'progress'>, now: number): void {
    this.#nextDraw = now + DRAW_EVERY_MS;
    this.#options.bar?.show(event);
  }
}

function progressEvent({ phase, total, since, done }: Current, now: number): RunEvent<'progress'> {
  const rate = now > since ? (done * 1000) / (now - since) : 0;
  const etaSeconds = total === null || rate === 0 ? null : Math.ceil(Math.max(0, total - done) / rate);
  return { event: 'progress', phase, done, total, ratePerSecond: Math.round(rate * 10) / 10, etaSeconds };
}

/** The part of a terminal's stream that a bar needs. */
interface BarStream {
  readonly columns?: number;
  write(text: string): unknown;
}

type ProgressEvent = Omit<RunEvent<'progress'>, 'event'>;

const WIDTH = 24;
/** Columns of a terminal that does not say how wide it is. */
const COLUMNS = 80;
const CLEAR_LINE = '\r\u001B[K';

/** One line at the bottom of a terminal, drawn again and again; other lines are written through `above`. */
export class ProgressBar {
  readonly #stream: BarStream;
  #shown: ProgressEvent | null = null;

  constructor(stream: BarStream) {
    this.#stream = stream;
  }

  show(progress: ProgressEvent): void {
    this.#shown = progress;
    const text = guardLine(barText(progress));
    this.#stream.write(CLEAR_LINE + text.slice(0, (this.#stream.columns || COLUMNS) - 1));
  }

  clear(): void {
    if (this.#shown !== null) this.#stream.write(CLEAR_LINE);
    this.#shown = null;
  }

  /** Erases the bar, writes the line in its place, and draws the bar again below it. */
  above(write: () => void): void {
    const shown = this.#shown;
    this.clear();
    write();
    if (shown !== null) this.show(shown);
  }
}

export function barText({ phase, done, total, ratePerSecond, etaSeconds }: ProgressEvent): string {
  const rate = `${ratePerSecond}/s`;
  if (total === null) return `${phase.padEnd(7)} ${done} ${rate}`;
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(share * WIDTH);
  const bar = `[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}]`;
  const eta = etaSeconds === null ? '' : ` ${showDuration(etaSeconds)} left`;
  return `${phase.padEnd(7)} ${bar} ${Math.floor(share * 100)}% ${done}/${total} ${rate}${eta}`;
}

function showDuration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
