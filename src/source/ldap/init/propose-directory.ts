import { KNOWN_ENDS } from '../../../domain/directories/known-ends.ts';
import { ACCOUNT_ACTIVE, VENDORS } from '../../../domain/directories/vendors.ts';
import { DraftSection, PLACEHOLDER, type Draft, type DraftEntry } from '../../../domain/draft.ts';
import { UNIT_GROUPS } from '../../../domain/source-choices.ts';
import { columnOf, type DirectoryFacts, type EntryFacts } from './directory-facts.ts';
import { counted } from '../../../domain/text/counted.ts';
import { listSome, printable } from '../../../domain/text/printable.ts';
import type { ColumnFacts } from '../../init/table-facts.ts';
import type { Structure } from '../../init/init-kind.ts';
import { endsIn, leaverStatesIn, withoutStates } from '../../init/active-rule.ts';

/** How people are in units: below entries, by a value of theirs, or by groups. */
const STRUCTURES = ['tree', 'values', 'groups'] as const satisfies readonly Structure[];

/** Attributes that have a field, the best first. A vendor's own rules need no line where they find something. */
const ATTRIBUTES = {
  id: ['objectGUID', 'ipaUniqueID', 'nsUniqueId', 'entryUUID'],
  username: ['uid', 'sAMAccountName', 'userPrincipalName', 'mail', 'cn'],
  email: ['mail'],
  mobile: ['mobile'],
  workPhone: ['telephoneNumber'],
  sn: ['employeeNumber', 'employeeID'],
  city: ['l'],
} as const;

const DEPARTMENT = ['department', 'departmentNumber', 'ou', 'division'] as const;

/** Share of the people that have to have a department before it may make units. */
const DEPARTMENT_SHARE = 0.5;

/**
 * Folders with people: this many are more likely a tree than a few kinds of accounts next to their
 * departments.
 */
const TREE_FOLDERS = 4;

/** Returns a proposal for a directory. @param requested what makes the units; absent: what the sample shows */
export function proposeDirectory(facts: DirectoryFacts, requested: Structure | undefined): Draft {
  const { vendor, people, base, groups } = facts;
  const department = DEPARTMENT.find((one) => filledBy(people, one) >= people.length * DEPARTMENT_SHARE);
  const structure = requested ?? structureOf(facts, department);
  const context = { facts, department, structure };
  const isVendors = vendor !== null && facts.peopleFilter === VENDORS[vendor].people.filter;
  const isFound = { tree: true, values: department !== undefined, groups: groups !== null };
  const reason =
    structure === 'groups' ? 'no group was seen' : `not half of them have one of ${DEPARTMENT.join(', ')}`;
  const gap = `nothing says in which units people are: ${counted(people.length, 'person was', 'people were')} looked at, and ${reason}`;
  return {
    entries: [
      {
        key: 'vendor',
        value: vendor ?? 'generic',
        because:
          vendor === null ? 'the root entry tells none' : `by the root entry: ${VENDORS[vendor].title}`,
      },
      UNITS[structure](context),
      {
        key: 'people',
        value: new DraftSection([
          {
            key: 'base',
            value: base,
            because: `assumed: ${facts.isWhole ? '' : 'more than '}${people.length} people`,
          },
          excludedFrom(context),
          isVendors ? null : { key: 'filter', value: facts.peopleFilter, because: 'assumed' },
          {
            key: 'fields',
            value: new DraftSection([...fieldsOf(facts), activeRule(facts), positionsOf(context)]),
          },
        ]),
      },
    ],
    assumed: sentences(context),
    gaps: [...(isFound[structure] ? [] : [gap]), ...unreadEnds(facts)],
  };
}

interface Context {
  readonly facts: DirectoryFacts;
  /** Attribute with the department that most people have. */
  readonly department: string | undefined;
  readonly structure: Structure;
}

