import { rawAt, type Finding, type Path } from './findings/problem.ts';
import { suggest } from '../lib/suggest.ts';

const PARTS = ['units', 'people', 'positions'] as const;

type Raw = Readonly<Record<string, unknown>>;

/** One source as the file has it, put together from its connection and its parts. */
export interface RawMember {
  /** Key in `sources`; `null`: the only source. */
  readonly name: string | null;
  readonly idPrefix: unknown;
  /** As a source of its own would be written. */
  readonly source: Raw;
  /** Where the file has each part; everything else stands at `at`. */
  readonly parts: ReadonlyMap<string, Path>;
  readonly at: Path;
  readonly joins: readonly RawJoin[];
}

export interface RawJoin {
  readonly at: Path;
  readonly head: Raw;
  readonly lookup: Raw;
  readonly source: Raw;
}

interface RawMembers {
  readonly members: readonly RawMember[];
  readonly findings: readonly Finding[];
}

/** Returns whether the file has several sources, or units that are made from values. */
export function isCombined(raw: unknown): boolean {
  return rawAt(raw, ['sources']) !== undefined || rawAt(raw, ['source', 'units', 'distinct']) !== undefined;
}

/** Puts the sources of a file together from `sources` and the parts of `source`. */
export function membersIn(raw: unknown): RawMembers {
  const sources = rawAt(raw, ['sources']);
  return isRaw(sources) ? severalIn(raw, sources) : onlyIn(raw);
}

/** Returns a source whose units are made from values. */
function onlyIn(raw: unknown): RawMembers {
  const { units, ...source } = asRaw(rawAt(raw, ['source']));
  const parts = new Map<string, Path>(PARTS.map((part) => [part, ['source', part]]));
  const completed = withPositions(source, asRaw(units));
  const member = { name: null, idPrefix: '', source: completed, parts, at: ['source'], joins: [] };
  return { members: [member], findings: [] };
}

interface Building {
  readonly name: string;
  readonly parts: Map<string, Path>;
  readonly source: Record<string, unknown>;
  readonly joins: RawJoin[];
}

function severalIn(raw: unknown, sources: Raw): RawMembers {
  const findings: Finding[] = [];
  const built: Building[] = [];
  const used = new Set<string>();
  const take = (path: Path, from: unknown): string | null => {
    const finding = unknownSource(path, from, Object.keys(sources));
    if (finding !== null) findings.push(finding);
    else used.add(String(from));
    return finding === null ? String(from) : null;
  };
  for (const part of PARTS) {
    for (const { path, value } of listAt(raw, ['source', part])) {
      if (part === 'units' && 'distinct' in value) continue;
      const { from, join: _join, ...content } = value;
      const name = take([...path, 'from'], from);
      if (name === null) continue;
      const joins = listAt(raw, [...path, 'join']).flatMap((one) => joinIn(one, sources, take));
      const member =
        built.find((one) => one.name === name && !one.parts.has(part)) ?? added(built, name, sources);
      member.parts.set(part, path);
      member.source[part] = content;
      member.joins.push(...joins);
    }
  }
  for (const name of Object.keys(sources)) {
    if (used.has(name)) continue;
    findings.push({
      path: ['sources', name],
      wrong: 'is read by no part of source',
      remedy: `write from: ${name} there, or remove it`,
    });
  }
  const distinct = asRaw(rawAt(raw, ['source', 'units']));
  const members = built.map(({ name, parts, source, joins }) => ({
    name,
    idPrefix: rawAt(sources, [name, 'idPrefix']) ?? '',
    source: 'distinct' in distinct ? withPositions(source, distinct) : source,
    parts,
    at: ['sources', name],
    joins,
  }));
  return { members, findings: [...findings, ...strayKeys(raw)] };
}

/** Returns a join, or none if its source is no name in `sources`. */
function joinIn(
  { path, value }: { readonly path: Path; readonly value: Raw },
  sources: Raw,
  take: (path: Path, from: unknown) => string | null,
): readonly RawJoin[] {
  const { from, on, missing, shared, ...lookup } = value;
  const partner = take([...path, 'from'], from);
  if (partner === null) return [];
  const choices = { ...(missing !== undefined && { missing }), ...(shared !== undefined && { shared }) };
  return [{ at: path, head: { from, on, ...choices }, lookup, source: connectionOf(sources, partner) }];
}

/** Finds keys of `source` that belong to one of the sources. */
function strayKeys(raw: unknown): readonly Finding[] {
  const accepted: readonly string[] = PARTS;
  return Object.keys(asRaw(rawAt(raw, ['source'])))
    .filter((key) => !accepted.includes(key))
    .map((key) => ({
      path: ['source', key],
      wrong: 'is given as well as sources',
      remedy: 'move it below the source in sources that it is about',
    }));
}

function added(built: Building[], name: string, sources: Raw): Building {
  const member = {
    name,
    parts: new Map<string, Path>(),
    source: { ...connectionOf(sources, name) },
    joins: [],
  };
  built.push(member);
  return member;
}

function connectionOf(sources: Raw, name: string): Raw {
  const { idPrefix: _, ...connection } = asRaw(sources[name]);
  return connection;
}

/** Gives people positions if they have none: in the unit of their value. */
function withPositions(source: Raw, units: Raw): Raw {
  const people = asRaw(source['people']);
  const fields = asRaw(people['fields']);
  if (
    source['people'] === undefined ||
    fields['positions'] !== undefined ||
    source['positions'] !== undefined
  )
    return source;
  const positions = [{ unit: units['distinct'] }];
  return { ...source, people: { ...people, fields: { ...fields, positions } } };
}

function unknownSource(path: Path, from: unknown, names: readonly string[]): Finding | null {
  if (typeof from === 'string' && names.includes(from)) return null;
  const choices = names.join(', ');
  if (from === undefined) return { path, wrong: 'is missing', remedy: `name one of sources: ${choices}` };
  const suggestion = typeof from === 'string' ? suggest(from, names) : undefined;
  const remedy = suggestion === undefined ? `name one of ${choices}` : `did you mean ${suggestion}?`;
  return { path, wrong: 'is no name in sources', remedy };
}

/** Returns what stands at a path: one mapping, or a list of them, each with its path. */
function listAt(raw: unknown, path: Path): readonly { readonly path: Path; readonly value: Raw }[] {
  const value = rawAt(raw, path);
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [{ path, value: asRaw(value) }];
  return value.map((one: unknown, index) => ({ path: [...path, index], value: asRaw(one) }));
}

const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asRaw = (value: unknown): Raw => (isRaw(value) ? value : {});
