import { cronTimes } from '../schedule/cron-times.ts';
import type { ScheduleSettings } from '../schedule/schedule.ts';

const INTERVALS = 3;
/**
 * Smallest number of beats, however often the schedule comes: a machine that slept has so long to wake up.
 */
const LEAST_BEATS = 20;

/**
 * Tells whether a daemon stands still: for three intervals of its schedule, and while it beat twenty times,
 * no run has ended and none took a step. A first load may take hours; while it goes on, it is no standstill.
 */
export class Standstill {
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
    const times = cronTimes(cron, timezone);
    let time: number | null = this.#since;
    for (let interval = 0; interval < INTERVALS && time !== null; interval += 1) time = times.next(time);
    return time !== null && now >= time;
  }
}
