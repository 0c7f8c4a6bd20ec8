import {
  connectionOf,
  connectionsIn,
  directoryFindings,
  entriesAt,
  groupFindings,
  hasVendor,
  placesByGroups,
} from './directory-checks.ts';
import { unusedTables } from './unused-tables.ts';
import { rawAt, showPath, type Finding, type Path } from './problem.ts';
import { PLACEHOLDER } from '../../domain/draft.ts';
import { KINDS } from '../../source/kinds.ts';

type Check = (raw: unknown) => readonly Finding[];

/**
 * Returns problems that only several keys together show. The checks read plain data, which may have other
 * mistakes, so that all problems are reported together.
 */
export function crossFindings(raw: unknown): readonly Finding[] {
  const ofConnections = connectionsIn(raw).flatMap((at) =>
    CONNECTION_CHECKS.flatMap((check) => check(raw, at)),
  );
  return [...ofConnections, ...CHECKS.flatMap((check) => check(raw))];
}

/** Checks of one connection, each of which gets its place. */
const CONNECTION_CHECKS: readonly ((raw: unknown, at: Path) => readonly Finding[])[] = [
  startTlsTwice,
  tlsWithoutNetwork,
  halfABind,
  passwordWithoutUser,
];

const CHECKS: readonly Check[] = [
  halfACertificate,
  directoryFindings,
  groupFindings,
  positionsSomewhere,
  positionsTwice,
  tagsTwice,
  unusedTables,
  approvalsNeedHttp,
  placeholderFindings,
];

/** Finds approvals without http: the service could not deliver an answer. */
function approvalsNeedHttp(raw: unknown): readonly Finding[] {
  const path: Path = ['approvals'];
  if (rawAt(raw, path) === undefined || rawAt(raw, ['http']) !== undefined) return [];
  return [
    { path, wrong: 'needs http, to which the service calls', remedy: 'add http: { listen: 0.0.0.0:8080 }' },
  ];
}

function startTlsTwice(raw: unknown, at: Path): readonly Finding[] {
  const path: Path = [...at, 'startTls'];
  if (rawAt(raw, path) !== true || !urlBegins(raw, at, 'ldaps:') || urlBegins(raw, at, 'ldap:')) return [];
  return [
    { path, wrong: 'contradicts ldaps://, which is encrypted already', remedy: 'remove it, or use ldap://' },
  ];
}

function tlsWithoutNetwork(raw: unknown, at: Path): readonly Finding[] {
  const path: Path = [...at, 'tls'];
  if (rawAt(raw, path) === undefined || !urlBegins(raw, at, 'sqlite:')) return [];
  return [{ path, wrong: 'means nothing for sqlite:, which is a file', remedy: 'remove it' }];
}

/** Finds a bind with a name but no password: it succeeds as anonymous, and reads less than was meant. */
function halfABind(raw: unknown, at: Path): readonly Finding[] {
  return halfAPair(raw, at, ['bindDn', 'bindPassword']);
}

/** Finds the password of a database whose URL names no user, or has a password too. */
function passwordWithoutUser(raw: unknown, at: Path): readonly Finding[] {
  const [path, url]: readonly [Path, unknown] = [[...at, 'password'], rawAt(raw, [...at, 'url'])];
  if (rawAt(raw, path) === undefined || typeof url !== 'string') return [];
  const user = /^[^/]*\/\/([^/]*)@/u.exec(url)?.[1] ?? '';
  if (user !== '' && !user.includes(':')) return [];
  const wrong = user === '' ? 'stands without a user in url' : 'is given as well as a password in url';
  return [{ path, wrong, remedy: 'write url as scheme://user@host/database' }];
}

/** Finds a certificate without its key, or a key without its certificate. */
function halfACertificate(raw: unknown): readonly Finding[] {
  const connections = [['service'], ...connectionsIn(raw)];
  return connections.flatMap((at) => halfAPair(raw, [...at, 'tls'], ['certFile', 'keyFile']));
}

