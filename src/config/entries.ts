import { asRaw, isRaw, rawAt, type Finding, type Path, type Raw } from '../schema/raw.ts';
import { suggest } from '../lib/suggest.ts';

const PARTS = ['units', 'people', 'positions'] as const;

/** One source as the file has it, put together from its connection and its parts. */
export interface Entry {
  /** Key in `sources`; `null`: the only source. */
  readonly name: string | null;
  readonly idPrefix: unknown;
  /** As a source of its own would be written. */
  readonly source: Raw;
  /** Returns the place in the file of a path in `source`. */
  readonly place: (path: Path) => Path;
  readonly joins: readonly RawJoin[];
}

export interface RawJoin {
  readonly at: Path;
  readonly head: Raw;
  readonly lookup: Raw;
  readonly source: Raw;
}

export interface Entries {
  readonly entries: readonly Entry[];
  readonly findings: readonly Finding[];
}

/** Puts the sources of a file together: from `sources` and the parts of `source`, or from `source` alone. */
export function entriesIn(raw: unknown): Entries {
  const { entries, findings } = isRaw(rawAt(raw, ['sources'])) ? new Several(raw).read() : onlyIn(raw);
  return {
    entries: entries.map((one) => completed(one, raw)),
    findings: [...findings, ...partsNowhere(raw)],
  };
}

const inSource = (path: Path): Path => ['source', ...path];

function onlyIn(raw: unknown): Entries {
  const source = rawAt(raw, ['source']);
  if (!isRaw(source)) return { entries: [], findings: [] };
  return { entries: [{ name: null, idPrefix: '', source, place: inSource, joins: [] }], findings: [] };
}

/** Takes units that are made from values out of a source, and gives its people positions in them if they have none. */
function completed(entry: Entry, raw: unknown): Entry {
  const distinct = rawAt(raw, ['source', 'units', 'distinct']);
  if (distinct === undefined) return entry;
  const { units: made, ...rest } = entry.source;
  const source = isRaw(made) && 'distinct' in made ? rest : entry.source;
  const people = asRaw(source['people']);
  const fields = asRaw(people['fields']);
  const isPlaced = fields['positions'] !== undefined || source['positions'] !== undefined;
  if (source['people'] === undefined || isPlaced) return { ...entry, source };
  const placed = { ...people, fields: { ...fields, positions: [{ unit: distinct }] } };
  return { ...entry, source: { ...source, people: placed } };
}

/** Finds parts that no source has. */
function partsNowhere(raw: unknown): readonly Finding[] {
  if (!isRaw(rawAt(raw, ['source']))) return [];
  const from = rawAt(raw, ['sources']) === undefined ? '' : 'from, ';
  return (['units', 'people'] as const)
    .filter((part) => rawAt(raw, ['source', part]) === undefined)
    .map((part) => ({
      problem: 'config-missing',
      path: ['source', part],
      wrong: 'is missing',
      remedy: `write ${from}what to ask there, and fields`,
    }));
}

interface Building {
  readonly name: string;
  readonly parts: Map<string, Path>;
  readonly source: Record<string, unknown>;
  readonly joins: RawJoin[];
}

/** Reads the parts of a file with several sources. */
class Several {
  readonly #raw: unknown;
  readonly #sources: Raw;
  readonly #built: Building[] = [];
  readonly #used = new Set<string>();
  readonly #findings: Finding[] = [];

  constructor(raw: unknown) {
    this.#raw = raw;
    this.#sources = asRaw(rawAt(raw, ['sources']));
  }

  read(): Entries {
    for (const part of PARTS)
      for (const { path, value } of listAt(this.#raw, ['source', part]))
        if (!('distinct' in value)) this.#take(part, path, value);
    const entries = this.#built.map(({ parts, ...one }) => ({
      ...one,
      idPrefix: rawAt(this.#sources, [one.name, 'idPrefix']) ?? '',
      place: ([key, ...rest]: Path): Path =>
        key === undefined
          ? ['sources', one.name]
          : [...(parts.get(String(key)) ?? ['sources', one.name, key]), ...rest],
    }));
    return { entries, findings: [...this.#findings, ...this.#unread(), ...this.#stray()] };
  }

  #take(part: string, path: Path, { from, join: _join, ...content }: Raw): void {
    const name = this.#named([...path, 'from'], from);
    if (name === null) return;
    const joins = listAt(this.#raw, [...path, 'join']).flatMap((one) => this.#join(one));
    const entry = this.#built.find((one) => one.name === name && !one.parts.has(part)) ?? this.#add(name);
    entry.parts.set(part, path);
    entry.source[part] = content;
    entry.joins.push(...joins);
  }

  #add(name: string): Building {
    const entry = { name, parts: new Map<string, Path>(), source: { ...this.#connection(name) }, joins: [] };
    this.#built.push(entry);
    return entry;
  }

  #connection(name: string): Raw {
    const { idPrefix: _, ...connection } = asRaw(this.#sources[name]);
    return connection;
  }

  /** Returns a join, or none if its source is no name in `sources`. */
  #join({ path, value: { from, on, missing, ...lookup } }: Placed): readonly RawJoin[] {
    const partner = this.#named([...path, 'from'], from);
    if (partner === null) return [];
    const head = { from, on, ...(missing !== undefined && { missing }) };
    return [{ at: path, head, lookup, source: this.#connection(partner) }];
  }

  #named(path: Path, from: unknown): string | null {
    const names = Object.keys(this.#sources);
    if (typeof from === 'string' && names.includes(from)) {
      this.#used.add(from);
      return from;
    }
    const choices = names.join(', ');
    const suggestion = typeof from === 'string' ? suggest(from, names) : undefined;
    const remedy =
      suggestion === undefined ? `name one of sources: ${choices}` : `did you mean ${suggestion}?`;
    const isMissing = from === undefined;
    const wrong = isMissing ? 'is missing' : 'is no name in sources';
    this.#findings.push({ problem: isMissing ? 'config-missing' : 'config-value', path, wrong, remedy });
    return null;
  }

  #unread(): readonly Finding[] {
    const names = Object.keys(this.#sources).filter((name) => !this.#used.has(name));
    return names.map((name) => ({
      problem: 'config-unused',
      path: ['sources', name],
      wrong: 'is read by no part of source',
      remedy: `write from: ${name} there, or remove it`,
    }));
  }

  /** Finds keys of `source` that belong to one of the sources. */
  #stray(): readonly Finding[] {
    const accepted: readonly string[] = PARTS;
    const keys = Object.keys(asRaw(rawAt(this.#raw, ['source']))).filter((key) => !accepted.includes(key));
    return keys.map((key) => ({
      path: ['source', key],
      wrong: 'is given as well as sources',
      remedy: 'move it below the source in sources that it is about',
    }));
  }
}

interface Placed {
  readonly path: Path;
  readonly value: Raw;
}

/** Returns what stands at a path: one mapping, or a list of them, each with its path. */
function listAt(raw: unknown, path: Path): readonly Placed[] {
  const value = rawAt(raw, path);
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [{ path, value: asRaw(value) }];
  return value.map((one: unknown, index) => ({ path: [...path, index], value: asRaw(one) }));
}
