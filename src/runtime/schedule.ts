import { createTask, type ScheduledTask } from 'node-cron';
import type { SyncSettings } from '../domain/settings.ts';

export type ScheduleSettings = Pick<SyncSettings, 'cron' | 'fullCron' | 'timezone'>;

export interface Schedule {
  stop(): void;
}

/** Calls back at each time of `cron` and of `fullCron`; where both fall on one time, for the full run only. */
export function startSchedule(settings: ScheduleSettings, due: (full: boolean) => void): Schedule {
  const full = settings.fullCron === null ? undefined : taskOf(settings.fullCron, settings, () => due(true));
  const incremental = taskOf(settings.cron, settings, (slot) => {
    if (full?.match(slot) !== true) due(false);
  });
  const tasks = full === undefined ? [incremental] : [incremental, full];
  for (const task of tasks) void task.start();
  return {
    stop: () => {
      for (const task of tasks) void task.destroy();
    },
  };
}

export interface NextRuns {
  readonly incremental: Date;
  readonly full: Date | null;
}

/** When the schedule comes next, counted from now. */
export function nextRuns({ cron, fullCron, timezone }: ScheduleSettings): NextRuns {
  return {
    incremental: nextRun(cron, timezone),
    full: fullCron === null ? null : nextRun(fullCron, timezone),
  };
}

function nextRun(cron: string, timezone: string): Date {
  const task = createTask(cron, () => undefined, { timezone });
  try {
    const [next] = task.getNextRuns(1);
    if (next === undefined) throw new RangeError(`${cron} has no next time`);
    return next;
  } finally {
    void task.destroy();
  }
}

/**
 * node-cron drops a time that it wakes too late for (a busy process, a machine that slept): such a run is made late
 * instead of not at all.
 */
function taskOf(cron: string, { timezone }: ScheduleSettings, due: (slot: Date) => void): ScheduledTask {
  const task = createTask(cron, ({ date }) => due(date), { timezone, suppressMissedWarning: true });
  task.on('execution:missed', ({ date }) => due(date));
  return task;
}