/** One folder with all people in it is no tree if anything else divides them. */
function structureOf({ people, groups }: DirectoryFacts, department: string | undefined): Structure {
  const folders = new Set(people.filter(({ isInUnit }) => isInUnit).map(({ parent }) => parent)).size;
  if (folders >= TREE_FOLDERS || (folders > 1 && department === undefined)) return 'tree';
  if (department !== undefined) return 'values';
  if (groups !== null) return 'groups';
  return folders === 1 ? 'tree' : 'values';
}

const ID: DraftEntry = { key: 'id', value: 'entryUUID', because: 'assumed' };

const UNITS: { readonly [K in Structure]: (context: Context) => DraftEntry } = {
  tree: ({ facts: { base, vendor } }) => ({
    key: 'units',
    value: new DraftSection([
      {
        key: 'base',
        value: base,
        because: 'assumed: this entry is no unit; it stands for the root of the service',
      },
      vendor === null ? { key: 'filter', value: '(objectClass=organizationalUnit)' } : null,
      vendor === null ? { key: 'fields', value: new DraftSection([ID, { key: 'name', value: 'ou' }]) } : null,
    ]),
  }),
  values: ({ facts: { people }, department = PLACEHOLDER }) => {
    const isPath = people.some(({ values }) => values.get(department.toLowerCase())?.[0]?.includes('/'));
    const value = { distinct: department, ...(isPath && { separator: '/' }) };
    return { key: 'units', value, because: `assumed: ${fillOf(people, department)}` };
  },
  groups: ({ facts: { base, groups, vendor } }) => ({
    key: 'units',
    value: new DraftSection([
      { key: 'base', value: groups?.base ?? base, because: `assumed: ${groups?.count ?? 0} groups below it` },
      { key: 'filter', value: `(objectClass=${groups?.objectClass ?? PLACEHOLDER})` },
      {
        key: 'members',
        value: groups?.by ?? 'member',
        because: 'a group in a group is the unit below it; who is in several has several positions',
      },
      { key: 'fields', value: new DraftSection([vendor === null ? ID : null, { key: 'name', value: 'cn' }]) },
    ]),
  }),
};

const UNIT_RULE: { readonly [K in Structure]: (context: Context) => string } = {
  tree: () => 'parentDn',
  values: ({ department }) => department ?? PLACEHOLDER,
  groups: () => UNIT_GROUPS,
};

function positionsOf(context: Context): DraftEntry {
  const { people } = context.facts;
  const title = filledBy(people, 'title') > 0 ? { job_title: 'title' } : {};
  const hasHeads = context.structure === 'tree' && filledBy(people, 'managedObjects') > 0;
  const chief = { expr: 'all.managedObjects.exists(ou, lower(ou) == lower(parentDn))' };
  return {
    key: 'positions',
    value: [{ unit: UNIT_RULE[context.structure](context), ...title, ...(hasHeads && { chief }) }],
    because: `assumed: of title, ${fillOf(people, 'title')}`,
  };
}

/** Returns the folders of a tree that are no units: those in them would sit on the service's root. */
function excludedFrom({ facts: { people, base }, structure }: Context): DraftEntry | null {
  const strays = people.filter(({ isInUnit, parent }) => !isInUnit && parent !== base);
  const folders = [...new Set(strays.map(({ parent }) => parent))];
  if (structure !== 'tree' || folders.length === 0) return null;
  return { key: 'exclude', value: folders, because: 'assumed: no unit is above the people there' };
}

