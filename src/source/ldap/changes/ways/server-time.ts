/** Matches a time as directories write it (RFC 4517, section 3.3.13), in UTC. */
const TIME =
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)(?:[.,]\d+)?Z$/u;

/** Returns a server's time without parts of a second, `20261124134502Z`, which sorts as a text; `null`: it is none. */
export function serverTime(text: string): string | null {
  return TIME.test(text) ? `${text.slice(0, 14)}Z` : null;
}

/** Returns a time so many seconds later. */
export function shiftedTime(time: string, seconds: number): string {
  const {
    year = '',
    month = '',
    day = '',
    hour = '',
    minute = '',
    second = '',
  } = TIME.exec(time)?.groups ?? {};
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) + seconds * 1_000;
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-T:]/gu, '')}Z`;
}
