import type { LocalTime } from '../../../domain/text/local-time.ts';

/**
 * What counts as a date, in the zone of the configuration unless the text has one:
 * - ISO 8601: `1990-05-01`, `1990-05-01T12:30`, `1990-05-01 12:30:00.5+02:00`, `…Z`, `…+02`
 * - LDAP generalizedTime, RFC 4517, 3.3.13: `19900501120000Z`, `199005011200+0200`, `19900501120000.0Z`; also
 *   `19900501` and `19900501120000`
 * - milliseconds since the epoch: 11 to 13 digits (from 1973), or 8 to 13 with a minus (until 1969); not 12 digits that
 *   are a date as well: `199005011200`
 */
const ISO =
  /^(?<y>\d{4})-(?<mo>\d\d)-(?<d>\d\d)(?:[T ](?<h>\d\d):(?<mi>\d\d)(?::(?<s>\d\d)(?:[.,](?<f>\d{1,9}))?)?(?<z> ?Z| ?UTC| ?[+-]\d\d(?::?\d\d)?)?)?$/i;
const GENERALIZED_TIME =
  /^(?<y>\d{4})(?<mo>\d\d)(?<d>\d\d)(?:(?<h>\d\d)(?:(?<mi>\d\d)(?:(?<s>\d\d)(?:[.,](?<f>\d{1,9}))?)?)?(?<z>Z|[+-]\d\d(?:\d\d)?))?$/i;
const PLAIN_TIME = /^(?<y>\d{4})(?<mo>\d\d)(?<d>\d\d)(?<h>\d\d)(?<mi>\d\d)(?<s>\d\d)$/;
const MILLISECONDS = /^(?:\d{11,13}|-\d{8,13})$/;
/** Minutes as well as milliseconds: which of them is meant, only a pattern can say. */
const EITHER = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d$/;

type DateTexts = Readonly<Record<string, string | undefined>>;

/**
 * Returns milliseconds since the epoch as decimal text; `null`: no date, or one that does not exist (30
 * February).
 *
 * @param local clock of texts that have no zone
 */
export function parseDate(text: string, local: LocalTime): string | null {
  if (EITHER.test(text)) return null;
  if (MILLISECONDS.test(text)) return BigInt(text).toString();
  const parts = (ISO.exec(text) ?? GENERALIZED_TIME.exec(text) ?? PLAIN_TIME.exec(text))?.groups;
  const time = parts === undefined ? null : millisecondsOf(parts, local);
  return time === null ? null : String(time);
}

/**
 * Returns milliseconds since the epoch of a date in parts: year `y`, month `mo`, day `d`, and `h`, `mi`, `s`, `f`, `z`
 * if there are any; `null`: it does not exist.
 */
function millisecondsOf(parts: DateTexts, local: LocalTime): number | null {
  const [year, month, day] = [number(parts['y']), number(parts['mo']), number(parts['d'])];
  const [hour, minute, second] = [number(parts['h']), number(parts['mi']), number(parts['s'])];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  if (hour > 23 || minute > 59 || second > 60) return null;
  const offset = offsetMinutes(parts['z']);
  if (offset === null) return null;
  date.setUTCHours(hour, minute - offset, second, milliseconds(parts['f']));
  return parts['z'] === undefined ? local.at(date.getTime()) : date.getTime();
}

/** Returns minutes east of UTC; `null`: beyond the ±14 hours that exist. */
function offsetMinutes(zone: string | undefined): number | null {
  const text = (zone ?? 'Z').trim();
  if (!/^[+-]/.test(text)) return 0;
  const digits = text.slice(1).replace(':', '');
  const minutes = number(digits.slice(0, 2)) * 60 + number(digits.slice(2, 4) || undefined);
  if (minutes > 14 * 60) return null;
  return text.startsWith('-') ? -minutes : minutes;
}

function milliseconds(fraction: string | undefined): number {
  return number((fraction ?? '0').padEnd(3, '0').slice(0, 3));
}

function number(digits: string | undefined): number {
  return digits === undefined ? 0 : Number(digits);
}

/** What stands for a part of a date in a pattern, the longer ones first. */
const PARTS = [
  ['yyyy', 'y', '\\d{4}'],
  ['yy', 'yy', '\\d{2}'],
  ['MMM', 'month', '[A-Za-z]{3}'],
  ['MM', 'mo', '\\d{2}'],
  ['M', 'mo', '\\d{1,2}'],
  ['dd', 'd', '\\d{2}'],
  ['d', 'd', '\\d{1,2}'],
  ['HH', 'h', '\\d{2}'],
  ['H', 'h', '\\d{1,2}'],
  ['mm', 'mi', '\\d{2}'],
  ['ss', 's', '\\d{2}'],
] as const;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Dates that are numbers: milliseconds since the epoch from a whole number; `days` are those of the zone. */
const COUNTS = {
  /** Windows: steps of 100 ns since 1601. */
  filetime: (count: bigint) => count / 10_000n - 11_644_473_600_000n,
  seconds: (count: bigint) => count * 1_000n,
  milliseconds: (count: bigint) => count,
  days: (count: bigint) => count * 86_400_000n,
} as const satisfies Readonly<Record<string, (count: bigint) => bigint>>;

