import type { RunEvent } from '../../domain/events.ts';
import { guardLine } from './own-codes.ts';

/** The part of a terminal's stream that a bar needs. */
export interface BarStream {
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
