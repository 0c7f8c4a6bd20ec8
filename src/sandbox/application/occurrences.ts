import { identifier } from '../operation/body-fields.ts';
import type { WireValue } from '../wire/wire-value.ts';
import type { ScheduleRecord } from '../world/records.ts';

export const DAY_MS = 86_400_000;

/** Returns the day of a time in UTC as yyyyMMdd: the interface does not show a zone. */
export function dayOf(time: number): number {
  return Number(new Date(time).toISOString().slice(0, 10).replaceAll('-', ''));
}

/**
 * Returns the days on which a schedule happens, as yyyyMMdd, from its begin up to a time in milliseconds (interface:
 * Schedules, repeat_type, repeat_end_date, excludes).
 */
export function occurrences({ fields, excludes }: ScheduleRecord, until: number): readonly number[] {
  const begin = Number(identifier(fields['begin_time']) ?? 0);
  const end = Math.min(until, Number(identifier(fields['repeat_end_date']) ?? until));
  const days: number[] = [];
  for (let time = begin; time <= end; time += DAY_MS) {
    if (happens(fields['repeat_type'], begin, time)) days.push(dayOf(time));
  }
  return days.filter(
    (day) => !excludes.some(({ begin_date: from, end_date: to }) => day >= from && day <= to),
  );
}

function happens(repeat: WireValue | undefined, begin: number, time: number): boolean {
  const [first, now] = [new Date(begin), new Date(time)];
  const sameDate = first.getUTCDate() === now.getUTCDate();
  if (repeat === 'daily') return true;
  if (repeat === 'weekly') return first.getUTCDay() === now.getUTCDay();
  if (repeat === 'workday') return now.getUTCDay() % 6 !== 0;
  if (repeat === 'monthly') return sameDate;
  if (repeat === 'yearly') return sameDate && first.getUTCMonth() === now.getUTCMonth();
  return time === begin;
}