/** 9999-12-31T23:59:59.999Z, the last moment that CEL knows: what is beyond it never comes. */
const LAST_DAY = 253_402_300_799_999n;
const FIRST_DAY = -62_135_596_800_000n;

/** What PostgreSQL shows for a moment that never comes, and for one that always was (its documentation, 8.5.1.4). */
const INFINITE: Readonly<Record<string, bigint>> = { infinity: LAST_DAY, '-infinity': FIRST_DAY };

export const DATE_COUNTS = Object.keys(COUNTS);

const isCount = (pattern: string): pattern is keyof typeof COUNTS => Object.hasOwn(COUNTS, pattern);

/** Returns whether a text that passed the checks is a pattern, and not a zone. */
export const isDatePattern = (text: string): boolean => text.includes('yy') || isCount(text);

/** Returns what is wrong with a pattern, `null` if nothing. */
export function datePatternProblem(pattern: string): string | null {
  if (isCount(pattern)) return null;
  const known = `write it of ${PARTS.map(([part]) => part).join(' ')} and signs, or one of ${DATE_COUNTS.join(', ')}`;
  const names = partsOf(pattern).flatMap(({ name }) => (name === null ? [] : [name]));
  if (partsOf(pattern).some(({ name, text, quoted }) => name === null && !quoted && /[a-z]/iu.test(text)))
    return `the date pattern ${JSON.stringify(pattern)} has letters that stand for nothing: ${known}, letters in quotes`;
  if (new Set(names).size < names.length) return `the date pattern has a part twice: ${known}`;
  const hasDay = names.includes('d') && (names.includes('mo') || names.includes('month'));
  return hasDay && (names.includes('y') || names.includes('yy'))
    ? null
    : `the date pattern ${JSON.stringify(pattern)} has no day, month and year: ${known}`;
}

/** How a text is read that leaves something open. */
interface DateReading {
  readonly local: LocalTime;
  /** Two-digit years lie before this moment, ms; `null`: they are 1970 to 2069. */
  readonly before: number | null;
}

/** Returns milliseconds since the epoch of what `date()` reads without a pattern; `null`: it is no date. */
export function parseMoment(text: string, local: LocalTime): number | null {
  const time = INFINITE[text] ?? parseDate(text, local);
  return time === null ? null : Number(time);
}

/** Returns milliseconds since the epoch; `null`: the text is not of this pattern, or there is no such day. */
export function parseByPattern(text: string, pattern: string, { local, before }: DateReading): number | null {
  if (isCount(pattern)) {
    const time = ofCount(text, COUNTS[pattern]);
    return time === null || pattern !== 'days' ? time : local.at(time);
  }
  const found = expressionOf(pattern).exec(text)?.groups;
  if (found === undefined) return null;
  const { yy, month, ...parts } = found;
  const index = MONTHS.indexOf(month?.toLowerCase() ?? '');
  if (month !== undefined && index === -1) return null;
  const named = month === undefined ? parts : { ...parts, mo: String(index + 1) };
  return ofYear(named, yy, { local, before });
}

function ofYear(
  named: Readonly<Record<string, string | undefined>>,
  yy: string | undefined,
  { local, before }: DateReading,
): number | null {
  if (yy === undefined) return millisecondsOf(named, local);
  const of = (century: string): number | null => millisecondsOf({ ...named, y: `${century}${yy}` }, local);
  const time = of(Number(yy) < 70 ? '20' : '19');
  return time !== null && before !== null && time > before ? of('19') : time;
}

function ofCount(text: string, toMilliseconds: (count: bigint) => bigint): number | null {
  if (!/^-?\d{1,19}$/u.test(text)) return null;
  const time = toMilliseconds(BigInt(text));
  return time < FIRST_DAY ? null : Number(time > LAST_DAY ? LAST_DAY : time);
}

const compiled = new Map<string, RegExp>();

function expressionOf(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const source = partsOf(pattern).map(({ name, text }) =>
    name === null ? text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&') : `(?<${name}>${text})`,
  );
  const made = new RegExp(`^${source.join('')}$`, 'u');
  compiled.set(pattern, made);
  return made;
}

interface PatternPart {
  /** Name of the part; `null`: a sign that stands for itself. */
  readonly name: string | null;
  readonly text: string;
  readonly quoted: boolean;
}

function partsOf(pattern: string): readonly PatternPart[] {
  const found: PatternPart[] = [];
  for (let rest = pattern; rest !== '';) {
    const part = PARTS.find(([letters]) => rest.startsWith(letters));
    const quoted = /^'(?<inside>[^']*)'/u.exec(rest);
    if (part !== undefined) found.push({ name: part[1], text: part[2], quoted: false });
    else
      found.push({
        name: null,
        text: quoted?.groups?.['inside'] ?? rest.slice(0, 1),
        quoted: quoted !== null,
      });
    rest = rest.slice(part?.[0].length ?? quoted?.[0].length ?? 1);
  }
  return found;
}
