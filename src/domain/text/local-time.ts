const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Milliseconds; clocks were never set back by more than this. */
const LONGEST_CHANGE = 3 * HOUR;

/** Time on a wall clock in a time zone. Wall times are ms as if the zone were UTC. */
export interface LocalTime {
  /** IANA name. */
  readonly zone: string;
  wall(time: number): number;
  /**
   * Returns when the clock shows this wall time: the first time, if it does twice; if it leaves the time out, as long
   * after the gap began as the time is.
   */
  at(wall: number): number;
  /** Returns whether the clock has shown this wall time before, because it was set back since. */
  isRepeated(time: number): boolean;
  /**
   * Returns the wall times that the clock left out when it came to this minute: first inclusive, last
   * exclusive.
   */
  leftOut(time: number): { readonly from: number; readonly to: number } | null;
}

const two = (number: number): string => String(number).padStart(2, '0');

const made = new Map<string, LocalTime>();

/** Returns the clock of a zone. Throws a `RangeError` for a zone that is not known. */
export function localTime(zone: string): LocalTime {
  const local = made.get(zone) ?? fromWall(zone, zone === 'UTC' ? (time) => time : wallOf(zone));
  made.set(zone, local);
  return local;
}

function fromWall(zone: string, wall: LocalTime['wall']): LocalTime {
  const offset = (time: number): number => wall(time) - time;
  return {
    zone,
    wall,
    at(shown) {
      const [before, after] = [shown - offset(shown - DAY), shown - offset(shown + DAY)];
      return wall(before) === shown || wall(after) !== shown ? before : after;
    },
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

function wallOf(zone: string): LocalTime['wall'] {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    const date = new Date(time - Math.floor(time / 1000) * 1000);
    date.setUTCFullYear(part('year'), part('month') - 1, part('day'));
    return date.setUTCHours(part('hour'), part('minute'), part('second'));
  };
}

/** Returns a moment as ISO 8601 with the offset of the zone: `2026-11-30T00:00:00.000+08:00`. */
export function isoIn(local: LocalTime, time: number): string {
  const wall = local.wall(time);
  const minutes = (wall - time) / MINUTE;
  if (minutes === 0 || !Number.isInteger(minutes)) return new Date(time).toISOString();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${new Date(wall).toISOString().slice(0, -1)}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
}

/** Returns a time in a zone to the minute, as `2026-11-01 08:00 UTC` or `2026-11-01 16:00 +08:00`; 19 letters: to the second. */
export function timeText(ms: number, zone = 'UTC', letters: 16 | 19 = 16): string {
  const text = isoIn(localTime(zone), ms);
  const [offset = 'UTC'] = /[+-]\d\d:\d\d$/u.exec(text) ?? [];
  return `${text.slice(0, letters).replace('T', ' ')} ${offset}`;
}
