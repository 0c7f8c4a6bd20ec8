import { createTask, parse } from 'node-cron';
import type { SyncSettings } from '../domain/settings.ts';
import { localTime, type LocalTime } from '../domain/text/local-time.ts';

export type ScheduleSettings = Pick<SyncSettings, 'cron' | 'fullCron' | 'timezone'>;

export interface Schedule {
  stop(): void;
}

const SECOND = 1_000;

const MINUTE = 60_000;

/**
 * Milliseconds; a clock that is corrected by so little has not gone back, and times that it had shown do not
 * come again.
 */
const SLIGHTLY = MINUTE;

/**
 * Calls back once for all times of `cron` and `fullCron` that passed since the last look; `full` if one of
 * them was of `fullCron`. It looks at the clock at each full minute, or each second if an expression has
 * seconds, and never sleeps longer. So after a change of the clock or a long sleep, at most one run is owed,
 * and the next ones come at their times.
 */
export function startSchedule(settings: ScheduleSettings, onDue: (full: boolean) => void): Schedule {
  const { cron, timezone } = settings;
  const period = hasSeconds(settings) ? SECOND : MINUTE;
  let lastLook = Date.now();
  const look = (): void => {
    timer = sleep();
    const until = Date.now();
    if (until < lastLook && lastLook - until <= SLIGHTLY) return;
    // A clock that went back did so within this period.
    const span = { after: until < lastLook ? until - period : lastLook, until };
    lastLook = until;
    if (isFullDue(settings, span)) onDue(true);
    else if (nextTime(cron, timezone, span) !== null) onDue(false);
  };
  const sleep = (): NodeJS.Timeout => setTimeout(look, period - (Date.now() % period));
  let timer = sleep();
  return { stop: () => clearTimeout(timer) };
}

function hasSeconds({ cron, fullCron }: ScheduleSettings): boolean {
  return [cron, fullCron].some((one) => one !== null && one.trim().split(/\s+/u).length > 5);
}

/** Returns whether a time of `fullCron` has come in a span, also while nothing ran. */
export function isFullDue(
  { fullCron, timezone }: Pick<ScheduleSettings, 'fullCron' | 'timezone'>,
  span: Span,
): boolean {
  return fullCron !== null && nextTime(fullCron, timezone, span) !== null;
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
  const next = nextTime(cron, timezone, { after: now });
  if (next === null) throw new RangeError(`${cron} has no next time`);
  return new Date(next);
}

const DAY = 86_400_000;

/**
 * Number of days that a schedule is looked up ahead: a 29th of February on a Monday may be forty years away.
 */
const FURTHEST_DAYS = 15_000;

interface Span {
  /** Start of the span, exclusive, ms. */
  readonly after: number;
  /** End of the span, inclusive, ms; absent: as far as a schedule is looked up. */
  readonly until?: number;
}

/**
 * Returns the first time of an expression in a span; `null`: none. Its fields mean what cron(5) says: where day of month
 * and day of week are both restricted, a day that fits either one fits. A local time that the change to summer time
 * leaves out comes at the next minute that exists. One that comes twice in autumn counts once, unless the expression
 * names every hour: what runs every quarter of an hour goes on doing so.
 */
export function nextTime(
  cron: string,
  timezone: string,
  { after, until = after + FURTHEST_DAYS * DAY }: Span,
): number | null {
  const { second, minute, hour, month } = parse(cron);
  const fits = matcherOf(cron);
  const local = localTime(timezone);
  const inMinute = (time: number): readonly number[] => {
    if (isSkippedTime(local, time, { seconds: second, fits })) return [time];
    const wall = local.wall(time);
    const at = new Date(wall);
    if (!hour.includes(at.getUTCHours()) || !minute.includes(at.getUTCMinutes())) return [];
    if (hour.length < 24 && local.isRepeated(time)) return [];
    return second.filter((one) => fits(wall + one * 1000)).map((one) => time + one * 1000);
  };
  for (let at = floor(after); at <= until; at += minutesWithout({ hour, month, local }, at) * MINUTE) {
    const found = inMinute(at).find((time) => time > after);
    if (found !== undefined) return found <= until ? found : null;
  }
  return null;
}

interface Hours {
  readonly hour: readonly number[];
  readonly month: readonly number[];
  readonly local: LocalTime;
}

/**
 * Returns how many minutes from here cannot hold a time of the schedule: the rest of an hour or of a day,
 * never across a change of the clock.
 */
function minutesWithout({ hour, month, local }: Hours, time: number): number {
  const at = new Date(local.wall(time));
  const [hours, minutes] = [at.getUTCHours(), at.getUTCMinutes()];
  const isWide = !month.includes(at.getUTCMonth() + 1);
  if (!isWide && hour.includes(hours)) return 1;
  const left = isWide ? 1440 - hours * 60 - minutes : 60 - minutes;
  const other = time + left * MINUTE;
  return local.wall(other) - other === local.wall(time) - time ? left : 1;
}

const floor = (time: number): number => Math.floor(time / MINUTE) * MINUTE;

interface NamedSchedule {
  readonly seconds: readonly number[];
  readonly fits: (wall: number) => boolean;
}

function isSkippedTime(local: LocalTime, time: number, { seconds, fits }: NamedSchedule): boolean {
  const gap = local.leftOut(time);
  if (gap === null) return false;
  for (let wall = gap.from; wall < gap.to; wall += MINUTE) {
    if (seconds.some((second) => fits(wall + second * 1000))) return true;
  }
  return false;
}

/**
 * Returns a function that tells whether a wall time fits. node-cron wants both days to fit where cron(5)
 * wants one: it is asked for each.
 */
function matcherOf(cron: string): (wall: number) => boolean {
  const tasks = eitherDay(cron).map((one) => createTask(one, () => undefined, { timezone: 'UTC' }));
  // The task is only asked, never started; one that is not destroyed is kept for ever.
  for (const task of tasks) void task.destroy();
  return (wall) => tasks.some((task) => task.match(new Date(wall)));
}

function eitherDay(cron: string): readonly string[] {
  const fields = cron.trim().split(/\s+/u);
  const [dayOfMonth, dayOfWeek] = [fields.length - 3, fields.length - 1];
  const isOpen = (index: number): boolean => /^[*?]/u.test(fields[index] ?? '*');
  if (fields.length < 5 || isOpen(dayOfMonth) || isOpen(dayOfWeek)) return [cron];
  return [fields.with(dayOfWeek, '*').join(' '), fields.with(dayOfMonth, '*').join(' ')];
}
