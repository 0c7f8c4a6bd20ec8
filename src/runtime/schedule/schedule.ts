import type { SyncSettings } from '../../domain/settings.ts';
import { cronTimes } from './cron-times.ts';

export type ScheduleSettings = Pick<SyncSettings, 'cron' | 'fullCron' | 'timezone'>;

export interface Schedule {
  stop(): void;
}

const MINUTE = 60_000;
const SECOND = 1_000;

/**
 * Milliseconds; a clock that is corrected by so little has not gone back, and times that it had shown do not
 * come again.
 */
const SLIGHTLY = MINUTE;

/**
 * Calls back once for all times of `cron` and `fullCron` that passed since the last look; `full` where one of
 * them was of `fullCron`. It looks at the clock at each full minute (each second, where an expression has
 * seconds), and never sleeps longer: whatever was done to the clock, and however long the process or the
 * machine slept, at most one run is owed and the next ones come at their times.
 */
export function startSchedule(settings: ScheduleSettings, due: (full: boolean) => void): Schedule {
  const incremental = cronTimes(settings.cron, settings.timezone);
  const full = settings.fullCron === null ? null : cronTimes(settings.fullCron, settings.timezone);
  const period = hasSeconds(settings) ? SECOND : MINUTE;
  let seen = Date.now();
  const look = (): void => {
    timer = sleep();
    const until = Date.now();
    if (until < seen && seen - until <= SLIGHTLY) return;
    const span = { after: Math.min(seen, until), until };
    seen = until;
    if ((full?.last(span) ?? null) !== null) due(true);
    else if (incremental.last(span) !== null) due(false);
  };
  const sleep = (): NodeJS.Timeout => setTimeout(look, period - (Date.now() % period));
  let timer = sleep();
  return { stop: () => clearTimeout(timer) };
}

function hasSeconds({ cron, fullCron }: ScheduleSettings): boolean {
  return [cron, fullCron].some((one) => one !== null && one.trim().split(/\s+/u).length > 5);
}

export interface NextRuns {
  readonly incremental: Date;
  readonly full: Date | null;
}

/**
 * Returns when the schedule comes next, counted from `now`, ms. From `owedFrom` on, ms, each run is a full one; `null`:
 * no full run is owed.
 */
export function nextRuns(
  { cron, fullCron, timezone }: ScheduleSettings,
  now: number,
  owedFrom: number | null = null,
): NextRuns {
  const planned = fullCron === null ? null : nextRun(fullCron, timezone, now);
  const owed = owedFrom === null ? null : nextRun(cron, timezone, Math.max(now, owedFrom - 1));
  const full = owed === null || (planned !== null && planned < owed) ? planned : owed;
  return { incremental: nextRun(cron, timezone, now), full };
}

function nextRun(cron: string, timezone: string, now: number): Date {
  const next = cronTimes(cron, timezone).next(now);
  if (next === null) throw new RangeError(`${cron} has no next time`);
  return new Date(next);
}
