import { ConfigError } from '../../domain/errors.ts';
import { notOneSelect, type SqlTask } from './sql-error.ts';

/** A driver that is installed only if its database is read. */
export interface OptionalDriver {
  /** Name of the npm package. */
  readonly name: string;
  /** What npm is to install. */
  readonly packages: string;
  /** The database, for a person. */
  readonly database: string;
}

/** Loads a driver. Throws a `ConfigError` that says what to install if it is not there. */
export async function loadDriver<D>(driver: OptionalDriver, load: () => Promise<D>): Promise<D> {
  try {
    return await load();
  } catch (cause) {
    const { name, packages, database } = driver;
    throw new ConfigError(
      `source.url: ${database} is read with the optional package ${name}, which cannot be loaded here; install it beside rollcall with npm install ${packages}, or build the image of the container with --build-arg DRIVERS=${name}`,
      { cause },
    );
  }
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u));

/** Reserved words of Transact-SQL that no statement which only reads has. Statements need no semicolon between them. */
export const TRANSACT_CHANGES = words(
  'alter backup begin break bulk checkpoint close commit continue create dbcc deallocate declare delete deny drop ' +
    'dump exec execute goto grant if insert into kill load merge openquery openrowset opendatasource print raiserror ' +
    'readtext reconfigure restore return revert revoke rollback save set shutdown truncate update updatetext use ' +
    'waitfor while writetext',
);

/** The same of Oracle, because one call takes one statement. */
export const ORACLE_CHANGES = words('alter create delete drop grant insert into lock revoke update truncate');

const WORD = /[\p{L}_@#][\p{L}\p{N}_@#$]*/gu;

/**
 * Requires that a query is one statement that only reads, by its words, also those in texts, names and comments: it may
 * refuse needlessly, and a view helps. For engines whose read-only transaction does not stop everything, and whose
 * parser cannot be asked without rights that a reading account lacks. Throws before anything is sent.
 */
export function requireReading(
  task: SqlTask & { readonly query: string },
  changes: ReadonlySet<string>,
): void {
  const query = task.query.replace(/[\s;]+$/u, '');
  if (!/^\s*(?:select|with)\b/iu.test(query)) throw notOneSelect(task, 'it begins with another word');
  if (query.includes(';')) throw notOneSelect(task, 'there is a ; within it');
  const changing = query.match(WORD)?.find((word) => changes.has(word.toLowerCase()));
  if (changing === undefined) return;
  const anywhere = 'also in a text, a name or a comment; a view can have it';
  throw notOneSelect(task, `it has the word ${changing.toUpperCase()}, ${anywhere}`);
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
