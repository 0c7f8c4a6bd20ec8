import { z } from 'zod';
import { entriesIn, type Entry, type RawJoin } from './entries.ts';
import { crossFindings } from './cross-checks.ts';
import { fileSchema } from './schema/settings-schema.ts';
import { distinctSchema, idPrefix, joinHead, kindSchema } from './schema/source-schema.ts';
import { asRaw, pathsIn, rawAt, withRaw, type Finding, type Path, type Raw } from '../schema/raw.ts';
import type { Settings } from '../domain/settings.ts';
import type { DistinctSettings, JoinSettings, MemberSettings, OneSource } from '../domain/source-settings.ts';
import { KINDS, type SourceKind } from '../source/kinds.ts';
import type { Kind } from '../source/records/kind.ts';

type Issue = z.core.$ZodIssue;

/** What the schema makes of a file: all of it, or what is wrong, with paths of the file. */
export interface Parsed {
  readonly settings: Settings | null;
  readonly issues: readonly Issue[];
  readonly findings: readonly Finding[];
}

/** Returns the file of a value that is exactly one `${file:…}`: a secret is read again whenever it is refused. */
type FileOf = (path: Path) => string | undefined;

/** Checks the plain data of a file, and turns it into the shape of the domain. */
export function parseSettings(raw: unknown, fileOf: FileOf): Parsed {
  return new Parser(fileOf).parse(raw);
}

/** Makes settings of what was checked, once all of the file is known to be right; `null`: it is not. */
type Made<T> = (() => T) | null;

const kindNamed = (type: SourceKind): Kind<unknown, OneSource> =>
  KINDS[type] as unknown as Kind<unknown, OneSource>;

class Parser {
  readonly #fileOf: FileOf;
  readonly #issues: Issue[] = [];

  constructor(fileOf: FileOf) {
    this.#fileOf = fileOf;
  }

  parse(raw: unknown): Parsed {
    const { entries, findings: misplaced } = entriesIn(raw);
    const findings = [...misplaced, ...crossFindings(raw, entries)];
    const file = this.#checked(fileSchema, raw, (path) => path);
    const members = entries.map((entry) => this.#member(entry)).filter((member) => member !== null);
    const distinct = this.#distinct(raw);
    const issues = this.#issues;
    if (file === null || issues.length > 0 || findings.length > 0)
      return { settings: null, issues, findings };
    const { sources: _, ...rest } = file;
    const service = [['token'], ['appToken']].reduce<unknown>(
      (all, path) => this.#rereadable(all, path, ['service']),
      file.service,
    ) as typeof file.service;
    return {
      settings: { ...rest, service, source: { members: members.map((member) => member()), distinct } },
      issues,
      findings,
    };
  }

  /** Returns the value as the schema has it, or `null`, its problems listed with their places in the file. */
  #checked<S extends z.ZodType>(schema: S, value: unknown, place: (path: Path) => Path): z.output<S> | null {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const path = issue.path.filter((key) => typeof key !== 'symbol');
      this.#issues.push({ ...issue, path: [...place(path)] });
    }
    return null;
  }

  #member({ name, idPrefix: prefix, source, place, joins }: Entry): Made<MemberSettings> {
    const own = this.#one(source, place);
    const idsBegin = this.#checked(idPrefix, prefix, () => place(['idPrefix']));
    const joined = joins.map((join) => this.#join(join)).filter((join) => join !== null);
    if (own === null || idsBegin === null) return null;
    return () => ({ name, idPrefix: idsBegin, source: own(), joins: joined.map((join) => join()) });
  }

  #one(source: Raw, place: (path: Path) => Path): Made<OneSource> {
    const type = this.#checked(kindSchema, source['type'], () => place(['type']));
    if (type === null) return null;
    const kind = kindNamed(type);
    const input = this.#checked(kind.member, source, place);
    if (input === null) return null;
    const reread = (one: OneSource, path: Path): OneSource =>
      this.#rereadable(one, path, place([])) as OneSource;
    return () => kind.secrets.flatMap((path) => pathsIn(source, path)).reduce(reread, kind.settings(input));
  }

  #rereadable(value: unknown, path: Path, at: Path): unknown {
    const file = this.#fileOf([...at, ...path]);
    return file === undefined || rawAt(value, path) === undefined ? value : withRaw(value, path, { file });
  }

  #join({ at, head, lookup, source }: RawJoin): Made<JoinSettings> {
    const partner = this.#one(source, (path) => ['sources', String(head['from']), ...path]);
    const keys = this.#checked(joinHead, head, (path) => [...at, ...path]);
    if (partner === null || keys === null) return null;
    const kind = kindNamed(String(source['type']) as SourceKind);
    const asked = this.#checked(kind.lookup, lookup, (path) => [...at, ...path]);
    if (asked === null) return null;
    return () => {
      const settings = partner();
      const rows = kind.ask?.(asked as never, settings) ?? asked;
      return {
        ...keys,
        on: Object.entries(keys.on),
        // The lookup is of the kind of its source.
        partner: (wanted) => ({ ...settings, rows: { ...rows, ...wanted } }),
      };
    };
  }

  #distinct(raw: unknown): DistinctSettings | undefined {
    const at: Path = ['source', 'units'];
    const units = rawAt(raw, at);
    if (asRaw(units)['distinct'] === undefined) return undefined;
    const parsed = this.#checked(distinctSchema, units, (path) => [...at, ...path]);
    return { separator: parsed?.separator ?? null };
  }
}
