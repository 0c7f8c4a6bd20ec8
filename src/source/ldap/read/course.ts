import type { RootValues } from '../../../domain/directories/vendors.ts';
import type { LdapSettings } from '../../../domain/source-settings.ts';
import { EntryReader } from './entry-reader.ts';
import type { Directory } from './open-directory.ts';
import type { Reach } from './reach.ts';
import { asText, valuesIn } from '../wire/entry-values.ts';
import { LdapConnection, SIZE_LIMIT, type EntryLook, type ServerSettings } from '../wire/ldap-connection.ts';
import type { PagedSearch } from '../wire/paged-search.ts';
import type { RestOf } from '../wire/whole-values.ts';
import type { Plan } from '../../records/planned-read.ts';

/** What one part reads. */
export interface ReachAsk {
  readonly reach: Reach;
}

/** What all parts of one read share. */
export interface Course {
  readonly settings: LdapSettings;
  /** When the read began. */
  readonly at: Date;
  readonly directory: Directory;
  readonly signal: AbortSignal;
  readonly side: SideConnections;
}

/**
 * Returns the searches of one part, one for each base.
 * @param hidden attributes that are read in addition to those of the rules
 */
export function searchesOf<T>(
  { reach, mapper }: Plan<ReachAsk, T>,
  { settings, directory }: Course,
  hidden: readonly string[] = [],
): readonly PagedSearch[] {
  return reach.bases.map(({ base, scope }) => ({
    path: reach.path,
    base,
    scope,
    filter: reach.filter,
    attributes: EntryReader.attributesFor(mapper.columns, directory.attributes.accounts, hidden),
    pageSize: pageSizeOf({ settings }),
    timeLimitSeconds: Math.ceil(settings.timeoutSeconds),
    referrals: settings.referrals,
    partitions: directory.partitions,
  }));
}

/** Entries of a page, which no server refuses as it is installed. */
export const pageSizeOf = ({ settings }: Pick<Course, 'settings'>): number => settings.pageSize ?? 500;

/** Returns how the rest of long lists of values is asked for. */
export function restOf(path: string, { settings, side }: Course): RestOf {
  return {
    connect: async () => side.get('look'),
    path,
    timeLimitSeconds: Math.ceil(settings.timeoutSeconds),
  };
}

/** A paged list that is not at its end occupies its connection. */
type Use = 'list' | 'look';

/** Further connections to the same server, made when they are needed. */
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

/** What such a search needs of a read. */
export interface Looking extends Pick<Course, 'settings'> {
  readonly side: Pick<Course['side'], 'get'>;
}

const FEW = 100;

/** Result codes of an entry that is not there or may not be read. */
const [NO_SUCH_OBJECT, NO_ACCESS] = [32, 50];

/**
 * Returns the values of few entries by their attributes, however many more there are; none if the server shows none.
 * Throws a `SourceError`.
 */
export async function lookAt(
  { side, settings }: Looking,
  asked: Pick<EntryLook, 'base' | 'scope' | 'filter' | 'attributes'>,
): Promise<readonly RootValues[]> {
  const connection = await side.get('list');
  const doing = asked.base === '' ? 'looking at its root entry' : `looking at ${asked.base}`;
  const look = { ...asked, atMost: FEW, seconds: settings.timeoutSeconds, path: 'source.people', doing };
  const { entries } = await connection.look(look, [SIZE_LIMIT, NO_SUCH_OBJECT, NO_ACCESS]);
  return entries.map((entry) => (attribute) => valuesIn(entry, attribute, asText));
}
