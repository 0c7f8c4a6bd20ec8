import { ConfigError } from '../../domain/errors.ts';
import { notOneSelect, type SqlTask } from './sql-error.ts';

/** A driver that is installed only where its database is read. */
export interface OptionalDriver {
  /** Name of the npm package. */
  readonly name: string;
  /** What npm is to install. */
  readonly packages: string;
  /** The database, for a person. */
  readonly database: string;
}

/** Loads a driver. Throws a `ConfigError` that says what to install where it is not there. */
export async function loadDriver<D>(driver: OptionalDriver, load: () => Promise<D>): Promise<D> {
  try {
    return await load();
  } catch (cause) {
    const { name, packages, database } = driver;
    throw new ConfigError(
      `source.url: ${database} is read with the optional package ${name}, which cannot be loaded here; install it beside rollcall: npm install ${packages}.`,
      { cause },
    );
  }
}

/** How an engine writes what is no word of a statement. */
interface Lexicon {
  /** Comments, texts and quoted names; one that is not ended reaches to the end. */
  readonly quoted: RegExp;
  /** Reserved words that no statement which only reads has. */
  readonly changing: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u));

const LINE_COMMENT = String.raw`--[^\r\n]*`;
const TEXT = String.raw`'(?:[^']|'')*(?:'|$)`;
const NAME = String.raw`"(?:[^"]|"")*(?:"|$)`;

/**
 * Transact-SQL. Its statements need no semicolon between them, so that every word counts. All of these are
 * reserved: a column that is called so stands in brackets (Reserved keywords, Transact-SQL). Comments are nested
 * there: what is within an inner one is looked at, and can only be refused needlessly.
 */
export const TRANSACT_SQL: Lexicon = {
  quoted: new RegExp([LINE_COMMENT, TEXT, NAME, String.raw`\[(?:[^\]]|\]\])*(?:\]|$)`].join('|'), 'gu'),
  changing: words(
    'alter backup begin break bulk checkpoint close commit continue create dbcc deallocate declare delete deny drop ' +
      'dump exec execute goto grant if insert into kill load merge openquery openrowset opendatasource print raiserror ' +
      'readtext reconfigure restore return revert revoke rollback save set shutdown truncate update updatetext use ' +
      'waitfor while writetext',
  ),
};

/**
 * Oracle. One call takes one statement, so that its first word tells what it is; what is locked or declared
 * within it is refused as well.
 */
export const ORACLE_SQL: Lexicon = {
  quoted: new RegExp(
    [
      LINE_COMMENT,
      String.raw`(?<![\w$#])n?q'\[[\s\S]*?(?:\]'|$)`,
      String.raw`(?<![\w$#])n?q'\{[\s\S]*?(?:\}'|$)`,
      String.raw`(?<![\w$#])n?q'\([\s\S]*?(?:\)'|$)`,
      String.raw`(?<![\w$#])n?q'<[\s\S]*?(?:>'|$)`,
      String.raw`(?<![\w$#])n?q'([^\s[{(<])[\s\S]*?(?:\1'|$)`,
      TEXT,
      NAME,
    ].join('|'),
    'giu',
  ),
  changing: words('alter create delete drop grant insert into lock revoke update truncate'),
};

const WORD = /[\p{L}_@#][\p{L}\p{N}_@#$]*/gu;

/**
 * Requires that a query is one statement that only reads, by its words. For engines whose read-only transaction does
 * not stop everything, and whose parser cannot be asked without rights that a reading account lacks. Throws
 * before anything is sent.
 */
export function requireReading(task: SqlTask & { readonly query: string }, lexicon: Lexicon): void {
  const bare = withoutQuoted(task.query, lexicon).replace(/[\s;]+$/u, '');
  const all = (bare.match(WORD) ?? []).map((word) => word.toLowerCase());
  const [first] = all;
  if (first !== 'select' && first !== 'with')
    throw notOneSelect(task, `it begins with ${first ?? 'no word'}`);
  if (bare.includes(';')) throw notOneSelect(task, 'there is a ; within it');
  if (first === 'with' && (all[1] === 'function' || all[1] === 'procedure')) {
    throw notOneSelect(task, `it declares a ${all[1]}`);
  }
  const changing = all.find((word) => lexicon.changing.has(word));
  if (changing !== undefined) throw notOneSelect(task, `it has the word ${changing.toUpperCase()}`);
}

/** Replaces texts, quoted names and comments, in the order in which they begin. */
function withoutQuoted(query: string, { quoted }: Lexicon): string {
  const block = /\/\*[\s\S]*?\*\//u;
  const either = new RegExp(`${block.source}|${quoted.source}`, quoted.flags);
  return query.replaceAll(either, (piece) => (/^(?:--|\/\*)/u.test(piece) ? ' ' : ' "" '));
}

/** Which clock's parts of a date are read. */
interface Clock {
  day(date: Date): readonly [number, number, number];
  time(date: Date): readonly [number, number, number];
}

export const UTC: Clock = {
  day: (date) => [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()],
  time: (date) => [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()],
};

/** The clock of this process, for drivers that read times without a zone as local ones. */
export const LOCAL: Clock = {
  day: (date) => [date.getFullYear(), date.getMonth() + 1, date.getDate()],
  time: (date) => [date.getHours(), date.getMinutes(), date.getSeconds()],
};

const two = (number: number): string => String(number).padStart(2, '0');

/** Returns `1990-05-01`. */
export function dayOf(date: Date, clock: Clock): string {
  const [year, month, day] = clock.day(date);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

/** Returns `12:30:00`, or `12:30:00.250`. */
export function timeOf(date: Date, clock: Clock): string {
  const fraction = date.getUTCMilliseconds();
  const time = clock.time(date).map(two).join(':');
  return fraction === 0 ? time : `${time}.${String(fraction).padStart(3, '0')}`;
}

/** Returns `1990-05-01 12:30:00`. */
export function momentOf(date: Date, clock: Clock): string {
  return `${dayOf(date, clock)} ${timeOf(date, clock)}`;
}

/** Returns a value of a driver, that is neither absent nor a date, as text: bytes as base64, objects as JSON. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  return Buffer.isBuffer(value) ? value.toString('base64') : JSON.stringify(value);
}
