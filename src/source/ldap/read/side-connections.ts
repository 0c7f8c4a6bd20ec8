import { LdapConnection, type ServerSettings } from '../wire/ldap-connection.ts';

/** A paged list that is not at its end occupies its connection. */
type Use = 'list' | 'look';

/** Connections beside that of a part, made when they are needed, to the same server. */
export class SideConnections {
  readonly #server: ServerSettings;
  readonly #signal: AbortSignal;
  readonly #open = new Map<Use, Promise<LdapConnection>>();

  constructor(server: ServerSettings, signal: AbortSignal) {
    this.#server = server;
    this.#signal = signal;
  }

  async get(use: Use): Promise<LdapConnection> {
    const known = this.#open.get(use) ?? LdapConnection.open(this.#server, this.#signal);
    this.#open.set(use, known);
    return known;
  }

  async close(): Promise<void> {
    for (const opening of this.#open.values()) {
      const connection = await opening.catch(() => null);
      await connection?.close();
    }
    this.#open.clear();
  }
}
