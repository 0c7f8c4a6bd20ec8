import type { LdifEntry } from '../../servers/ldif.ts';
import type { ReadResult } from '../source-contract.ts';

export const SUFFIX = 'dc=example,dc=com';
export const GROUPS = `ou=groups,${SUFFIX}`;
export const PEOPLE = `ou=people,${SUFFIX}`;

export const groupDn = (name: string): string => `cn=${name},${GROUPS}`;
export const personDn = (name: string): string => `uid=${name},${PEOPLE}`;

export const PLACES: readonly LdifEntry[] = [
  [GROUPS, { objectClass: 'organizationalUnit', ou: 'groups' }],
  [PEOPLE, { objectClass: 'organizationalUnit', ou: 'people' }],
];

export function person(name: string, more: LdifEntry[1] = {}): LdifEntry {
  return [
    personDn(name),
    { objectClass: 'inetOrgPerson', uid: name, cn: name, sn: 'x', employeeNumber: name, ...more },
  ];
}

/** A group of names: it has at least one member. */
export function group(name: string, members: readonly string[]): LdifEntry {
  return [groupDn(name), { objectClass: 'groupOfNames', cn: name, member: members }];
}

export { added } from '../../servers/ldif.ts';

/** Returns `name in parent`, sorted; the names of units are their ids. */
export const treeOf = ({ units }: ReadResult): readonly string[] =>
  units
    .map(({ id, parent }) => {
      const above = units.find(({ refs }) => parent !== null && refs.includes(parent));
      return parent === null ? id : `${id} in ${above?.id ?? parent}`;
    })
    .toSorted();

/** Returns `login: its units`. */
export const placesOf = ({ units, people }: ReadResult): readonly string[] =>
  people
    .map(({ username, positions }) => {
      const names = positions.map(
        ({ unit }) => units.find(({ refs }) => refs.includes(unit ?? ''))?.id ?? '?',
      );
      return `${username}: ${names.toSorted().join(' ')}`.trim();
    })
    .toSorted();
