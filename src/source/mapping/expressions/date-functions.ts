import { EvaluationError } from '@marcbachmann/cel-js';
import { localTime } from '../../../domain/text/local-time.ts';
import { quoted } from '../values/raw-record.ts';
import {
  DATE_COUNTS,
  datePatternProblem,
  isDatePattern,
  parseByPattern,
  parseMoment,
} from '../values/dates.ts';
import { EmptyInput, specs, type Tools } from './function-spec.ts';

const DAY_MS = 86_400_000;
const TIMESTAMP = 'google.protobuf.Timestamp';
const SPAN = [
  [TIMESTAMP, TIMESTAMP],
  [TIMESTAMP, TIMESTAMP, 'string'],
] as const;

/** Functions of dates. Days are those of `sync.timezone`, or of the zone that an expression names. */
export const DATE_FUNCTIONS = specs({
  date: {
    usage: 'date(text) or date(text, pattern), also with a zone as the last argument',
    about:
      'the moment that a text names, a day its beginning: ISO 8601, LDAP or milliseconds; otherwise by a pattern of `yyyy yy ' +
      `MM M MMM dd d HH H mm ss\` and signs, or ${DATE_COUNTS.map((name) => `\`${name}\``).join(', ')}. Two-digit years are ` +
      '1970 to 2069, of birthdays the last ones that have come; a number beyond the year 9999 is its end, as ' +
      '`infinity` is. An empty text gives nothing, and makes a condition fail',
    example: {
      expr: "date(born, 'dd.MM.yyyy')",
      record: { born: '29.02.1980' },
      gives: '1980-02-29T00:00:00.000Z',
    },
    takes: [['string'], ['string', 'string'], ['string', 'string', 'string']],
    gives: TIMESTAMP,
    method: false,
    written: { 1: (text) => (zoneProblem(text) === null ? null : datePatternProblem(text)), 2: zoneProblem },
    make: dateReader,
  },
  daysBetween: {
    usage: 'daysBetween(from, to) or daysBetween(from, to, zone)',
    about: 'days of the calendar from one moment to another, negative if the other is earlier',
    example: {
      expr: "leaves != '' && daysBetween(now, date(leaves)) <= 14",
      record: { leaves: '2026-11-30' },
      gives: 'true',
    },
    takes: SPAN,
    gives: 'int',
    method: false,
    written: { 2: zoneProblem },
    make: spanOf((from, to) => Math.floor(to / DAY_MS) - Math.floor(from / DAY_MS)),
  },
  monthsBetween: {
    usage: 'monthsBetween(from, to) or monthsBetween(from, to, zone)',
    about: 'whole months from the day of one moment to that of another, negative if the other is earlier',
    example: { expr: 'monthsBetween(date(joined), now)', record: { joined: '2026-08-24' }, gives: '2' },
    takes: SPAN,
    gives: 'int',
    method: false,
    written: { 2: zoneProblem },
    make: spanOf((from, to) => (from <= to ? monthsUntil(from, to) : -monthsUntil(to, from))),
  },
});

/** Returns what is wrong with the name of a zone, `null` if nothing. */
function zoneProblem(name: string): string | null {
  try {
    localTime(name);
    return null;
  } catch {
    return `${JSON.stringify(name)} is no time zone known here: write one as Europe/Berlin`;
  }
}

/** Returns what counts between two moments, of which it gets the times on the wall clock of the zone, ms. */
function spanOf(count: (from: number, to: number) => number) {
  return ({ local }: Tools) =>
    (from: Date, to: Date, zone?: string): bigint => {
      const named = zone === undefined ? local : localTime(zone);
      return BigInt(count(named.wall(from.getTime()), named.wall(to.getTime())));
    };
}

function dateReader({ local, clock, isPast }: Tools) {
  return (text: string, how?: string, zone?: string): Date => {
    if (text.trim() === '') throw new EmptyInput('date()');
    const pattern = how !== undefined && isDatePattern(how) ? how : null;
    const named = zone ?? (pattern === null ? how : undefined);
    const before = isPast === true ? clock.at : null;
    const reading = { local: named === undefined ? local : localTime(named), before };
    const time =
      pattern === null
        ? parseMoment(text.trim(), reading.local)
        : parseByPattern(text.trim(), pattern, reading);
    if (time !== null) return new Date(time);
    throw new EvaluationError(
      pattern === null
        ? `date() takes 1990-05-01 or the like, not ${quoted(text)}; other dates by a pattern`
        : `date() finds no date of the pattern ${pattern} in ${quoted(text)}`,
    );
  };
}

/** Counts a month once its day is reached: from 31 January to 28 February there is none. */
function monthsUntil(from: number, to: number): number {
  const [begin, end] = [new Date(from), new Date(to)];
  const months =
    (end.getUTCFullYear() - begin.getUTCFullYear()) * 12 + end.getUTCMonth() - begin.getUTCMonth();
  return end.getUTCDate() >= begin.getUTCDate() ? months : months - 1;
}
