import type { MembersBy } from '../../../domain/source-choices.ts';
import type { EntryFacts, GroupFacts } from '../../../domain/survey/directory-facts.ts';
import { foldUsername } from '../../../domain/text/fold.ts';
import { canonicalDn, parentDn } from '../../ldap/terms/dn.ts';
import type { LdapConnection } from '../../ldap/wire/ldap-connection.ts';
import { factsOf, look } from './look.ts';

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
