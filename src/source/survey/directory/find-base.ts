import type { LdapConnection } from '../../ldap/wire/ldap-connection.ts';
import { finds, look } from './look.ts';

export interface FoundBase {
  readonly base: string;
  /** Units right below it with nobody below them. */
  readonly deserted: readonly string[];
  /** Entries that were passed by, and have people too. */
  readonly leftOut: readonly string[];
  /** Entries right below the base that are no units, and have people beside those in units. */
  readonly beside: readonly string[];
}

/** Levels of a tree that are gone down. */
const DEEPEST = 12;
/** Entries of one level that are looked into, one search each. */
const WIDEST = 100;

const UNIT = '(objectClass=organizationalUnit)';
const CONTAINER =
  '(|(objectClass=organizationalUnit)(objectClass=container)(objectClass=nsContainer)' +
  '(objectClass=organization)(objectClass=locality)(objectClass=dcObject))';

interface Children {
  readonly inhabited: readonly string[];
  readonly deserted: readonly string[];
}

/**
 * Goes down from an entry to the one that everybody lies below: as long as only one unit, or where no unit
 * has anybody only one other entry, has people below it. Asks the server about each, so that a sample of the
 * people is not needed for it.
 */
export async function findBase(
  connection: LdapConnection,
  start: string,
  people: string,
): Promise<FoundBase> {
  let base = start;
  const leftOut: string[] = [];
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const units = await childrenOf(connection, { base, filter: UNIT, people });
    const all = await childrenOf(connection, { base, filter: CONTAINER, people });
    const others = all.inhabited.filter((dn) => !units.inhabited.includes(dn));
    const isHome = await finds(connection, { base, scope: 'one', filter: people });
    const way = units.inhabited.length > 0 ? units.inhabited : others;
    if (isHome || way.length !== 1 || way[0] === undefined) {
      const beside = units.inhabited.length > 0 ? others : [];
      return { base, deserted: units.deserted, leftOut, beside };
    }
    if (way === units.inhabited) leftOut.push(...others);
    [base] = way;
  }
  return { base, deserted: [], leftOut, beside: [] };
}

async function childrenOf(
  connection: LdapConnection,
  { base, filter, people }: { readonly base: string; readonly filter: string; readonly people: string },
): Promise<Children> {
  const found = await look(connection, { base, scope: 'one', filter, atMost: WIDEST });
  const children = found.map(({ name }) => name);
  const inhabited: string[] = [];
  for (const dn of children)
    if (await finds(connection, { base: dn, scope: 'sub', filter: people })) inhabited.push(dn);
  return { inhabited, deserted: children.filter((dn) => !inhabited.includes(dn)) };
}
