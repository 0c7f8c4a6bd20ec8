const MINUTE = 60_000;
const HOUR = 3_600_000;

/** Milliseconds; clocks were never set back by more than this. */
const LONGEST_CHANGE = 3 * HOUR;

/** Time on a wall clock in a time zone. Wall times are ms as if the zone were UTC. */
export interface LocalTime {
  wall(time: number): number;
  /** Returns whether the clock has shown this wall time before, because it was set back since. */
  isRepeated(time: number): boolean;
  /**
   * Returns the wall times that the clock left out when it came to this minute: first inclusive, last
   * exclusive.
   */
  leftOut(time: number): { readonly from: number; readonly to: number } | null;
}

export function localTime(timezone: string): LocalTime {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const wall = (time: number): number => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    const minutes = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
    return minutes + (time - Math.floor(time / MINUTE) * MINUTE);
  };
  const offset = (time: number): number => wall(time) - time;
  return {
    wall,
    isRepeated(time) {
      const setBack = offset(time - LONGEST_CHANGE) - offset(time);
      return setBack > 0 && offset(time - setBack) === offset(time) + setBack;
    },
    leftOut(time) {
      const [from, to] = [wall(time - MINUTE) + MINUTE, wall(time)];
      return from < to ? { from, to } : null;
    },
  };
}
