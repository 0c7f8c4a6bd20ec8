import { isMapping, rawAt, type Finding, type Path } from './problem.ts';
import { namedVendor } from '../../domain/directories/vendors.ts';
import { UNIT_GROUPS, VENDOR_CHOICES } from '../../domain/source-choices.ts';

/** Returns what only several keys of a directory together show. */
export function directoryFindings(raw: unknown): readonly Finding[] {
  return [
    ...partsIn(raw).flatMap((part) => neededFields(raw, part)),
    ...connectionsIn(raw).flatMap((at) =>
      rawAt(raw, [...at, 'type']) === 'ldap'
        ? [...clearTextAfterTls(raw, at), ...certificateInClear(raw, at)]
        : [],
    ),
  ];
}

/** Where the connections of sources stand: `source`, or each of `sources`. */
export function connectionsIn(raw: unknown): readonly Path[] {
  const sources = rawAt(raw, ['sources']);
  return typeof sources === 'object' && sources !== null
    ? Object.keys(sources).map((name) => ['sources', name])
    : [['source']];
}

/** Returns whether the connection at this place names a vendor, whose defaults fill gaps. */
export function hasVendor(raw: unknown, connection: Path): boolean {
  return namedVendor(String(rawAt(raw, [...connection, 'vendor']))) !== null;
}

/** Returns the connection of a part: `source`, or the one of `sources` that it names. */
export function connectionOf(raw: unknown, part: Path): Path {
  const from = rawAt(raw, [...part, 'from']);
  return rawAt(raw, ['sources']) === undefined ? ['source'] : ['sources', String(from)];
}

/** One of the parts that directories have. */
interface EntryPart {
  readonly at: Path;
  readonly part: keyof typeof NEEDED;
}

function partsIn(raw: unknown): readonly EntryPart[] {
  return (['units', 'people'] as const).flatMap((part) =>
    entriesAt(raw, part)
      .filter((at) => isLdap(raw, at))
      .map((at) => ({ at, part })),
  );
}

/** What a search of a directory needs, if no vendor's defaults fill the gap. */
const NEEDED = {
  units: [['filter'], ['fields', 'id'], ['fields', 'name']],
  people: [['filter'], ['fields', 'id'], ['fields', 'username'], ['fields', 'name']],
} as const satisfies Readonly<Record<string, readonly Path[]>>;

function neededFields(raw: unknown, { at, part }: EntryPart): readonly Finding[] {
  const connection = connectionOf(raw, at);
  if (hasVendor(raw, connection) || !isChoice(rawAt(raw, [...connection, 'vendor']))) return [];
  if (!isMapping(rawAt(raw, at)) || rawAt(raw, [...at, 'distinct']) !== undefined) return [];
  const remedy = `add it, or name ${connection.join('.')}.vendor, which gives defaults`;
  return NEEDED[part]
    .map((path): Path => [...at, ...path])
    .filter((path) => isOpen(raw, path))
    .map((path) => ({ path, wrong: 'is missing', remedy }));
}

/** Returns whether a vendor is a choice that there is: a misspelled one is reported by itself. */
function isChoice(vendor: unknown): boolean {
  return vendor === undefined || VENDOR_CHOICES.some((choice) => choice === vendor);
}

/** Returns whether the value is missing and can be added: nothing else stands in place of its mapping. */
function isOpen(raw: unknown, path: Path): boolean {
  const around = rawAt(raw, path.slice(0, -1));
  return rawAt(raw, path) === undefined && (around === undefined || isMapping(around));
}

/** Finds a list of servers of which some would get the password in clear text, and others would not. */
function clearTextAfterTls(raw: unknown, at: Path): readonly Finding[] {
  const path: Path = [...at, 'url'];
  const urls = [rawAt(raw, path)].flat().map((url) => String(url).trim().toLowerCase());
  const [secure, clear] = ['ldaps:', 'ldap:'].map((scheme) => urls.some((url) => url.startsWith(scheme)));
  if (!secure || !clear || rawAt(raw, [...at, 'startTls']) === true) return [];
  const wrong = 'has both ldap:// and ldaps://, so that the password could go in clear';
  return [{ path, wrong, remedy: 'add startTls: true, which is for those with ldap://' }];
}

