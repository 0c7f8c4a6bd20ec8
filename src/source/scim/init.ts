import { DraftSection, PLACEHOLDER, type Draft, type DraftEntry } from '../../domain/draft.ts';
import type { ScimSettings } from './kind.ts';
import { listSome } from '../../domain/text/printable.ts';
import { systemClock } from '../../lib/clock.ts';
import { isObject } from '../../lib/parse-lossless.ts';
import { Password, tlsOf, urlOf, withHead, type KindInit } from '../init/init-kind.ts';
import { distinctUnits, personRules, type Rule } from '../init/propose-tables.ts';
import type { TableFacts } from '../init/table-facts.ts';
import { Refusals } from '../connect/refusals.ts';
import { RefusedAnswer } from '../http/problems.ts';
import { attributeReader, type Resource } from './attributes.ts';
import { askScim, type ScimServer } from './scim-pages.ts';
import { scimProblem } from './scim-problems.ts';
import { openScim, type ScimAccess } from './scim-server.ts';

export const scimInit: KindInit<ScimSettings> = {
  async draft(flags, signal) {
    const url = urlOf(flags);
    const token = new Password(flags);
    const tls = tlsOf(flags);
    const draft = proposeScim(await surveyScim({ url, token: token.text, tls: tls.access }, signal));
    return withHead(draft, { type: 'scim', url, token, tls: tls.written });
  },
};

/** The first users and groups of a SCIM server. */
interface ScimFacts {
  /** Its columns are the attributes that at least one person has, as a configuration names them. */
  readonly users: TableFacts;
  /** Names of the groups. */
  readonly groups: readonly string[];
}

/** Users and groups of a sample. */
const SAMPLE = 200;

/** Attributes of users that a configuration can map, as it names them. */
const ATTRIBUTES = `id userName displayName name.formatted name.givenName name.familyName emails.work
  phoneNumbers.mobile phoneNumbers.work addresses.work.locality title active enterprise.department`.split(
  /\s+/u,
);

/** Looks at the first users and groups of a SCIM server. Throws a `SourceError` if it shows no users. */
async function surveyScim(access: ScimAccess, signal: AbortSignal): Promise<ScimFacts> {
  const refusals = new Refusals(() => systemClock.now());
  const server = await openScim(access, { clock: systemClock, refusals }, signal);
  try {
    const { first: users, isWhole } = await firstOf(server, 'Users');
    if (users.length === 0) throw scimProblem('scim-no-users', { url: access.url });
    const columns = ATTRIBUTES.map((name) => {
      const read = attributeReader(name);
      return { name, quoted: name, cells: users.map((user) => [read(user) ?? ''].flat()[0]?.trim() ?? '') };
    });
    const filled = columns.filter(({ cells }) => cells.some((cell) => cell !== ''));
    const groups = await firstOf(server, 'Groups').catch((error: unknown) => {
      if (error instanceof RefusedAnswer) return { first: [] };
      throw error;
    });
    return {
      users: { name: 'Users', quoted: 'Users', columns: filled, rows: users.length, isWhole },
      groups: groups.first.map(({ displayName }) => String(displayName)),
    };
  } finally {
    await server.client.close();
  }
}

/** Returns the first resources of a list; a server may give them in smaller pages than it is asked for. */
async function firstOf(server: ScimServer, resource: string) {
  const first: Resource[] = [];
  while (first.length < SAMPLE) {
    const query = { startIndex: String(first.length + 1), count: String(SAMPLE - first.length) };
    const { value } = await askScim(server, resource, query);
    const { Resources, totalResults } = isObject(value) ? value : {};
    const page = Array.isArray(Resources) ? Resources.filter((one) => isObject(one)) : [];
    first.push(...page);
    if (page.length === 0 || first.length >= Number(totalResults)) return { first, isWhole: true };
  }
  return { first, isWhole: false };
}

/** Beginnings of the names of groups that are departments. */
const DEPARTMENT = /^(?:dept|department|org|orgunit|ou|unit|team|abteilung|abt|部门)[-_. :/]+(?=\S)/iu;

/** Returns a proposal for a SCIM server: its groups are the units, else the values of `department`. */
function proposeScim({ users, groups }: ScimFacts): Draft {
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
