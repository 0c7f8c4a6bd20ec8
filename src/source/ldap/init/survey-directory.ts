import { KNOWN_ENDS } from '../../../domain/directories/known-ends.ts';
import { detectVendor, VENDORS } from '../../../domain/directories/vendors.ts';
import type { MembersBy } from '../../../domain/source-choices.ts';
import type { DirectoryFacts, EntryFacts, GroupFacts } from './directory-facts.ts';
import { cellOf, decoderOf } from '../read/attributes.ts';
import { canonicalDn, isBelow, lineageOf, parentDn } from '../wire/dn.ts';
import { readRoot } from '../read/vendor.ts';
import { LdapConnection, type Server } from '../wire/connection.ts';
import { valuesIn, type Entry } from '../wire/entry.ts';
import { ldapProblem, parseFilter } from '../wire/ldap-problems.ts';

/** Entries of a sample. */
const SAMPLE = 1_000;

/** Attributes that a proposal may map. */
const ASKED = [
  ...KNOWN_ENDS,
  ...(
    'uid sAMAccountName userPrincipalName cn displayName mail mobile telephoneNumber title department ' +
    'departmentNumber ou division l managedObjects employeeNumber employeeID entryUUID nsUniqueId ipaUniqueID objectGUID'
  ).split(' '),
];

/** Filters for people of servers whose vendor is unknown, or has none there. */
const USUAL = ['(objectClass=inetOrgPerson)', '(objectClass=person)', '(&(objectClass=posixAccount)(uid=*))'];

const UNIT = '(objectClass=organizationalUnit)';

/** Parts of a directory that are about itself. */
const OWN =
  /^(?:cn=(?:config|schema|monitor|changelog|configuration|accesslog)\b|o=(?:netscaperoot|ipaca)\b)/iu;

/** Classes of groups, and what names their members. */
const GROUPS: readonly (readonly [objectClass: string, by: MembersBy])[] = [
  ['groupOfNames', 'member'],
  ['groupOfUniqueNames', 'uniqueMember'],
  ['group', 'member'],
  ['posixGroup', 'memberUid'],
];

/**
 * Looks at a directory: its root entry, and a sample of its people, units and groups. Reads nothing to its
 * end. Throws a `SourceError` if it finds no person.
 *
 * @param asked entry to look below; absent: the naming context
 * @param given filters for the people; absent: the usual ones
 */
export async function surveyDirectory(
  settings: Server,
  asked: string | undefined,
  signal: AbortSignal,
  given?: readonly string[],
): Promise<DirectoryFacts> {
  const connection = await LdapConnection.open(settings, signal);
  try {
    const root = await readRoot(connection);
    const vendor = detectVendor(root);
    const contexts = [...root('defaultNamingContext'), ...root('namingContexts')];
    const start = asked ?? contexts.find((dn) => dn !== '' && !OWN.test(dn));
    if (start === undefined) throw ldapProblem('ldap-no-context', { server: connection.server });
    const filters = given ?? new Set([...(vendor === null ? [] : [VENDORS[vendor].people.filter]), ...USUAL]);
    for (const peopleFilter of filters) {
      const sample = await sampleOf(connection, start, peopleFilter);
      if (sample.people.length === 0) continue;
      // The account that reads is usually no employee, and often lies apart.
      const others = sample.people.filter((one) => !isReader(one, settings.bindDn));
      const base = asked ?? (sample.isWhole ? homeOf(others, start) : start);
      const people = sample.people.filter(({ dn }) => isBelow(dn, base));
      const outside = sample.people.length - people.length;
      const groups = await groupsOf(connection, start);
      return { vendor, peopleFilter, base, people, outside, isWhole: sample.isWhole, groups };
    }
    const by = [...filters].join(' or ');
    throw ldapProblem('ldap-no-person', { server: connection.server, start, filters: by });
  } finally {
    await connection.close();
  }
}

interface SurveyedEntries {
  readonly entries: readonly Entry[];
  /** Whether no limit ended the search: these are all. */
  readonly isWhole: boolean;
}

/** Result codes of a search that a limit or a reference ended: what came until then is a sample (RFC 4511, appendix A). */
const ENDED_EARLY = [3, 4, 10, 11];

async function find(
  connection: LdapConnection,
  base: string,
  asked: { readonly filter: string; readonly attributes: readonly string[] },
): Promise<SurveyedEntries> {
  const look = {
    base,
    scope: 'sub',
    attributes: asked.attributes,
    filter: parseFilter('filter', asked.filter),
    atMost: SAMPLE,
    doing: `looking below ${base}`,
  } as const;
  const { code, entries } = await connection.look(look, ENDED_EARLY);
  return { entries, isWhole: code === 0 };
}

async function sampleOf(
  connection: LdapConnection,
  base: string,
  filter: string,
): Promise<Pick<DirectoryFacts, 'people' | 'isWhole'>> {
  const { entries, isWhole } = await find(connection, base, { filter, attributes: ASKED });
  const found = await find(connection, base, { filter: UNIT, attributes: ['1.1'] });
  const units = new Set(found.entries.map(({ dn }) => canonicalDn(dn)));
  return { people: entries.map((entry) => factsOf(entry, units)), isWhole };
}

/** Returns an entry as facts, with values as the rules of a configuration would read them. */
function factsOf({ dn, attributes }: Entry, units: ReadonlySet<string | null>): EntryFacts {
  const values = attributes.map((attribute) => {
    const cell = cellOf(attribute, decoderOf(attribute.type)) ?? [];
    return [attribute.type.toLowerCase(), [cell].flat()] as const;
  });
  const parent = parentDn(dn) ?? '';
  return { dn, parent, isInUnit: units.has(canonicalDn(parent)), values: new Map(values) };
}

/** A domain controller takes a user principal name, or DOMAIN\\name, in place of a DN. */
function isReader({ dn, values }: EntryFacts, bindDn = ''): boolean {
  const logins = ['userprincipalname', 'samaccountname'].map((name) => values.get(name)?.[0]);
  const login = bindDn.replace(/^[^=]*\\/u, '').toLowerCase();
  return [dn, ...logins].some((name) => name?.toLowerCase() === login);
}

/** Returns the lowest entry that all people lie below who are in units, or all people if none is in one. */
function homeOf(people: readonly EntryFacts[], start: string): string {
  const inUnits = people.filter(({ isInUnit }) => isInUnit);
  const parents = (inUnits.length > 0 ? inUnits : people).map(({ parent }) => parent);
  const lineages = parents.map((parent) => new Set(lineageOf(parent)));
  let home = parents[0];
  while (home !== undefined && lineages.some((lineage) => !lineage.has(canonicalDn(home ?? '') ?? '')))
    home = parentDn(home);
  return home ?? start;
}

async function groupsOf(connection: LdapConnection, start: string): Promise<GroupFacts | null> {
  const filter = `(|${GROUPS.map(([name]) => `(objectClass=${name})`).join('')})`;
  const { entries } = await find(connection, start, { filter, attributes: ['objectClass'] });
  const counts = new Map<string, number>();
  for (const { dn } of entries) {
    const parent = parentDn(dn) ?? start;
    counts.set(parent, (counts.get(parent) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (most === undefined) return null;
  const [base, count] = most;
  const first = entries.find(({ dn }) => (parentDn(dn) ?? start) === base);
  const classes = new Set(first === undefined ? [] : valuesIn(first, 'objectClass'));
  const [objectClass, by] = GROUPS.find(([name]) => classes.has(name)) ?? ['group', 'member'];
  return { base, objectClass, by, count };
}
