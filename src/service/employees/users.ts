import type { Glance, Page, User } from '../../domain/ports/service.ts';
import type { Client } from '../calls/client.ts';
import { OPERATIONS } from '../../interface/operations.ts';
import { endpoint } from '../calls/endpoint.ts';
import { decodePage, glanceAt, pages, type PagedCall, type PageReader } from '../lists/pages.ts';
import { decodeUser } from '../wire/decode-user.ts';

const USERS = { decode: decodePage('users', decodeUser), idOf: ({ userId }: User): string => userId };

/** Lists users (interface, Users: "Paged users"). See {@link Service.users}. */
export function listUsers(
  reader: PageReader,
  since: number | null,
  signal: AbortSignal,
): AsyncIterable<Page<User>> {
  return pages(reader, usersSince(since), USERS, signal);
}

/** See {@link Service.glance}. */
export function glanceAtUsers(client: Client, since: number | null, signal: AbortSignal): Promise<Glance> {
  return glanceAt(client, usersSince(since), USERS, signal);
}

function usersSince(since: number | null): PagedCall {
  const query = since === null ? {} : { refresh_time: String(since) };
  return { ...endpoint(OPERATIONS.pageUsers, {}), query };
}
