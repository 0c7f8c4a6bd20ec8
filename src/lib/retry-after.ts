/**
 * Returns `Retry-After` as milliseconds from now; `null` where there is none or it cannot be read.
 * @param date the answer's own `Date` in ms: a date in the header is on that clock, not on ours
 */
export function retryAfterMs(header: string | null, date: number): number | null {
  if (header === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
  const until = Date.parse(header);
  return Number.isNaN(until) ? null : Math.max(0, until - date);
}
