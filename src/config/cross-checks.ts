import { unusedTables } from './findings/unused-tables.ts';
import { showPath } from './findings/problem.ts';
import { halfAPair, isRaw, rawAt, type Finding, type Path, type Raw } from '../schema/raw.ts';
import { PLACEHOLDER } from '../domain/draft.ts';
import { KINDS } from '../source/kinds.ts';
import type { Kind } from '../source/records/kind.ts';
import type { Entry } from './entries.ts';

/**
 * Returns problems that only several keys together show. The checks read plain data, which may have other
 * mistakes, so that all problems are reported together.
 */
export function crossFindings(raw: unknown, entries: readonly Entry[]): readonly Finding[] {
  return [
    ...entries.flatMap((entry, index) => [
      ...ofEntry(entry),
      ...positionsSomewhere(raw, entry),
      ...positionsTwice(raw, entry),
      ...groupsTwice(entry, entries.slice(0, index)),
      ...entry.joins.flatMap(({ source, head }) =>
        ofConnection(source).map((one) => ({ ...one, path: ['sources', String(head['from']), ...one.path] })),
      ),
    ]),
    ...halfAPair(raw, ['service', 'tls'], CERTIFICATE),
    ...unusedTables(raw),
    ...approvalsNeedHttp(raw),
    ...placeholderFindings(raw),
  ];
}

const CERTIFICATE = ['certFile', 'keyFile'] as const;

const kindOf = ({ type }: Raw): Kind<unknown, never> | undefined =>
  Object.entries(KINDS).find(([name]) => name === type)?.[1] as unknown as Kind<unknown, never> | undefined;

/** Returns what is wrong with a source, with the places in the file. */
function ofEntry({ source, place }: Entry): readonly Finding[] {
  const findings = [...ofConnection(source), ...tagsTwice(source)];
  return findings.map((one) => ({ ...one, path: place(one.path) }));
}

const ofConnection = (source: Raw): readonly Finding[] => [
  ...(kindOf(source)?.findings?.(source) ?? []),
  ...halfAPair(source, ['tls'], CERTIFICATE),
];

function tagsTwice(source: Raw): readonly Finding[] {
  const fields: Path = ['people', 'fields'];
  const names = rawAt(source, [...fields, 'tag_names']);
  const isMapped = isRaw(names) && Object.keys(names).length > 0;
  if (!isMapped || rawAt(source, [...fields, 'tags']) === undefined) return [];
  const wrong = 'is given as well as tags, which the service reads first: the names would be lost';
  return [{ path: [...fields, 'tag_names'], wrong, remedy: 'keep one of the two' }];
}

const POSITIONS: Path = ['people', 'fields', 'positions'];

const hasPositions = (raw: unknown): boolean => rawAt(raw, ['source', 'positions']) !== undefined;

function positionsSomewhere(raw: unknown, { name, source, place }: Entry): readonly Finding[] {
  const positions = rawAt(source, POSITIONS);
  if (hasPositions(raw) || !isRaw(rawAt(source, ['people', 'fields'])) || !isEmpty(positions)) return [];
  const kind = kindOf(source);
  if (positions === undefined && kind?.hasUsualPositions?.(source) === true) return [];
  const remedy = `add [{ unit: … }]${name === null ? orRowsOf(kind) : ', or add source.positions'}`;
  return [{ problem: 'config-missing', path: place(POSITIONS), wrong: 'a person needs positions', remedy }];
}

function orRowsOf(kind: ReturnType<typeof kindOf>): string {
  const from = kind?.positionsFrom ?? null;
  return from === null ? '' : `, or add source.positions with ${from}`;
}

function positionsTwice(raw: unknown, { place }: Entry): readonly Finding[] {
  const path = place(POSITIONS);
  if (!hasPositions(raw) || isEmpty(rawAt(raw, path))) return [];
  return [{ path, wrong: 'positions come from source.positions too', remedy: 'keep one of the two' }];
}

/** Finds groups with members that are read twice from one directory. */
function groupsTwice({ name, source, place }: Entry, before: readonly Entry[]): readonly Finding[] {
  const path: Path = ['units', 'members'];
  const isSecond = before.some((one) => one.name === name && rawAt(one.source, path) !== undefined);
  if (!isSecond || rawAt(source, path) === undefined) return [];
  const wrong = 'stands a second time for one directory';
  return [{ path: place(path), wrong, remedy: 'write one entry with a list of bases' }];
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Finds approvals without http: the service could not deliver an answer. */
function approvalsNeedHttp(raw: unknown): readonly Finding[] {
  const path: Path = ['approvals'];
  if (rawAt(raw, path) === undefined || rawAt(raw, ['http']) !== undefined) return [];
  return [
    { path, wrong: 'needs http, to which the service calls', remedy: 'add http: { listen: 0.0.0.0:8080 }' },
  ];
}

const REMEDIES: Readonly<Record<string, string>> = {
  'service.baseUrl': 'write the address of the service, as https://im.example.com',
  'service.domainId': 'write the id of your domain in the service',
  'service.orgCode': 'write the code of your organization in the service',
};

/** Finds placeholders of `rollcall init` that are not filled in yet. */
function placeholderFindings(raw: unknown): readonly Finding[] {
  return placeholdersIn(raw, []).map((path) => ({
    problem: 'config-placeholder',
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
