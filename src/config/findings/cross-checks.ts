import { SOURCE_KINDS } from '../../domain/source-kinds.ts';
import type { Finding, Path } from './problem.ts';
import { rawAt } from './raw.ts';

type Check = (raw: unknown) => readonly Finding[];

/**
 * Returns problems that only several keys together show. The checks look at plain data, whatever else is
 * wrong with it, so that these problems are reported together with all others.
 */
export function crossFindings(raw: unknown): readonly Finding[] {
  return CHECKS.flatMap((check) => check(raw));
}

const CHECKS: readonly Check[] = [
  startTlsTwice,
  tlsWithoutNetwork,
  halfABind,
  halfACertificate,
  positionsSomewhere,
  positionsOnce,
  tagsOnce,
];

const POSITIONS: Path = ['source', 'people', 'fields', 'positions'];

function startTlsTwice(raw: unknown): readonly Finding[] {
  const path: Path = ['source', 'startTls'];
  if (rawAt(raw, path) !== true || !urlBegins(raw, 'ldaps:')) return [];
  return [
    { path, wrong: 'contradicts ldaps://, which is encrypted already', remedy: 'remove it, or use ldap://' },
  ];
}

function tlsWithoutNetwork(raw: unknown): readonly Finding[] {
  const path: Path = ['source', 'tls'];
  if (rawAt(raw, path) === undefined || !urlBegins(raw, 'sqlite:')) return [];
  return [{ path, wrong: 'means nothing for sqlite:, which is a file', remedy: 'remove it' }];
}

/** Finds a bind with a name but no password: it succeeds as anonymous, and reads less than was meant. */
function halfABind(raw: unknown): readonly Finding[] {
  return halfAPair(raw, ['source'], ['bindDn', 'bindPassword']);
}

/** Finds a certificate without its key, or a key without its certificate. */
function halfACertificate(raw: unknown): readonly Finding[] {
  return halfAPair(raw, ['service', 'tls'], ['certFile', 'keyFile']);
}

function halfAPair(raw: unknown, at: Path, [one, other]: readonly [string, string]): readonly Finding[] {
  const given = (key: string): boolean => rawAt(raw, [...at, key]) !== undefined;
  if (given(one) === given(other)) return [];
  const [there, absent] = given(one) ? [one, other] : [other, one];
  return [
    { path: [...at, there], wrong: `stands without ${absent}`, remedy: `add ${absent}, or remove ${there}` },
  ];
}

function positionsSomewhere(raw: unknown): readonly Finding[] {
  const fields = rawAt(raw, POSITIONS.slice(0, -1));
  if (typeof fields !== 'object' || fields === null) return [];
  if (!isEmpty(rawAt(raw, POSITIONS)) || hasPositionsQuery(raw)) return [];
  const kind = Object.entries(SOURCE_KINDS).find(([name]) => name === rawAt(raw, ['source', 'type']));
  const query = kind?.[1].hasPositionsQuery === true ? ', or add source.positions with a query' : '';
  return [{ path: POSITIONS, wrong: 'a person needs positions', remedy: `add [{ unit: … }]${query}` }];
}

function positionsOnce(raw: unknown): readonly Finding[] {
  if (isEmpty(rawAt(raw, POSITIONS)) || !hasPositionsQuery(raw)) return [];
  return [
    { path: POSITIONS, wrong: 'positions come from source.positions too', remedy: 'keep one of the two' },
  ];
}

function tagsOnce(raw: unknown): readonly Finding[] {
  const fields: Path = ['source', 'people', 'fields'];
  const names = rawAt(raw, [...fields, 'tag_names']);
  const isMapped = typeof names === 'object' && names !== null && Object.keys(names).length > 0;
  if (!isMapped || rawAt(raw, [...fields, 'tags']) === undefined) return [];
  const wrong = 'stands beside tags, which the service reads first: the names would be lost';
  return [{ path: [...fields, 'tag_names'], wrong, remedy: 'keep one of the two' }];
}

function hasPositionsQuery(raw: unknown): boolean {
  return rawAt(raw, ['source', 'positions']) !== undefined;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function urlBegins(raw: unknown, scheme: string): boolean {
  const url = rawAt(raw, ['source', 'url']);
  return typeof url === 'string' && url.trim().toLowerCase().startsWith(scheme);
}