/** Finds a certificate that says who it is, and that nothing could show. */
function certificateInClear(raw: unknown, at: Path): readonly Finding[] {
  const value = (...keys: readonly string[]): unknown => rawAt(raw, [...at, ...keys]);
  const urls = [value('url')].flat().map((url) => String(url).trim());
  const isClear = value('startTls') !== true && urls.some((url) => /^ldap:/iu.test(url));
  if (value('tls', 'certFile') === undefined || value('bindDn') !== undefined || !isClear) return [];
  const wrong = 'needs TLS, in which the certificate is shown';
  return [{ path: [...at, 'tls', 'certFile'], wrong, remedy: 'use ldaps:// or startTls: true' }];
}

/** Returns what only several keys about groups together show. */
export function groupFindings(raw: unknown): readonly Finding[] {
  const groups = entriesAt(raw, 'units').filter((at) => rawAt(raw, [...at, 'members']) !== undefined);
  return [
    ...groups.flatMap((at, index) => [
      ...membersElsewhere(raw, at),
      ...twice(raw, at, groups.slice(0, index)),
      ...positionsWithoutGroup(raw, at),
    ]),
    ...groupsWithoutDn(raw),
  ];
}

/** Returns whether groups that are units give people of this part their positions. */
export function placesByGroups(raw: unknown, people: Path): boolean {
  return entriesAt(raw, 'units').some(
    (at) => rawAt(raw, [...at, 'members']) !== undefined && isSameSource(raw, at, people),
  );
}

/** Returns where the entries of a part stand: at `source.units`, or at each place of its list. */
export function entriesAt(raw: unknown, part: 'units' | 'people'): readonly Path[] {
  const value = rawAt(raw, ['source', part]);
  if (!Array.isArray(value)) return value === undefined ? [] : [['source', part]];
  return value.map((_, index) => ['source', part, index]);
}

function isSameSource(raw: unknown, one: Path, other: Path): boolean {
  return connectionOf(raw, one).join('.') === connectionOf(raw, other).join('.');
}

const isLdap = (raw: unknown, at: Path): boolean => rawAt(raw, [...connectionOf(raw, at), 'type']) === 'ldap';

/** Finds groups whose members are in another source: a DN or a uid matches no person there. */
function membersElsewhere(raw: unknown, at: Path): readonly Finding[] {
  const people = entriesAt(raw, 'people');
  if (!isLdap(raw, at) || people.length === 0 || people.some((one) => isSameSource(raw, at, one))) return [];
  return [
    {
      path: [...at, 'members'],
      wrong: 'names people of this directory, and source.people reads none of them',
      remedy: 'read the people from the same source, and complete them by a join',
    },
  ];
}

function twice(raw: unknown, at: Path, before: readonly Path[]): readonly Finding[] {
  if (!before.some((one) => isSameSource(raw, one, at))) return [];
  return [
    {
      path: [...at, 'members'],
      wrong: 'stands a second time for one directory',
      remedy: 'write one entry with a list of bases',
    },
  ];
}

/** Finds positions next to groups with members if none of the positions is that of a group. */
function positionsWithoutGroup(raw: unknown, at: Path): readonly Finding[] {
  return entriesAt(raw, 'people')
    .filter((one) => isSameSource(raw, at, one))
    .flatMap((one) => {
      const path: Path = [...one, 'fields', 'positions'];
      const positions = rawAt(raw, path);
      if (!Array.isArray(positions) || JSON.stringify(positions).includes(UNIT_GROUPS)) return [];
      const wrong = `none is in a group, though ${at.join('.')} has members`;
      return [{ path, wrong, remedy: `add { unit: ${UNIT_GROUPS} }, or remove positions` }];
    });
}

/** Finds a name in place of the DN of a group. */
function groupsWithoutDn(raw: unknown): readonly Finding[] {
  return entriesAt(raw, 'people').flatMap((at) => {
    const path: Path = [...at, 'memberOf'];
    const groups = [rawAt(raw, path)].flat();
    if (rawAt(raw, path) === undefined || !isLdap(raw, at)) return [];
    const wrong = groups.find((dn) => typeof dn === 'string' && !dn.includes('='));
    if (wrong === undefined) return [];
    return [
      {
        path,
        wrong: 'is no DN of a group',
        remedy: 'write it whole, as in cn=staff,ou=groups,dc=example,dc=com',
      },
    ];
  });
}
