import type { RootValues } from '../../../domain/directories/vendors.ts';
import { sortable, type SourceMark } from '../../../domain/reading/source-part.ts';
import { lookAt, type Course } from '../read/course.ts';
import { isWithin } from '../wire/dn.ts';

type Marked = Pick<Course, 'directory' | 'settings'>;

/** Returns what tells a replica that is behind, or a restored server, of those that tell it without a search of all. */
export async function marksOf(course: Marked): Promise<readonly SourceMark[]> {
  const how = course.directory.vendor?.changes?.how;
  if (how === 'syncrepl') return changeNumbers(course);
  return how === 'dirsync' ? updateNumber(course) : [];
}

/** Returns the last change of each server, for each part of the directory: all replicas have the same numbers. */
async function changeNumbers(course: Marked): Promise<readonly SourceMark[]> {
  const { directory, settings } = course;
  const bases = [settings.people, settings.units].flatMap((search) => search?.bases ?? []);
  const marks: SourceMark[] = [];
  for (const suffix of new Set(bases.map((base) => suffixOf(base, directory.root) ?? base))) {
    const [top] = await lookAt(course, { base: suffix, scope: 'base', attributes: ['contextCSN'] });
    const values = top?.('contextCSN') ?? [];
    const { url } = directory.server;
    const behind =
      values.length === 0
        ? `${url} shows no contextCSN of ${suffix} any more, and may be behind the last read: let the reading account read it`
        : `${url} is behind the last read (contextCSN of ${suffix})`;
    const group = `contextCSN ${suffix} `;
    marks.push({ name: group, value: '', group, behind });
    for (const value of values) {
      const server = serverOfCsn(value);
      if (server !== null) marks.push({ name: group + server, value, group, behind });
    }
  }
  return marks;
}

/** Returns the number of the last change of this domain controller: others count their own. A restored one goes back. */
async function updateNumber(course: Marked): Promise<readonly SourceMark[]> {
  const position = await usnPosition(course);
  if (position === null) return [];
  const behind = `${course.directory.server.url} is behind the last read (highestCommittedUSN)`;
  return [{ name: `highestCommittedUSN of ${position.server}`, value: sortable(position.usn), behind }];
}

/** Returns the part of the directory that has an entry, as the root entry calls it; `null`: it does not tell. */
export function suffixOf(dn: string, root: RootValues): string | null {
  const all = root('namingContexts').filter((one) => isWithin(dn, one));
  return all.toSorted((one, other) => other.length - one.length)[0] ?? null;
}

/** Up to where a domain controller was seen: numbers of one are not those of another. */
export interface UsnPosition {
  /** DN of its settings, which stays if it is restored. */
  readonly server: string;
  /** Another one if it was restored as it should be. */
  readonly invocation: string;
  readonly usn: string;
}

/** Returns up to where a domain controller is seen now; `null`: it does not tell. */
export async function usnPosition(course: Pick<Course, 'directory'>): Promise<UsnPosition | null> {
  const attributes = ['highestCommittedUSN', 'dsServiceName'];
  const [root] = await lookAt(course, { base: '', scope: 'base', attributes });
  const [[usn = ''], [service]] = [root?.('highestCommittedUSN') ?? [], root?.('dsServiceName') ?? []];
  if (!/^\d+$/u.test(usn) || service === undefined) return null;
  const [settings] = await lookAt(course, { base: service, scope: 'base', attributes: ['invocationId'] });
  const [invocation] = settings?.('invocationId') ?? [];
  return invocation === undefined ? null : { server: service, invocation, usn };
}

/**
 * A change sequence number of OpenLDAP: `20261124134502.437053Z#000000#000#000000`, time, count, server, modifier. Those of
 * one server sort as texts.
 */
type Csn = string;

/** Matches a number; `server` is three hex digits. */
const CSN = /^(?<time>\d{14})\.\d{6}Z#[0-9a-f]{6}#(?<server>[0-9a-f]{3})#[0-9a-f]{6}$/u;

/** The last change that each server of a directory reported. */
export type ContextCsns = Readonly<Record<string, Csn>>;

/** Returns the values of `contextCSN` by server; `null`: one of them is none. */
export function contextOf(values: readonly string[]): ContextCsns | null {
  const pairs = values.map((value) => [serverOfCsn(value), value] as const);
  const isWhole = pairs.length > 0 && pairs.every(([server]) => server !== null);
  return isWhole ? (Object.fromEntries(pairs) as ContextCsns) : null;
}

const serverOfCsn = (csn: string): string | null => CSN.exec(csn)?.groups?.['server'] ?? null;

/** Returns the cookie of a synchronization that has seen all up to there. */
export const cookieFor = (context: ContextCsns): string =>
  `rid=000,csn=${Object.values(context).toSorted().join(';')}`;

/** Returns the earliest of the last changes. */
export const earliestIn = (context: ContextCsns): Csn => Object.values(context).toSorted()[0] ?? '';

/** Returns whether a change came after all that the context has. */
export function isAfter(csn: Csn, context: ContextCsns): boolean {
  const last = context[serverOfCsn(csn) ?? ''];
  return last === undefined || csn > last;
}

/** Returns why the changes since `before` cannot be read now; `null`: they can. */
export function whyNotSince(before: ContextCsns, now: ContextCsns): string | null {
  const servers = new Set([...Object.keys(before), ...Object.keys(now)]);
  for (const server of servers) {
    const [then, last] = [before[server], now[server]];
    if (then === undefined) return `serverID ${server} is new`;
    if (last === undefined || last < then) return `contextCSN of serverID ${server} went back`;
  }
  return null;
}
