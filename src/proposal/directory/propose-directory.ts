import { VENDORS } from '../../domain/directories/vendors.ts';
import {
  DraftSection,
  PLACEHOLDER,
  type Draft,
  type DraftEntry,
  type DraftValue,
} from '../../domain/draft.ts';
import type { DirectoryFacts } from '../../domain/survey/directory-facts.ts';
import { UNIT_GROUPS } from '../../domain/source-choices.ts';
import { listSome, printable } from '../../domain/text/printable.ts';
import { peopleFields } from './people-fields.ts';
import { filledBy, structuresOf, type Structure } from './structure.ts';

/** Names of units that are there for the directory itself. */
const INFRASTRUCTURE =
  /^(?:ou|cn)=(?:groups?|gruppen|roles?|computers?|hosts?|servers?|services?|service accounts?|systems?|policies|sudoers|netgroup|dns|aliases|automount|printers?|devices?|domain controllers|microsoft exchange.*|admins?|special users)(?:,|$)/iu;

/** Attributes that are no data of a person. */
const TECHNICAL =
  /^(?:objectclass|userpassword|objectguid|objectsid|objectcategory|usncreated|usnchanged|whencreated|whenchanged|instancetype|distinguishedname|dscorepropagationdata|.*(?:time|count|hash)|jpegphoto|usercertificate|.*sambant.*|(?:uid|gid)number|homedirectory|loginshell|gecos|name|primarygroupid|codepage|countrycode|useraccountcontrol|samaccounttype|logonhours|krb.*|ipa.*|shadow.*|givenname|cn|sn|uid|mail|displayname|title|samaccountname|mobile|telephonenumber|l|employeenumber|employeeid|employeetype|memberof|nsuniqueid|entryuuid|iscriticalsystemobject|accountexpires)$/iu;

/** Returns a proposal for a directory, with people divided into units as `structure` says. */
export function proposeDirectory(facts: DirectoryFacts, structure: Structure | undefined): Draft {
  const { vendor, people, base } = facts;
  const fields = peopleFields(facts);
  const isKnown = vendor !== null && facts.peopleFilter === VENDORS[vendor].people.filter;
  const position = positionOf(facts, structure);
  const excluded = structure?.kind === 'tree' ? facts.beside : [];
  const head: DraftEntry = {
    key: 'vendor',
    value: vendor ?? 'generic',
    because:
      vendor === null
        ? 'the root entry does not say whose server it is'
        : `by the root entry: ${VENDORS[vendor].title}`,
  };
  return {
    entries: [
      head,
      unitsOf(facts, structure),
      {
        key: 'people',
        value: new DraftSection([
          { key: 'base', value: base, because: baseSentence(facts) },
          excluded.length === 0
            ? null
            : { key: 'exclude', value: excluded, because: 'assumed: no unit is above the people there' },
          isKnown
            ? null
            : { key: 'filter', value: facts.peopleFilter ?? `(${PLACEHOLDER}=*)`, because: 'assumed' },
          {
            key: 'fields',
            value: new DraftSection([...fields.entries, position]),
            above: [...fields.given, ...alsoThere(facts)],
          },
        ]),
      },
    ],
    assumed: [
      ...structureSentences(facts, structure),
      ...fields.assumed,
      ...leftOutSentences(facts, structure),
      ...(facts.isWhole ? [] : [`only the first ${people.length} people were looked at`]),
    ],
    gaps: gapsOf(facts, structure, fields.gaps),
  };
}

function gapsOf(
  facts: DirectoryFacts,
  structure: Structure | undefined,
  gaps: readonly string[],
): readonly string[] {
  if (facts.peopleFilter === null) {
    const classes = listSome(
      facts.present.map(([name]) => name),
      { atMost: 12 },
    );
    return [
      `nobody is found below ${facts.base}; its entries have ${classes === '' ? 'nothing that this account may read' : classes}`,
    ];
  }
  if (structure !== undefined) return gaps;
  return [
    ...gaps,
    'nothing says in which units people are: no unit holds them, none of department, departmentNumber, ou and division is filled on most of them, and no groups have most of them as members',
  ];
}

function baseSentence({ people, isWhole }: DirectoryFacts): string {
  return `assumed: ${isWhole ? '' : 'more than '}${people.length} people below it`;
}

function positionOf({ people }: DirectoryFacts, structure: Structure | undefined): DraftEntry {
  const title: Record<string, DraftValue> = filledBy(people, 'title') > 0 ? { job_title: 'title' } : {};
  const heads = filledBy(people, 'managedObjects') > 0;
  const chief = { chief: { expr: 'all.managedObjects.exists(ou, lower(ou) == lower(parentDn))' } };
  const unit = structure === undefined ? PLACEHOLDER : UNIT_RULE[structure.kind](structure);
  const value = [{ unit, ...title, ...(structure?.kind === 'tree' && heads ? chief : {}) }];
  const titles = filledBy(people, 'title');
  return {
    key: 'positions',
    value,
    because:
      titles === 0
        ? 'assumed: nobody has a title'
        : `assumed: ${titles} of ${people.length} entries have title`,
  };
}

