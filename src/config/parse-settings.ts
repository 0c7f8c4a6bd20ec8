import { z } from 'zod';
import { rawAt, type Finding, type Path } from './findings/problem.ts';
import { isCombined, membersIn, type RawJoin, type RawMember } from './members-in.ts';
import { sharedSchema, settingsSchema } from './schema/settings-schema.ts';
import {
  distinctSchema,
  idPrefix,
  joinHead,
  type MemberInput,
  type SourceInput,
} from './schema/source-schema.ts';
import { KINDS, type KindOf, type SourceKind } from '../source/kinds.ts';
import type { DistinctSettings } from '../domain/source-settings.ts';

type Issue = z.core.$ZodIssue;

export interface JoinInput extends Omit<z.output<typeof joinHead>, 'on'> {
  readonly on: readonly (readonly [string, string])[];
  readonly source: MemberInput<SourceKind>;
  readonly lookup: z.output<KindOf<SourceKind>['lookup']>;
}

interface CombinedInput {
  readonly type: 'combined';
  readonly members: readonly {
    readonly name: string | null;
    readonly idPrefix: string;
    readonly source: MemberInput<SourceKind>;
    readonly joins: readonly JoinInput[];
  }[];
  readonly distinct?: DistinctSettings | undefined;
}

export type SettingsInput = z.output<typeof sharedSchema> & {
  readonly source: SourceInput<SourceKind> | CombinedInput;
};

/** What the schema makes of a file: all of it, or what is wrong, with paths of the file. */
export interface Parsed {
  readonly input: SettingsInput | null;
  readonly issues: readonly Issue[];
  readonly findings: readonly Finding[];
}

/** Checks the plain data of a file against the schema. */
export function parseSettings(raw: unknown): Parsed {
  if (isCombined(raw)) return parseCombined(raw);
  const parsed = settingsSchema.safeParse(raw);
  return parsed.success
    ? { input: parsed.data, issues: [], findings: [] }
    : { input: null, issues: parsed.error.issues, findings: [] };
}

function parseCombined(raw: unknown): Parsed {
  const issues: Issue[] = [];
  const { members: written, findings } = membersIn(raw);
  const { source: _source, sources, ...rest } = raw as Readonly<Record<string, unknown>>;
  const settings = checked(sharedSchema, rest, { at: [], issues });
  checked(z.record(z.string(), z.unknown()).optional(), sources, { at: ['sources'], issues });
  const members = written.map((member) => memberInput(member, issues));
  const distinct = distinctIn(raw, issues);
  const wrong = [...findings, ...incomplete(raw, written)];
  const all = members.filter((member) => member !== null);
  if (settings === null || issues.length > 0 || wrong.length > 0)
    return { input: null, issues, findings: wrong };
  return {
    input: { ...settings, source: { type: 'combined', members: all, distinct } },
    issues,
    findings: wrong,
  };
}

interface Checking {
  /** Where the value stands in the file. */
  readonly at: Path | ((path: Path) => Path);
  readonly issues: Issue[];
}

/** Returns the value as the schema has it, or `null`, its problems listed with their paths in the file. */
function checked<S extends z.ZodType>(
  schema: S,
  value: unknown,
  { at, issues }: Checking,
): z.output<S> | null {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const locate = typeof at === 'function' ? at : (path: Path): Path => [...at, ...path];
  for (const issue of parsed.error.issues) {
    const path = issue.path.filter((key) => typeof key !== 'symbol');
    issues.push({ ...issue, path: [...locate(path)] });
  }
  return null;
}

function memberInput(
  { name, idPrefix: prefix, source, parts, at, joins }: RawMember,
  issues: Issue[],
): CombinedInput['members'][number] | null {
  const locate = ([key, ...rest]: Path): Path =>
    key === undefined ? at : [...(parts.get(String(key)) ?? [...at, key]), ...rest];
  const kind = kindOf(source, at, issues);
  if (kind === null) return null;
  const settings = checked(KINDS[kind].member, source, { at: locate, issues });
  const idsBegin = checked(idPrefix, prefix, { at: [...at, 'idPrefix'], issues });
  const joined = joins.map((join) => joinInput(join, issues)).filter((join) => join !== null);
  return settings === null || idsBegin === null
    ? null
    : { name, idPrefix: idsBegin, source: settings, joins: joined };
}

function joinInput({ at, head, lookup, source }: RawJoin, issues: Issue[]): JoinInput | null {
  const kind = kindOf(source, at, issues);
  if (kind === null) return null;
  const member = checked(KINDS[kind].member, source, { at: ['sources', String(head['from'])], issues });
  const checkedLookup = checked(KINDS[kind].lookup, lookup, { at, issues });
  const keys = checked(joinHead, head, { at, issues });
  if (member === null || checkedLookup === null || keys === null) return null;
  return { ...keys, on: Object.entries(keys.on), source: member, lookup: checkedLookup };
}

function kindOf(source: Readonly<Record<string, unknown>>, at: Path, issues: Issue[]): SourceKind | null {
  const names = Object.keys(KINDS) as SourceKind[];
  return checked(z.enum(names), source['type'], { at: [...at, 'type'], issues });
}

function distinctIn(raw: unknown, issues: Issue[]): DistinctSettings | undefined {
  const at: Path = ['source', 'units'];
  const units = rawAt(raw, at);
  if (rawAt(raw, [...at, 'distinct']) === undefined) return undefined;
  const parsed = checked(distinctSchema, units, { at, issues });
  return { separator: parsed?.separator ?? null };
}

/** Finds parts that none of the sources has. */
function incomplete(raw: unknown, members: readonly RawMember[]): readonly Finding[] {
  const has = (part: string): boolean => members.some(({ source }) => source[part] !== undefined);
  const isMade = rawAt(raw, ['source', 'units', 'distinct']) !== undefined;
  return ['units', 'people']
    .filter(
      (part) => !has(part) && !(part === 'units' && isMade) && rawAt(raw, ['source', part]) === undefined,
    )
    .map((part) => ({
      path: ['source', part],
      wrong: 'is missing',
      remedy: 'write from, what to ask there, and fields',
    }));
}
