import { EvaluationError } from '@marcbachmann/cel-js';
import { quoted } from '../values/quoted.ts';
import { parseDate } from '../values/dates.ts';
import { DATE_COUNTS, datePatternProblem, parseByPattern } from './date-pattern.ts';
import { specs } from './function-spec.ts';

const DAY_MS = 86_400_000;

/** Functions of dates, all of them in UTC. */
export const DATE_FUNCTIONS = specs({
  date: {
    usage: 'date(text) or date(text, pattern)',
    about:
      'the moment that a text names: ISO 8601, LDAP or milliseconds; otherwise by a pattern of `yyyy yy MM M MMM dd d HH H ' +
      `mm ss\` and signs, or ${DATE_COUNTS.map((name) => `\`${name}\``).join(', ')}`,
    example: {
      expr: "date(born, 'dd.MM.yyyy')",
      record: { born: '29.02.1980' },
      gives: '1980-02-29T00:00:00.000Z',
    },
    takes: [['string'], ['string', 'string']],
    gives: 'google.protobuf.Timestamp',
    method: false,
    written: { 1: datePatternProblem },
    make: () => dateOf,
  },
  daysBetween: {
    usage: 'daysBetween(from, to)',
    about: 'whole days (24 hours) from one moment to another, negative where the other is earlier',
    example: {
      expr: 'daysBetween(now, date(leaves)) <= 14',
      record: { leaves: '2026-11-30' },
      gives: 'true',
    },
    takes: [['google.protobuf.Timestamp', 'google.protobuf.Timestamp']],
    gives: 'int',
    method: false,
    make: () => (from: Date, to: Date) => BigInt(Math.trunc((to.getTime() - from.getTime()) / DAY_MS)),
  },
  monthsBetween: {
    usage: 'monthsBetween(from, to)',
    about: 'whole months from one moment to another, negative where the other is earlier',
    example: { expr: 'monthsBetween(date(joined), now)', record: { joined: '2026-08-24' }, gives: '2' },
    takes: [['google.protobuf.Timestamp', 'google.protobuf.Timestamp']],
    gives: 'int',
    method: false,
    make: () => (from: Date, to: Date) => BigInt(from <= to ? monthsUntil(from, to) : -monthsUntil(to, from)),
  },
});

function dateOf(text: string, pattern?: string): Date {
  if (pattern === undefined) {
    const time = parseDate(text.trim());
    if (time !== null) return new Date(Number(time));
    throw new EvaluationError(
      `date() takes 1990-05-01 or the like, not ${quoted(text)}; other dates by a pattern`,
    );
  }
  const time = parseByPattern(text.trim(), pattern);
  if (time === null)
    throw new EvaluationError(`date() finds no date of the pattern ${pattern} in ${quoted(text)}`);
  return new Date(time);
}

/** Counts a month once its day and time of day are reached: from 31 January to 28 February there is none. */
function monthsUntil(from: Date, to: Date): number {
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const days = to.getUTCDate() - from.getUTCDate();
  const isReached = days > 0 || (days === 0 && timeOfDay(to) >= timeOfDay(from));
  return isReached ? months : months - 1;
}

function timeOfDay(date: Date): number {
  return ((date.getTime() % DAY_MS) + DAY_MS) % DAY_MS;
}
