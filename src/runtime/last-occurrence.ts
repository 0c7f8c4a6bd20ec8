import { createTask, parse } from 'node-cron';

const MINUTE = 60_000;

export interface Span {
  /** Exclusive, ms. */
  readonly after: number;
  /** Inclusive, ms. */
  readonly until: number;
}

/**
 * The last time within a span that a cron expression names, ms; `null`: none. A local time that the change to summer
 * time leaves out does not occur, as in node-cron, which knows only the next occurrence: so this walks back, an hour
 * at a time where neither hour nor month fits, and lets node-cron decide about the rest.
 */
export function lastOccurrence(cron: string, timezone: string, { after, until }: Span): number | null {
  const { second, minute, hour, month } = parse(cron);
  const task = createTask(cron, () => undefined, { timezone });
  const local = localClock(timezone);
  try {
    let at = Math.floor(until / MINUTE) * MINUTE;
    while (at + MINUTE > after) {
      const now = local(at);
      const near = hour.includes(now.hour) && month.includes(now.month);
      const found =
        near && minute.includes(now.minute) ? lastSecond(at, second, { after, until }) : undefined;
      if (found !== undefined && task.match(new Date(found))) return found;
      at -= near ? MINUTE : (now.minute + 1) * MINUTE;
    }
    return null;
  } finally {
    void task.destroy();
  }
}

function lastSecond(minute: number, seconds: readonly number[], { after, until }: Span): number | undefined {
  return seconds.map((second) => minute + second * 1000).findLast((time) => time > after && time <= until);
}

interface LocalTime {
  readonly month: number;
  readonly hour: number;
  readonly minute: number;
}

function localClock(timeZone: string): (time: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    month: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    return {
      month: parts.get('month') ?? 0,
      hour: parts.get('hour') ?? 0,
      minute: parts.get('minute') ?? 0,
    };
  };
}