/** Returns rules for what a vendor's own rules do not find, and for what is optional. */
function fieldsOf({ vendor, people }: DirectoryFacts): readonly DraftEntry[] {
  const vendorRules: Readonly<Record<string, unknown>> = vendor === null ? {} : VENDORS[vendor].people.fields;
  const entries = Object.entries(ATTRIBUTES).flatMap(([key, attributes]): readonly DraftEntry[] => {
    const vendorRule = vendorRules[key];
    if (typeof vendorRule === 'string' && filledBy(people, vendorRule) > 0) return [];
    const best = attributes.find((one) => filledBy(people, one) > 0);
    const about = key === 'sn' ? '; sn is the employee number here, not the surname' : '';
    if (best !== undefined)
      return [{ key, value: best, because: `assumed: ${fillOf(people, best)}${about}` }];
    const isNeeded = key === 'id' || key === 'username';
    if (isNeeded)
      return [{ key, value: PLACEHOLDER, because: `no entry has one of ${attributes.join(', ')}` }];
    return vendorRule === undefined ? [] : [{ key, value: null, because: 'assumed: no entry has it' }];
  });
  const name = { expr: "displayName != '' ? displayName : cn" };
  return vendor === null ? [...entries, { key: 'name', value: name, because: 'assumed' }] : entries;
}

/** Returns the values of employeeType, if one of them is known to mark leavers (RFC 2798, section 2.5). */
function typesWithLeavers({ people }: DirectoryFacts): ColumnFacts | null {
  const column = columnOf(people, 'employeeType');
  return leaverStatesIn(column).length > 0 ? column : null;
}

function activeRule(facts: DirectoryFacts): DraftEntry | null {
  const column = typesWithLeavers(facts);
  if (column === null) return null;
  const expr = `${facts.vendor === null ? '' : `${ACCOUNT_ACTIVE} == 'true' && `}${withoutStates(column)}`;
  return { key: 'active', value: { expr }, because: 'assumed: employeeType tells who has left' };
}

/** Returns what the account of `active` is read from, so far as it is proposed. */
const activeReads = (facts: DirectoryFacts): readonly string[] => [
  ...(facts.vendor === null ? [] : VENDORS[facts.vendor].active.reads),
  ...(typesWithLeavers(facts) === null ? [] : ['employeeType']),
];

/** Returns a sentence for each known end or lock that people have and that the proposed rules do not read. */
function unreadEnds(facts: DirectoryFacts): readonly string[] {
  const reads = activeReads(facts);
  const names = KNOWN_ENDS.filter((name) => !reads.includes(name));
  return endsIn(names.map((name) => columnOf(facts.people, name))).map(
    ({ name }) =>
      `say in people.fields.active what ${name} means: people have it, and it can end or lock an account`,
  );
}

function filledBy(people: readonly EntryFacts[], attribute: string): number {
  return people.filter(({ values }) => (values.get(attribute.toLowerCase()) ?? []).length > 0).length;
}

function fillOf(people: readonly EntryFacts[], attribute: string): string {
  return `${filledBy(people, attribute)} of ${people.length} entries have it`;
}

const STRUCTURE_TEXTS: { readonly [K in Structure]: (context: Context) => string } = {
  tree: ({ facts: { people } }) =>
    `the organizational units; ${people.filter(({ isInUnit }) => isInUnit).length} of ${people.length} people are directly below one`,
  values: ({ department }) => `the values of ${department ?? PLACEHOLDER}`,
  groups: ({ facts: { groups } }) => `the ${groups?.count ?? 0} groups below ${groups?.base ?? PLACEHOLDER}`,
};

function sentences(context: Context): readonly string[] {
  const { people, base, outside, isWhole } = context.facts;
  const alternatives = STRUCTURES.filter((one) => one !== context.structure);
  const excluded = excludedFrom(context)?.value;
  const reads = activeReads(context.facts);
  return [
    `units: ${STRUCTURE_TEXTS[context.structure](context)}; --units ${alternatives.join(' or ')} proposes another way`,
    reads.length === 0
      ? 'nothing that is known says who has left: everybody there counts as active'
      : `who is active is read from ${reads.join(' and ')} alone`,
    ...(outside === 0
      ? []
      : [`${outside} of the people looked at are out of scope: they are not below ${base}`]),
    ...(Array.isArray(excluded)
      ? [
          `people in ${listSome(excluded.map(String).map(printable))} are out of scope (people.exclude): they are in no unit`,
        ]
      : []),
    ...(isWhole ? [] : [`only the first ${people.length} people were looked at`]),
  ];
}
