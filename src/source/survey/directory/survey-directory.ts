import { detectVendor, VENDORS, type RootValues } from '../../../domain/directories/vendors.ts';
import { SourceError } from '../../../domain/errors.ts';
import type { VendorName } from '../../../domain/source-choices.ts';
import type { DirectoryFacts } from '../../../domain/survey/directory-facts.ts';
import { canonicalDn, isBelow } from '../../ldap/wire/dn.ts';
import { LdapConnection, type ServerSettings } from '../../ldap/wire/ldap-connection.ts';
import { readRoot } from '../../ldap/wire/read-root.ts';
import { factsOf, finds, groupsBelow, lookAt, look } from './look.ts';

/** Entries of a sample. */
const SAMPLE = 1_000;
/** Entries of the sample that are asked which attributes they have. */
const NAMED = 200;

/** Attributes that a proposal may map, or decides by. */
const ASKED = (
  'uid sAMAccountName userPrincipalName cn displayName sn givenName mail mobile telephoneNumber title department ' +
  'departmentNumber ou division l employeeNumber employeeID employeeType memberOf managedObjects ' +
  'entryUUID nsUniqueId ipaUniqueID objectGUID'
).split(' ');

/** Filters for people of servers whose vendor is unknown, or has none there. */
const USUAL = [
  '(objectClass=inetOrgPerson)',
  '(objectClass=person)',
  '(&(objectClass=posixAccount)(uid=*))',
] as const;

/** Parts of a directory that are about itself. */
const OWN =
  /^(?:cn=(?:config|schema|monitor|changelog|configuration|accesslog)\b|o=(?:netscaperoot|ipaca)\b)/iu;

/**
 * Looks at a directory: its root entry, where its people are, and a sample of them. Reads nothing to its end.
 *
 * @param base where to look; `null`: found out
 */
export async function surveyDirectory(
  settings: ServerSettings,
  base: string | null,
  signal: AbortSignal,
): Promise<DirectoryFacts> {
  const connection = await LdapConnection.open(settings, signal);
  try {
    return await surveyed(connection, base);
  } finally {
    await connection.close();
  }
}

async function surveyed(connection: LdapConnection, asked: string | null): Promise<DirectoryFacts> {
  const root = await readRoot(connection);
  const vendor = detectVendor(root);
  const contexts = contextsOf(root);
  const start = asked ?? contexts[0];
  if (start === undefined) throw untold(connection);
  await look(connection, { base: start, scope: 'base', filter: '(objectClass=*)', atMost: 1 });
  const peopleFilter = await filterOfPeople(connection, start, vendor);
  if (peopleFilter === null) {
    const nobody = {
      people: [],
      isWhole: true,
      units: new Set<string>(),
      deserted: [],
      leftOut: [],
      beside: [],
    };
    const present = await presentIn(connection, start, '(objectClass=*)');
    return { vendor, contexts, base: start, peopleFilter, ...nobody, groups: null, present };
  }
  const found =
    asked === null
      ? await findBase(connection, start, peopleFilter)
      : { base: start, deserted: [], leftOut: [], beside: [] };
  const sample = await sampleOf(connection, found.base, peopleFilter);
  const groups = await groupsBelow(connection, start, sample.people);
  return { vendor, contexts, peopleFilter, ...found, ...sample, groups };
}

async function sampleOf(
  connection: LdapConnection,
  base: string,
  filter: string,
): Promise<Pick<DirectoryFacts, 'people' | 'isWhole' | 'units' | 'present'>> {
  const asked = { base, scope: 'sub', filter, attributes: ASKED, atMost: SAMPLE } as const;
  const { entries: people, isWhole } = await lookAt(connection, asked);
  const isUnit = '(objectClass=organizationalUnit)';
  const units = await look(connection, { base, scope: 'sub', filter: isUnit, atMost: SAMPLE });
  const below = units.map(({ name }) => name).filter((dn) => isBelow(dn, base));
  return {
    people: people.map(factsOf),
    isWhole,
    units: new Set(below.map((dn) => canonicalDn(dn) ?? dn)),
    present: await presentIn(connection, base, filter),
  };
}

async function presentIn(
  connection: LdapConnection,
  base: string,
  filter: string,
): Promise<DirectoryFacts['present']> {
  const named = { base, scope: 'sub', filter, attributes: ['*'], atMost: NAMED, namesOnly: true } as const;
  const counts = new Map<string, number>();
  for (const { attributes } of await look(connection, named))
    for (const { type } of attributes) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

async function filterOfPeople(
  connection: LdapConnection,
  base: string,
  vendor: VendorName | null,
): Promise<string | null> {
  const filters = [...(vendor === null ? [] : [VENDORS[vendor].people.filter]), ...USUAL];
  for (const filter of filters) if (await finds(connection, { base, scope: 'sub', filter })) return filter;
  return null;
}

/** Returns where people may be: a domain controller names one context for it. */
function contextsOf(root: RootValues): readonly string[] {
  const [usual] = root('defaultNamingContext');
  const all = root('namingContexts').filter((dn) => dn !== '' && !OWN.test(dn));
  return usual === undefined ? all : [usual, ...all.filter((dn) => dn !== usual && !isBelow(dn, usual))];
}

function untold({ server }: LdapConnection): SourceError {
  return new SourceError(
    `${server}: its root entry names no naming context, or this account may not see it; name the entry that people lie below with --base.`,
  );
}

interface FoundBase {
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
async function findBase(connection: LdapConnection, start: string, people: string): Promise<FoundBase> {
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
