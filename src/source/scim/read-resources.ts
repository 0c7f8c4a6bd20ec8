import type { SourceError } from '../../domain/errors.ts';
import { printable } from '../../domain/text/printable.ts';
import { stopped } from '../connect/network-problem.ts';
import type { Progress } from '../records/planned-read.ts';
import type { Decoded } from '../records/mapped.ts';
import { readList, type ListProgress } from '../http/lists/read-list.ts';
import { RefusedAnswer } from '../http/problems.ts';
import { attributeReader, type Resource } from './attributes.ts';
import { scimProblem } from './scim-problems.ts';
import { askScim, scimPages, type ScimList, type ScimServer } from './scim-pages.ts';
import { isObject } from '../../lib/parse-lossless.ts';

export interface ScimReading {
  readonly list: ScimList;
  /** Names of the attributes that the rules read. */
  readonly names: readonly string[];
  /** Returns a resource with what the list does not show; absent: the list shows all. */
  readonly complete?: ((resource: Resource) => Promise<Resource>) | undefined;
  /** Makes several records of one resource; `null`: it is the record. */
  readonly expand: ((resource: Resource) => readonly Resource[]) | null;
  /** Returns whether a group shows no member; absent: it does not matter. */
  readonly isSilent?: ((resource: Resource) => boolean) | undefined;
  /** Gets each page before its records are yielded. */
  readonly look?: ((resources: readonly Resource[]) => void) | undefined;
  /** When the read began. */
  readonly at: Date;
  readonly signal: AbortSignal;
}

/** Yields the raw records of one list, a page at a time. Throws a SourceError if it cannot be complete. */
export async function* readResources(
  server: ScimServer,
  { list, names, complete, expand, isSilent, look, at, signal }: ScimReading,
  progress: Progress,
): AsyncGenerator<readonly Decoded[]> {
  const readers = names.map((name) => attributeReader(name));
  const pages: ListProgress = { pages: 0, end: null };
  for await (const resources of readList(scimPages(server, list), pages)) {
    progress.pages += 1;
    look?.(resources);
    const whole = complete === undefined ? resources : await inOrder(resources, complete);
    const records = expand === null ? whole : whole.flatMap((resource) => expand(resource));
    progress.records += records.length;
    yield records.map((record) => ({
      cells: readers.map((read) => read(record)),
      at,
      place: `${list.resource} ${String(record['id'])}`,
      ...(isSilent?.(record) === true && { showsNoMember: true }),
    }));
    if (signal.aborted) throw stopped();
  }
  progress.end = pages.end;
}

async function inOrder<T>(all: readonly T[], complete: (one: T) => Promise<T>): Promise<readonly T[]> {
  const completed: T[] = [];
  for (const one of all) completed.push(await complete(one));
  return completed;
}

/**
 * Returns one record for each member of a group: the group with `member` in place of `members`. Members that
 * are groups are left out, because they are no person's position.
 */
export function memberships(group: Resource): readonly Resource[] {
  const { members, ...rest } = group;
  const all: readonly unknown[] = Array.isArray(members) ? members : [];
  return all.filter((member) => !isGroup(member)).map((member) => ({ ...rest, member }));
}

/** Returns whether the group shows no member who could have a position by it. */
export const showsNoMember = (group: Resource): boolean => memberships(group).length === 0;

function isGroup(member: unknown): boolean {
  const type = isObject(member) ? member['type'] : undefined;
  return typeof type === 'string' && type.toLowerCase() === 'group';
}

/** After so many groups in a row that have no member by their id either, a list that shows members of others is believed. */
const ENOUGH = 20;

/** Statuses of a server that gives no group by its id, or not this one any more. */
const NOT_BY_ID: ReadonlySet<number> = new Set([400, 404, 405, 501]);

/** Returns what completes the groups of one list, in their order: some servers show members only by the id of a group. */
export function membersById(server: ScimServer, resource: string): (group: Resource) => Promise<Resource> {
  let isShown = false;
  let inVain = 0;
  return async (group) => {
    isShown ||= hasMembers(group);
    if (hasMembers(group) || (isShown && inVain >= ENOUGH)) return group;
    const found = await ask(server, `${resource}/${segmentOf(String(group['id']))}`);
    if (found['id'] !== undefined && found['id'] !== group['id']) throw another(String(group['id']));
    inVain = hasMembers(found) ? 0 : inVain + 1;
    return hasMembers(found) ? { ...group, members: found['members'] } : group;
  };
}

const another = (id: string): SourceError => scimProblem('scim-other-group', { id: printable(id) });

const hasMembers = ({ members }: Resource): boolean => Array.isArray(members) && members.length > 0;

/** Returns an id as one segment of a path: these two would name another path, however they are spelled. */
function segmentOf(id: string): string {
  if (id === '.' || id === '..') throw another(id);
  return encodeURIComponent(id);
}

async function ask(server: ScimServer, path: string): Promise<Resource> {
  try {
    const { value } = await askScim(server, path);
    return isObject(value) ? value : {};
  } catch (error) {
    if (error instanceof RefusedAnswer && NOT_BY_ID.has(error.status)) return {};
    throw error;
  }
}