const UNIT_RULE: { readonly [K in Structure['kind']]: (structure: Structure) => string } = {
  tree: () => 'parentDn',
  values: (structure) => (structure.kind === 'values' ? structure.attribute : ''),
  groups: () => UNIT_GROUPS,
};

function unitsOf(facts: DirectoryFacts, structure: Structure | undefined): DraftEntry {
  const { base, vendor, people, groups } = facts;
  if (structure?.kind === 'values') {
    const all = people.flatMap(({ values }) => values.get(structure.attribute.toLowerCase()) ?? []);
    const value = {
      distinct: structure.attribute,
      ...(all.some((one) => one.includes('/')) && { separator: '/' }),
    };
    return {
      key: 'units',
      value,
      because: `assumed: ${structure.values} values, ${structure.filled} of ${people.length} entries have one`,
    };
  }
  const id = { key: 'id', value: 'entryUUID', because: 'assumed' };
  if (structure?.kind === 'groups' && groups !== null) {
    const rules = [vendor === null ? id : null, { key: 'name', value: 'cn' }];
    return {
      key: 'units',
      value: new DraftSection([
        { key: 'base', value: groups.base, because: `assumed: ${groups.count} groups below it` },
        { key: 'filter', value: `(objectClass=${groups.objectClass})` },
        {
          key: 'members',
          value: groups.by,
          because:
            'a group in a group is the unit below it; people who are in several have several positions',
        },
        { key: 'fields', value: new DraftSection(rules) },
      ]),
    };
  }
  const exclude = facts.deserted.filter((dn) => INFRASTRUCTURE.test(dn));
  return {
    key: 'units',
    value: new DraftSection([
      {
        key: 'base',
        value: base,
        because: 'assumed: this entry is no unit; it stands for the root of the service',
      },
      exclude.length === 0
        ? null
        : { key: 'exclude', value: exclude, because: 'assumed: nobody is below them' },
      vendor === null ? { key: 'filter', value: '(objectClass=organizationalUnit)' } : null,
      vendor === null ? { key: 'fields', value: new DraftSection([id, { key: 'name', value: 'ou' }]) } : null,
    ]),
  };
}

function structureSentences(facts: DirectoryFacts, structure: Structure | undefined): readonly string[] {
  if (structure === undefined) return [];
  const others = structuresOf(facts).filter(({ kind }) => kind !== structure.kind);
  const also = others.map((other) => `${WORDS[other.kind](other, facts)} (--units ${other.kind})`);
  return [
    `units: ${WORDS[structure.kind](structure, facts)}${also.length === 0 ? '' : `; possible too: ${also.join(', ')}`}`,
  ];
}

const WORDS: { readonly [K in Structure['kind']]: (structure: Structure, facts: DirectoryFacts) => string } =
  {
    tree: (structure, { people, units }) =>
      `the tree of ${units.size} organizational units, right below which ${structure.kind === 'tree' ? structure.inUnits : 0} of ${people.length} people are`,
    values: (structure) =>
      structure.kind === 'values' ? `the ${structure.values} values of ${structure.attribute}` : '',
    groups: (structure, { groups, people }) =>
      `the ${groups?.count ?? 0} groups below ${groups?.base ?? ''}, of which ${structure.kind === 'groups' ? structure.filled : 0} of ${people.length} people are members`,
  };

function leftOutSentences(
  { leftOut, beside, base, people, units }: DirectoryFacts,
  structure: Structure | undefined,
): readonly string[] {
  const isExcluded = structure?.kind === 'tree';
  const places = beside.map((one) => `,${one.toLowerCase()}`);
  const isBeside = (dn: string): boolean =>
    isExcluded && places.some((place) => dn.toLowerCase().endsWith(place));
  const homeless = people.filter(({ dn, parent }) => !units.has(parent) && !isBeside(dn)).length;
  const isTree = units.size > 0 && homeless > 0 && homeless < people.length;
  return [
    ...(leftOut.length === 0
      ? []
      : [`people in ${listSome(leftOut.map(printable))} are out of scope, as they are not below ${base}`]),
    ...(beside.length === 0 || !isExcluded
      ? []
      : [
          `people in ${listSome(beside.map(printable))} are out of scope (people.exclude): they are in no unit; take the line out where they belong in`,
        ]),
    ...(isTree
      ? [
          `${homeless} ${homeless === 1 ? 'person is in no unit of its own and sits' : 'people are in no unit of their own: they sit'} on the service's root, or ${homeless === 1 ? 'waits' : 'wait'} (sync.orphans)`,
        ]
      : []),
  ];
}

function alsoThere({ present }: DirectoryFacts): readonly string[] {
  const names = present.filter(([name]) => !TECHNICAL.test(name)).map(([name, count]) => `${name} ${count}`);
  return names.length === 0 ? [] : [`Also there, not mapped: ${listSome(names, { atMost: 15 })}.`];
}
