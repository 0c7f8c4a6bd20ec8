import type { KeyedReadings } from '../../../domain/reading/increment.ts';
import type { Person } from '../../../domain/records/records.ts';
import type { Arrived } from '../../records/arrived.ts';
import type { Resource } from '../wire/attributes.ts';
import type { ScimClient } from '../wire/scim-client.ts';
import type { ScimList } from '../wire/scim-list.ts';

export type People = AsyncIterable<Iterable<Arrived<Person>>>;

/** What an increment asks of one read of a server. */
export interface ScimAsking {
  readonly client: ScimClient;
  /** Address of the server. */
  readonly server: string;
  /** The list of all people. */
  readonly list: ScimList;
  /** Reads people of a list; `look` gets each page before its people are yielded. */
  readonly people: (list: ScimList, look: (page: readonly Resource[]) => void) => People;
  /** Makes readings of them. */
  readonly readings: (people: People, salt: string) => KeyedReadings;
}
