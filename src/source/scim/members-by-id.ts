import { SourceError } from '../../domain/errors.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Resource } from './wire/attributes.ts';
import type { ScimClient } from './wire/scim-client.ts';
import { ScimRefusedError } from './wire/scim-refused-error.ts';

/** After so many groups in a row that have no member by their id either, a list that shows members of others is believed. */
const ENOUGH = 20;

/** Statuses of a server that gives no group by its id, or not this one any more. */
const NOT_BY_ID: ReadonlySet<number> = new Set([400, 404, 405, 501]);

/** Returns what completes the groups of one list, in their order: some servers show members only by the id of a group. */
export function membersById(client: ScimClient, resource: string): (group: Resource) => Promise<Resource> {
  let isShown = false;
  let inVain = 0;
  return async (group) => {
    isShown ||= hasMembers(group);
    if (hasMembers(group) || (isShown && inVain >= ENOUGH)) return group;
    const found = await ask(client, `${resource}/${encodeURIComponent(String(group['id']))}`);
    if (found['id'] !== undefined && found['id'] !== group['id']) throw another(String(group['id']));
    inVain = hasMembers(found) ? 0 : inVain + 1;
    return hasMembers(found) ? { ...group, members: found['members'] } : group;
  };
}

const another = (id: string): SourceError =>
  new SourceError(
    `source: asked for the group ${printable(id)} by its id, the server shows another one; the read is incomplete and nothing of it is used. Correct the server.`,
  );

const hasMembers = ({ members }: Resource): boolean => Array.isArray(members) && members.length > 0;

async function ask(client: ScimClient, path: string): Promise<Resource> {
  try {
    return (await client.ask(path, {})).value;
  } catch (error) {
    if (error instanceof ScimRefusedError && NOT_BY_ID.has(error.status)) return {};
    throw error;
  }
}
