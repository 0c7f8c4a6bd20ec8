import { detectVendor, VENDORS, type RootValues } from '../../../domain/directories/vendors.ts';
import { SourceError } from '../../../domain/errors.ts';
import type { DirectoryFacts } from '../../../domain/survey/directory-facts.ts';
import type { VendorName } from '../../../domain/source-choices.ts';
import { canonicalDn, isBelow } from '../../ldap/terms/dn.ts';
import { LdapConnection, type ServerSettings } from '../../ldap/wire/ldap-connection.ts';
import { readRoot } from '../../ldap/wire/read-root.ts';
import { findBase } from './find-base.ts';
import { groupsBelow } from './groups-below.ts';
import { factsOf, finds, look, lookAt } from './look.ts';

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
