import type { NotifySettings } from '../../domain/settings.ts';

/** Returns whether this is a time at which nobody is told anything. A span may go over midnight. */
export function isQuiet(
  { quietHours }: Pick<NotifySettings, 'quietHours'>,
  { at, timezone }: { readonly at: number; readonly timezone: string },
): boolean {
  if (quietHours === undefined) return false;
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const number = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const now = number('hour') * 60 + number('minute');
  const { from, to } = quietHours;
  return from <= to ? now >= from && now < to : now >= from || now < to;
}
