/** Returns a time to the minute, as `2026-11-01 08:00 UTC`. */
export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const STEPS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const;

/** Returns how long ago something was, as `3 hours ago`. */
export function agoText(ms: number): string {
  const step = STEPS.find(([length]) => ms >= length);
  if (step === undefined) return 'less than a minute ago';
  const n = Math.floor(ms / step[0]);
  return `${n} ${step[1]}${n === 1 ? '' : 's'} ago`;
}