function halfAPair(raw: unknown, at: Path, [one, other]: readonly [string, string]): readonly Finding[] {
  const isSet = (key: string): boolean => rawAt(raw, [...at, key]) !== undefined;
  if (isSet(one) === isSet(other)) return [];
  const [key, missing] = isSet(one) ? [one, other] : [other, one];
  return [
    { path: [...at, key], wrong: `stands without ${missing}`, remedy: `add ${missing}, or remove ${key}` },
  ];
}

function positionsSomewhere(raw: unknown): readonly Finding[] {
  // If units are made from a value, people are in the unit of theirs.
  if (rawAt(raw, ['source', 'units', 'distinct']) !== undefined || hasPositionsQuery(raw)) return [];
  return entriesAt(raw, 'people').flatMap((at) => {
    const fields = rawAt(raw, [...at, 'fields']);
    const path: Path = [...at, 'fields', 'positions'];
    if (typeof fields !== 'object' || fields === null || !isEmpty(rawAt(raw, path))) return [];
    const hasDefault = hasVendor(raw, connectionOf(raw, at)) || placesByGroups(raw, at);
    if (hasDefault && rawAt(raw, path) === undefined) return [];
    return [{ path, wrong: 'a person needs positions', remedy: `add [{ unit: … }]${orAQuery(raw)}` }];
  });
}

function orAQuery(raw: unknown): string {
  const kind = Object.entries(KINDS).find(([name]) => name === rawAt(raw, ['source', 'type']));
  if (rawAt(raw, ['sources']) !== undefined) return ', or add source.positions';
  const from = kind?.[1].positionsFrom ?? null;
  return from === null ? '' : `, or add source.positions with ${from}`;
}

function positionsTwice(raw: unknown): readonly Finding[] {
  if (!hasPositionsQuery(raw)) return [];
  return entriesAt(raw, 'people').flatMap((at) => {
    const path: Path = [...at, 'fields', 'positions'];
    if (isEmpty(rawAt(raw, path))) return [];
    return [{ path, wrong: 'positions come from source.positions too', remedy: 'keep one of the two' }];
  });
}

function tagsTwice(raw: unknown): readonly Finding[] {
  return entriesAt(raw, 'people').flatMap((at) => {
    const fields: Path = [...at, 'fields'];
    const names = rawAt(raw, [...fields, 'tag_names']);
    const isMapped = typeof names === 'object' && names !== null && Object.keys(names).length > 0;
    if (!isMapped || rawAt(raw, [...fields, 'tags']) === undefined) return [];
    const wrong = 'is given as well as tags, which the service reads first: the names would be lost';
    return [{ path: [...fields, 'tag_names'], wrong, remedy: 'keep one of the two' }];
  });
}

function hasPositionsQuery(raw: unknown): boolean {
  return rawAt(raw, ['source', 'positions']) !== undefined;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Returns whether the URL, or one of a list, begins with this scheme. */
function urlBegins(raw: unknown, at: Path, scheme: string): boolean {
  return [rawAt(raw, [...at, 'url'])]
    .flat()
    .some((url) => typeof url === 'string' && url.trim().toLowerCase().startsWith(scheme));
}

const REMEDIES: Readonly<Record<string, string>> = {
  'service.baseUrl': 'write the address of the service, as https://im.example.com',
  'service.domainId': 'write the id of your domain in the service',
  'service.orgCode': 'write the code of your organization in the service',
};

/** Finds placeholders of `rollcall init` that are not filled in yet. */
function placeholderFindings(raw: unknown): readonly Finding[] {
  return placeholdersIn(raw, []).map((path) => ({
    path,
    wrong: `still is ${PLACEHOLDER}`,
    remedy: REMEDIES[showPath(path)] ?? 'write what belongs there',
  }));
}

function placeholdersIn(value: unknown, path: Path): readonly Path[] {
  if (typeof value === 'string') return value.includes(PLACEHOLDER) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one, index) => placeholdersIn(one, [...path, index]));
  return Object.entries(value).flatMap(([key, one]) => placeholdersIn(one, [...path, key]));
}
