/** Returns a time to the minute, as `2026-11-01 08:00 UTC`. */
export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
