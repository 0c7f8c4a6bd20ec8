import type { DirectoryFacts, GroupFacts } from '../../domain/survey/directory-facts.ts';
import { printable } from '../../domain/text/printable.ts';
import { DEPARTMENT, STRUCTURES, type Structure } from './structure.ts';

type Kind = Structure['kind'];

/** What was seen in place of each kind, and what to do where it is wanted all the same. */
const WHY: { readonly [K in Kind]: (facts: DirectoryFacts) => string } = {
  tree: ({ base, people }) =>
    `not half of the ${people.length} people looked at are right below an organizational unit under ${printable(base)}: ` +
    'name the entry above these units by --base',
  values: ({ people }) =>
    `not half of the ${people.length} people looked at have one of ${DEPARTMENT.join(', ')}, or hardly two have the same: ` +
    'let the account of --bind-dn read the attribute, or write units.distinct yourself (config/recipes/flat-directory.yaml)',
  groups: ({ base, groups, people }) =>
    `${groups === null ? `no group was seen below ${printable(base)}` : fewIn(groups, people.length)}: name an entry above ` +
    'groups and people by --base, let the account of --bind-dn read the groups and their members, or write ' +
    'units.members yourself (config/recipes/openldap-groups.yaml)',
};

const fewIn = ({ base, by, count, people }: GroupFacts, of: number): string =>
  `${count} ${count === 1 ? 'group was' : 'groups were'} seen below ${printable(base)}, and ${people} of the ${of} people ` +
  `looked at ${people === 1 ? 'is a member' : 'are members'} by ${by}, which is not half`;

/**
 * Returns why a kind does not make the units, and what to do.
 *
 * @param kinds those that would
 */
export function whyNot(kind: string, facts: DirectoryFacts, kinds: readonly Kind[]): string {
  const otherwise = `what was seen there makes ${kinds.join(' or ')}`;
  const known = STRUCTURES.find((one) => one === kind);
  return known === undefined ? otherwise : `${otherwise}; ${WHY[known](facts)}`;
}
