import { DraftSection, PLACEHOLDER, type Draft, type DraftEntry } from '../domain/draft.ts';
import type { ScimFacts } from '../domain/survey-facts.ts';
import { listSome } from '../domain/text/printable.ts';
import { distinctUnits, personRules, type Rule } from './propose-tables.ts';

/** Beginnings of the names of groups that are departments. */
const DEPARTMENT = /^(?:dept|department|org|orgunit|ou|unit|team|abteilung|abt|部门)[-_. :/]+(?=\S)/iu;

/** Returns a proposal for a SCIM server: its groups are the units, else the values of `department`. */
export function proposeScim({ users, groups }: ScimFacts): Draft {
  const prefix = groups.map((name) => DEPARTMENT.exec(name)?.[0]).find((one) => one !== undefined) ?? '';
  const isByValue = prefix === '' && users.columns.some(({ name }) => name === 'enterprise.department');
  const named = groups.filter((name) => name.toLowerCase().startsWith(prefix.toLowerCase()));
  const active: Rule = { key: 'active', value: 'active', because: 'people who are not have left', reads: [] };
  const columns = users.columns.filter(({ name }) => name !== 'active');
  const rules = [
    ...personRules(
      { people: { ...users, columns }, units: undefined, positions: isByValue ? undefined : users },
      '',
    ),
    active,
  ];
  const used = new Set(rules.flatMap(({ reads }) => reads));
  const unused = columns.filter((column) => !used.has(column)).map(({ name }) => name);
  return {
    entries: [
      ...(isByValue ? [distinctUnits(users)] : [unitsOfGroups(prefix, named)]),
      { key: 'people', value: new DraftSection([{ key: 'fields', value: new DraftSection(rules) }]) },
      ...(isByValue ? [] : [memberships(prefix)]),
    ],
    assumed: [
      isByValue
        ? 'each value of enterprise.department is a unit'
        : `${prefix === '' ? 'all groups' : `groups whose names begin with "${prefix}"`} are units: ${listSome(named, { atMost: 5 })}`,
      `people are the users (${users.isWhole ? '' : 'more than '}${users.rows}): leave accounts of machines out with people.where`,
      ...(unused.length === 0 ? [] : [`no field of people maps: ${unused.join(', ')}`]),
    ],
    gaps: [
      ...(groups.length === 0 && !isByValue ? ['no group is shown, and no department: name the units'] : []),
      ...rules
        .filter(({ value }) => JSON.stringify(value).includes(PLACEHOLDER))
        .map(({ key }) => `no attribute of the users looks like people.fields.${key}`),
    ],
  };
}

const filterOf = (prefix: string): DraftEntry | null =>
  prefix === ''
    ? null
    : { key: 'filter', value: `displayName sw ${JSON.stringify(prefix)}`, because: 'the same for both' };

/** Returns the path above a name; empty: it names no path. */
const above = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')));

function unitsOfGroups(prefix: string, names: readonly string[]): DraftEntry {
  const short = prefix === '' ? 'displayName' : `displayName.substring(${prefix.length})`;
  const isTree = names.some((name) => names.includes(above(name)));
  const fields = isTree
    ? {
        id: 'id',
        refs: ['id', 'displayName'],
        name: { expr: `cel.bind(p, ${short}.split('/'), p[size(p) - 1])` },
        parent: {
          expr: "displayName.contains('/') ? displayName.substring(0, displayName.lastIndexOf('/')) : ''",
        },
      }
    : { id: 'id', name: prefix === '' ? short : { expr: short } };
  return { key: 'units', value: new DraftSection([filterOf(prefix), { key: 'fields', value: fields }]) };
}

function memberships(prefix: string): DraftEntry {
  const fields = { person: 'member', unit: 'id' };
  return { key: 'positions', value: new DraftSection([filterOf(prefix), { key: 'fields', value: fields }]) };
}
