/**
 * A change sequence number of OpenLDAP: `20261124134502.437053Z#000000#000#000000`, time, count, server, modifier. Those of
 * one server sort as texts.
 */
export type Csn = string;

/** Matches a number; `server` is three hex digits. */
const CSN = /^(?<time>\d{14})\.\d{6}Z#[0-9a-f]{6}#(?<server>[0-9a-f]{3})#[0-9a-f]{6}$/u;

/** The last change that each server of a directory has told. */
export type Context = Readonly<Record<string, Csn>>;

/** Returns the values of `contextCSN` by server; `null`: one of them is none. */
export function contextOf(values: readonly string[]): Context | null {
  const pairs = values.map((value) => [serverOfCsn(value), value] as const);
  const isWhole = pairs.length > 0 && pairs.every(([server]) => server !== null);
  return isWhole ? (Object.fromEntries(pairs) as Context) : null;
}

export const serverOfCsn = (csn: string): string | null => CSN.exec(csn)?.groups?.['server'] ?? null;

/** Returns the cookie of a synchronization that has seen all up to there. */
export const cookieFor = (context: Context): string =>
  `rid=000,csn=${Object.values(context).toSorted().join(';')}`;

/** Returns the earliest of the last changes. */
export const earliestIn = (context: Context): Csn => Object.values(context).toSorted()[0] ?? '';

/** Returns whether a change came after all that the context has. */
export function isAfter(csn: Csn, context: Context): boolean {
  const last = context[serverOfCsn(csn) ?? ''];
  return last === undefined || csn > last;
}

/** Returns why what changed since `before` cannot be told now; `null`: it can. */
export function whyNotSince(before: Context, now: Context): string | null {
  const servers = new Set([...Object.keys(before), ...Object.keys(now)]);
  for (const server of servers) {
    const [then, last] = [before[server], now[server]];
    if (then === undefined) return `the directory has a new server (serverID ${server})`;
    if (last === undefined || last < then)
      return `the directory went back behind what was read (contextCSN of serverID ${server}): it was restored, or another server answers`;
  }
  return null;
}
