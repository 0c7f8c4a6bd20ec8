import type { LocalTime } from '../../../domain/text/local-time.ts';
import { millisecondsOf } from '../values/dates.ts';

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
export interface Reading {
  readonly local: LocalTime;
  /** Two-digit years lie before this moment, ms; `null`: they are 1970 to 2069. */
  readonly before: number | null;
}

/** Returns milliseconds since the epoch; `null`: the text is not of this pattern, or there is no such day. */
export function parseByPattern(text: string, pattern: string, { local, before }: Reading): number | null {
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
  { local, before }: Reading,
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

interface Part {
  /** Name of the part; `null`: a sign that stands for itself. */
  readonly name: string | null;
  readonly text: string;
  readonly quoted: boolean;
}

function partsOf(pattern: string): readonly Part[] {
  const found: Part[] = [];
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
