import type { Page, User } from '../domain/service.ts';
import { endpoint } from './endpoint.ts';
import { decodePage, pages, type PageReader } from './pages.ts';
import { decodeUser } from './wire/decode-user.ts';

const USERS = { decode: decodePage('users', decodeUser), idOf: ({ userId }: User): string => userId };

/** Interface, Users: "Paged users". See {@link Service.users}. */
export function listUsers(
  reader: PageReader,
  since: number | null,
  signal: AbortSignal,
): AsyncIterable<Page<User>> {
  const query = since === null ? {} : { refresh_time: String(since) };
  return pages(reader, { ...endpoint('GET /v1/users', {}), query }, USERS, signal);
}
