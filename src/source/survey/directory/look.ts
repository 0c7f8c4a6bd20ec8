import { type SearchEntry } from 'ldapts';
import type { MembersBy } from '../../../domain/source-choices.ts';
import type { EntryFacts, GroupFacts } from '../../../domain/survey/directory-facts.ts';
import { foldUsername } from '../../../domain/text/fold.ts';
import { cellOf, decoderOf } from '../../ldap/read/attributes.ts';
import { canonicalDn, parentDn } from '../../ldap/wire/dn.ts';
import type { LdapConnection } from '../../ldap/wire/ldap-connection.ts';
import { parseFilter } from '../../ldap/wire/ldap-error.ts';

interface Look {
  readonly base: string;
  readonly scope: 'base' | 'one' | 'sub';
  readonly filter: string;
  readonly attributes?: readonly string[];
  readonly atMost: number;
  /** Whether only the names of attributes are asked for. */
  readonly namesOnly?: boolean;
}

const LOOK_SECONDS = 20;
/** No attribute (RFC 4511, section 4.5.1.8). */
const NONE = ['1.1'];
/** Result codes of a search that a limit ended: what came until then is a sample (RFC 4511, appendix A). */
const LIMITED = [3, 4, 11];
const NO_SUCH_OBJECT = 32;
const REFERRAL = 10;

interface Looked {
  readonly entries: readonly SearchEntry[];
  /** Whether no limit ended the search: these are all. */
  readonly isWhole: boolean;
}

export async function look(connection: LdapConnection, asked: Look): Promise<readonly SearchEntry[]> {
  return (await lookAt(connection, asked)).entries;
}

/**
 * Returns the first entries that a search finds. A limit of the server ends it early, and that is no error: a
 * sample is all that is asked for.
 */
export async function lookAt(connection: LdapConnection, asked: Look): Promise<Looked> {
  const { base, attributes = NONE, filter } = asked;
  const doing = `looking below ${base}`;
  const search = {
    ...asked,
    attributes,
    filter: parseFilter('filter', filter),
    seconds: LOOK_SECONDS,
    doing,
  };
  const alsoFine = asked.scope === 'base' ? LIMITED : [...LIMITED, NO_SUCH_OBJECT, REFERRAL];
  const { code, entries } = await connection.look(search, alsoFine);
  return { entries, isWhole: code === 0 };
}

/** Returns whether a search finds anything. */
export async function finds(connection: LdapConnection, asked: Omit<Look, 'atMost'>): Promise<boolean> {
  return (await look(connection, { ...asked, atMost: 1 })).length > 0;
}

/** Returns an entry as facts, with values as the rules of a configuration would read them. */
export function factsOf({ name, attributes }: SearchEntry): EntryFacts {
  const values = attributes.map((attribute) => {
    const cell = cellOf(attribute, decoderOf(attribute.type)) ?? [];
    return [attribute.type.toLowerCase(), [cell].flat()] as const;
  });
  return { dn: name, parent: canonicalDn(parentDn(name) ?? '') ?? '', values: new Map(values) };
}

/** Groups that are looked at. */
const MOST = 200;

/** Classes of groups, and what names their members. */
const CLASSES: readonly (readonly [objectClass: string, by: MembersBy])[] = [
  ['groupOfNames', 'member'],
  ['groupOfUniqueNames', 'uniqueMember'],
  ['group', 'member'],
  ['posixGroup', 'memberUid'],
];

const FILTER = `(|${CLASSES.map(([name]) => `(objectClass=${name})`).join('')})`;

/** Returns the groups right below that entry which has most of them, and how many of these people they name. */
export async function groupsBelow(
  connection: LdapConnection,
  base: string,
  people: readonly EntryFacts[],
): Promise<GroupFacts | null> {
  const attributes = ['objectClass', ...new Set(CLASSES.map(([, by]) => by))];
  const found = await look(connection, { base, scope: 'sub', filter: FILTER, attributes, atMost: MOST });
  const groups = found.map(factsOf);
  const counts = new Map<string, number>();
  for (const { parent } of groups) counts.set(parent, (counts.get(parent) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  const alike = groups.filter(({ parent }) => parent === most?.[0]);
  const [first] = alike;
  if (first === undefined) return null;
  const [objectClass, by] = classOf(first);
  return {
    base: parentDn(first.dn) ?? base,
    objectClass,
    by,
    count: alike.length,
    people: countIn(alike, by, people),
  };
}

function classOf({ values }: EntryFacts): readonly [objectClass: string, by: MembersBy] {
  const own = new Set((values.get('objectclass') ?? []).map((name) => name.toLowerCase()));
  return CLASSES.find(([name]) => own.has(name.toLowerCase())) ?? ['group', 'member'];
}

function countIn(groups: readonly EntryFacts[], by: MembersBy, people: readonly EntryFacts[]): number {
  const named = new Set(groups.flatMap((group) => membersOf(group, by)).map(spelled));
  const namesOf = ({ dn, values }: EntryFacts): readonly string[] =>
    by === 'memberUid' ? (values.get('uid') ?? []) : [dn];
  return people.filter((person) => namesOf(person).some((name) => named.has(spelled(name)))).length;

  function spelled(name: string): string {
    return by === 'memberUid' ? foldUsername(name) : (canonicalDn(name) ?? name);
  }
}

/** Returns the members; of very many, a server gives the first under another name, as `member;range=0-1499`. */
function membersOf({ values }: EntryFacts, by: MembersBy): readonly string[] {
  const name = by.toLowerCase();
  return [...values].flatMap(([type, all]) => (type === name || type.startsWith(`${name};`) ? all : []));
}
