import { ConfigError } from '../domain/errors.ts';
import { lineBreakMark, type SourceMark } from '../domain/reading/source-part.ts';
import type { Source } from '../domain/reading/source.ts';
import type { Settings } from '../domain/settings.ts';
import type { LookupSettings, OneSource, SourceSettings } from '../domain/source-settings.ts';
import { systemClock, type Clock } from '../lib/clock.ts';
import { digest } from '../lib/digest.ts';
import { LookupProblem, readLookupFile, type LookupTable } from '../lib/lookup-file.ts';
import { schemeOf } from '../schema/url-problems.ts';
import { lookupProblem } from './connect/source-problems.ts';
import { kindOf, remediesOf, type SourceKind } from './kinds.ts';
import { decidingTexts } from './records/rule-texts.ts';
import { Refusals } from './connect/refusals.ts';
import { combinedSource } from './combined/combined-source.ts';
import { csvSource } from './csv/csv-source.ts';
import { ldapSource } from './ldap/ldap-source.ts';
import { ExpressionCompiler } from './mapping/expressions/expression.ts';
import type { LookupTables } from './mapping/expressions/function-spec.ts';
import { withPictures } from './pictures/with-pictures.ts';
import type { RowsSource, SourceContext } from './records/source-context.ts';
import { restSource } from './rest/rest-source.ts';
import { scimSource } from './scim/scim-source.ts';
import { databaseSource } from './sql/read/sql-source.ts';

/** How each kind is opened: apart from `kinds.ts`, so that a command that opens no source loads nothing for it. */
const OPENERS: {
  readonly [K in SourceKind]: (settings: never, context: SourceContext) => RowsSource;
} = { ldap: ldapSource, sql: databaseSource, csv: csvSource, scim: scimSource, rest: restSource };

/** What a source needs besides its own settings. */
interface OpenOptions {
  /**
   * Path that the name of a folder for the pictures of logos begins with; without it they are only looked at.
   */
  readonly pictures?: string | null;
  readonly lookups?: Settings['lookups'];
  /** `sync.protect.where`. */
  readonly protect?: string | undefined;
  /** `sync.timezone`; absent: UTC. */
  readonly timezone?: string;
  readonly clock?: Clock;
  /** Gets a password that a command printed, for the log to hide. */
  readonly onSecret?: (secret: string) => void;
  /** Absent: nothing was refused before. */
  readonly refusals?: Refusals;
}

/**
 * Returns the source of the settings, its rules compiled; nothing is contacted yet. Throws a `ConfigError`
 * for what is wrong without asking the source: an expression, a filter, a base that is no DN, a kind of
 * source that is not supported.
 */
export function openSource<S extends OneSource>(from: SourceSettings | S, options: OpenOptions = {}): Source {
  const settings = 'members' in from ? from : onlySource(from);
  const { lookups = {}, protect, clock = systemClock, pictures = null, onSecret } = options;
  const problems: string[] = [];
  const read = readTables(lookups);
  const tables = new Map([...read].map(([name, { values }]) => [name, values]));
  const note = ({ message }: ConfigError): void => void problems.push(message);
  const expressions = new ExpressionCompiler(tables, joinedIn(settings), note, options.timezone);
  const { refusals = new Refusals(() => clock.now()) } = options;
  const context: SourceContext = { expressions, protect, clock, onSecret, refusals };
  const [first] = settings.members;
  const isAlone = first?.name === null && settings.distinct === undefined;
  const source = isAlone ? openOne(first.source, context) : combinedSource(settings, openOne, context);
  if (problems.length > 0) throw new ConfigError([...new Set(problems)]);
  const pictured = 'logo' in source.rules.unit ? withPictures(source, pictures) : source;
  return {
    ...pictured,
    remedies: remediesOf(settings),
    tableMarks: [...read].flatMap(([name, table]) => marksOf(name, table)),
    decides: decidingDigest(settings, tables),
  };
}

/** Returns a source that is alone. */
const onlySource = (source: OneSource): SourceSettings => ({
  members: [{ name: null, idPrefix: '', source, joins: [] }],
});

/** Returns the digest of the rules that decide, and of the tables whose names are in them. */
function decidingDigest(settings: SourceSettings, tables: LookupTables): string {
  const texts = JSON.stringify(decidingIn(settings));
  const read = [...tables].filter(([name]) => texts.includes(name)).map(([name, of]) => [name, [...of]]);
  return digest(JSON.stringify([texts, read]));
}

/** Returns what is asked for, and the rules that decide about people and units as they are written, of each list. */
function decidingIn(settings: SourceSettings): readonly unknown[] {
  return settings.members.map(({ source, joins, ...own }) => [
    own.name,
    ...decidingTexts(source),
    joins.map(({ on, from, missing }) => [on, from, missing]),
  ]);
}

/** Returns the names of sources whose values rules read as `NAME.COLUMN`. */
function joinedIn(settings: SourceSettings): ReadonlySet<string> {
  return new Set(settings.members.flatMap(({ joins }) => joins.map(({ from }) => from)));
}

function openOne(settings: OneSource, context: SourceContext): RowsSource {
  requireScheme(settings);
  const open = OPENERS[settings.type as SourceKind] as (one: OneSource, of: SourceContext) => RowsSource;
  return open(settings, context);
}

function requireScheme(settings: OneSource): void {
  const { schemes } = kindOf(settings);
  const scheme = schemeOf(settings.url ?? '');
  if (schemes !== undefined && !schemes.includes(scheme))
    throw new ConfigError(`source.url: expected one of ${schemes.join(' ')}.`);
}

/** A table of `lookups`; one that stands in the configuration has no lines. */
type Table = Pick<LookupTable, 'values'> & Partial<LookupTable>;

/** Reads the tables of `lookup`; throws a `ConfigError` if a file cannot be used. */
function readTables(lookups: Settings['lookups']): ReadonlyMap<string, Table> {
  return new Map(Object.entries(lookups).map(([name, settings]) => [name, readTable(name, settings)]));
}

function readTable(name: string, settings: LookupSettings): Table {
  if ('values' in settings) {
    const values = Object.entries(settings.values).map(
      ([key, value]) => [key.trim(), String(value).trim()] as const,
    );
    return { values: new Map(values) };
  }
  try {
    return readLookupFile(settings);
  } catch (error) {
    if (!(error instanceof LookupProblem)) throw error;
    throw lookupProblem('lookup-file', { name, why: error.message, remedy: error.remedy }, { cause: error });
  }
}

/** Returns what shows that the file of a table was emptied or cut: its values would change for many people. */
function marksOf(table: string, { values, endsLine }: Table): readonly SourceMark[] {
  if (endsLine === undefined) return [];
  const file = `lookups.${table}.file`;
  const alone = `${file} has its header alone, and had entries at the last read`;
  const value = values.size > 0 ? 'yes' : 'no';
  return [{ name: `${file} entries`, value, behind: alone }, lineBreakMark(file, endsLine)];
}
