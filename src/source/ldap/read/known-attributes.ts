import { Filter } from 'ldapts';
import type { ReadValue } from '../../../domain/directories/account-active.ts';
import { ACCOUNT_ACTIVE, type LdapVendor } from '../../../domain/directories/vendors.ts';
import type { UnknownAttribute } from '../../../domain/reading/source-part.ts';
import { PARENT_GROUP, UNIT_GROUPS } from '../../../domain/source-choices.ts';
import { suggest } from '../../../lib/suggest.ts';
import type { Reach } from './reach.ts';
import type { LdapConnection } from '../wire/connection.ts';
import { ldapProblem } from '../wire/ldap-problems.ts';
import { isAnywhere, type DirectorySchema } from '../wire/schema.ts';
import type { Mapper } from '../../mapping/mapper.ts';

/** What one part searches, and what its mapping asks for. */
export interface WantedAttributes {
  readonly reach: Reach;
  readonly mapper: Pick<Mapper<unknown>, 'columns'>;
}

/** What one read knows of the server's attributes. */
export interface Attributes {
  readonly schema: DirectorySchema;
  /** Names in the configuration that are neither in the schema nor on any entry. */
  readonly unknown: readonly UnknownAttribute[];
  /** How `account_active` is computed; `null`: the vendor is unknown. */
  readonly accounts: Accounts | null;
}

/** What is known of the server before names are compared. */
interface KnownServer {
  readonly connection: LdapConnection;
  readonly schema: DirectorySchema;
  readonly accounts: Accounts | null;
  /** The units are groups. */
  readonly hasGroups: boolean;
}

/**
 * Compares the names in the configuration with the server's schema, and names missing there with the entries.
 */
export async function knownAttributes(
  { connection, schema, accounts, hasGroups }: KnownServer,
  wanted: readonly WantedAttributes[],
): Promise<Attributes> {
  const unknown: UnknownAttribute[] = [];
  for (const { reach, mapper } of wanted) {
    for (const [name, places] of placesOf({ reach, mapper })) {
      const virtual = name.toLowerCase();
      if (virtual === ACCOUNT_ACTIVE ? accounts !== null : schema.knows(name)) continue;
      if (hasGroups && virtual === GROUP_NAMES[reach.part]) continue;
      if (await isAnywhere(connection, name, reach)) continue;
      unknown.push({ part: reach.part, name, places, suggestion: suggest(name, schema.names) ?? null });
    }
  }
  requireExclusions(unknown);
  return { schema, unknown, accounts };
}

/** What groups tell of the records of a part. */
const GROUP_NAMES: Readonly<Partial<Record<Reach['part'], string>>> = {
  units: PARENT_GROUP,
  people: UNIT_GROUPS,
};

/** A filter of `exclude` in a configuration. */
const EXCLUSION = /\.exclude\[\d+\]$/u;

/**
 * Throws if a filter of `exclude` tests an attribute that the directory does not know. Its negation then
 * holds for no entry (RFC 4511, section 4.5.1.7), and no person would be in scope.
 */
function requireExclusions(unknown: readonly UnknownAttribute[]): void {
  const wrong = unknown.find(({ places }) => places.some((place) => EXCLUSION.test(place)));
  if (wrong === undefined) return;
  const { name, places, suggestion } = wrong;
  const remedy = suggestion === null ? 'correct it' : `did you mean ${suggestion}?`;
  const place = places.find((each) => EXCLUSION.test(each)) ?? '';
  throw ldapProblem('ldap-exclusion', { place, name, remedy });
}

/** Returns where the configuration has each attribute. */
function placesOf({ reach, mapper }: WantedAttributes): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, readonly string[]>();
  for (const column of mapper.columns) places.set(column.name, column.places);
  for (const { filter, place } of reach.filters) {
    for (const name of attributesIn(filter)) places.set(name, [...(places.get(name) ?? []), place]);
  }
  return places;
}

/** Returns the attributes that a filter tests: its own, and those of the filters in it. */
export function attributesIn(filter: Filter): ReadonlySet<string> {
  const part = (key: string): unknown => Reflect.get(filter, key);
  const own = [part('attribute'), part('matchType')].filter(
    (name) => typeof name === 'string' && name !== '',
  );
  const below = [part('filters'), part('filter')].flat().filter((each) => each instanceof Filter);
  return new Set([...(own as string[]), ...below.flatMap((each) => [...attributesIn(each)])]);
}

/** How `account_active` is computed during one read. */
export interface Accounts {
  /** Attributes that it is computed from. */
  readonly reads: readonly string[];
  /** Attributes that every account has. If one is missing, it is unknown. */
  readonly needs: readonly string[];
  /** Tells it of one account; `null`: unknown. */
  isActive(read: ReadValue): boolean | null;
  /** Returns whether time alone will make it another one. */
  expires(read: ReadValue): boolean;
}

/** @param now when the read began; milliseconds since the epoch */
export function accountsOf(vendor: LdapVendor | null, now: number): Accounts | null {
  if (vendor === null) return null;
  const { reads, needs = [], isActive } = vendor.active;
  const at = (moment: number) => (read: ReadValue) => isActive(read, { now: moment });
  const [today, inTheEnd] = [at(now), at(Number.MAX_SAFE_INTEGER)];
  return { reads, needs, isActive: today, expires: (read) => today(read) !== inTheEnd(read) };
}
