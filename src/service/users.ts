import type { Page, User } from '../domain/service.ts';
import type { Client } from './client.ts';
import { endpoint } from './endpoint.ts';
import { decodePage, pages } from './pages.ts';
import { decodeUser } from './wire/decode-user.ts';

const decodeUsers = decodePage('users', decodeUser);

/** Interface, Users: "Paged users". */
export class Users {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** See {@link Service.users}. */
  list(since: number | null, signal: AbortSignal): AsyncIterable<Page<User>> {
    const query = since === null ? {} : { refresh_time: String(since) };
    return pages(this.#client, { ...endpoint('GET /v1/users', {}), query }, decodeUsers, signal);
  }
}
