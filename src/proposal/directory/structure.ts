import type { DirectoryFacts, EntryFacts, GroupFacts } from '../../domain/survey/directory-facts.ts';
import { printable } from '../../domain/text/printable.ts';

/** How people are in units: below entries, by a value of theirs, or by groups. */
export type Structure =
  | { readonly kind: 'tree'; readonly inUnits: number }
  | { readonly kind: 'values'; readonly attribute: string; readonly values: number; readonly filled: number }
  | { readonly kind: 'groups'; readonly filled: number };

export const STRUCTURES = ['tree', 'values', 'groups'] as const;

/** Attributes that name a department, the best first. */
const DEPARTMENT = ['department', 'departmentNumber', 'ou', 'division'];

/** Share of the people that have to have a value before it may make units. */
const MOST = 0.5;

/** Returns every way in which the sample could be divided, the likeliest first; empty: none. */
export function structuresOf(facts: DirectoryFacts): readonly Structure[] {
  const { people, units, groups } = facts;
  const homes = people.filter(({ parent }) => units.has(parent));
  const inhabited = new Set(homes.map(({ parent }) => parent)).size;
  const values = valuesIn(people);
  const inGroups = groups?.people ?? 0;
  const tree: Structure = { kind: 'tree', inUnits: homes.length };
  const byGroup: Structure = { kind: 'groups', filled: inGroups };
  const isTree = inhabited > 0 && homes.length >= people.length * MOST;
  const isGrouped = inGroups >= people.length * MOST && inGroups > 0;
  // Two or three folders, such as people and contractors, with many departments as values are no tree.
  const isFlat = values !== null && inhabited <= 3 && values.values > inhabited;
  const likely: { readonly [K in Structure['kind']]: readonly Structure[] } = {
    values: values === null ? [] : [values],
    tree: isTree ? [tree] : [],
    groups: isGrouped ? [byGroup] : [],
  };
  return orderOf({ isFlat, isOneFolder: isGrouped && inhabited === 1 }).flatMap((kind) => likely[kind]);
}

/** Returns the kinds, the likeliest first. One folder with everybody in it is no tree where groups divide them. */
function orderOf(is: {
  readonly isFlat: boolean;
  readonly isOneFolder: boolean;
}): readonly Structure['kind'][] {
  if (is.isOneFolder) return is.isFlat ? ['values', 'groups', 'tree'] : ['groups', 'tree', 'values'];
  return is.isFlat ? ['values', 'tree', 'groups'] : ['tree', 'values', 'groups'];
}

export function filledBy(people: readonly EntryFacts[], attribute: string): number {
  return people.filter(({ values }) => (values.get(attribute.toLowerCase()) ?? []).length > 0).length;
}

function valuesIn(people: readonly EntryFacts[]): (Structure & { readonly kind: 'values' }) | null {
  for (const attribute of DEPARTMENT) {
    const filled = filledBy(people, attribute);
    const all = people.flatMap(({ values }) => values.get(attribute.toLowerCase()) ?? []);
    const values = new Set(all.map((value) => value.trim().toLowerCase())).size;
    const isShared = people.length < 5 || values * 2 <= filled;
    if (filled > 0 && filled >= people.length * MOST && isShared)
      return { kind: 'values', attribute, values, filled };
  }
  return null;
}

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
