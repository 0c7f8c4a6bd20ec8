import { ConfigError } from '../domain/errors.ts';
import { problemsOf } from '../domain/problems.ts';
import type { HistoryEntry, HistoryQuery, Subject } from '../domain/ports/history.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import { localTime, timeText } from '../domain/text/local-time.ts';
import type { Tone } from '../domain/text/line.ts';
import { printable } from '../domain/text/printable.ts';
import { wordsOf } from '../plan/changes/kinds.ts';
import { changeTexts, type FieldWords } from '../plan/words/describe-change.ts';
import { say } from '../domain/words/say.ts';
import { approverOf } from '../plan/words/written-entry.ts';
import { recordsNamed } from './known-record.ts';

const NAMED_BY: Readonly<Record<Subject, string>> = {
  person: 'A person is named by username or source id',
  unit: 'A unit is named by source id, name or serial number',
};

export const historyProblem = problemsOf(ConfigError, {
  'history-unknown':
    'history: "{name}" is not known. {how}: check the spelling; what is older than state.keepDays is forgotten',
  'history-since':
    'history: --since "{text}" is no time: write a day (2026-11-01), a time (2026-11-01T08:00:00Z), or how long ago (7d, 12h, 10m)',
});

/** Returns the records of this kind that have such a name. Throws a ConfigError if there is none. */
export function recordsOfKind(
  ledger: Ledger,
  subject: Subject,
  text: string,
): NonNullable<HistoryQuery['of']> {
  const ledgerIds = recordsNamed(ledger, text)
    .filter((record) => record.subject === subject)
    .flatMap(({ id }) => (id === null ? [] : [id]));
  const ids = [...new Set([...ledger.history.idsOf(subject, text), ...ledgerIds])];
  if (ids.length > 0) return { subject, ids };
  throw historyProblem('history-unknown', { name: printable(text), how: NAMED_BY[subject] });
}

const MINUTE_MS = 60_000;
const UNITS: Readonly<Record<string, number>> = { d: 1440 * MINUTE_MS, h: 60 * MINUTE_MS, m: MINUTE_MS };

const AGO = /^(\d{1,5})([dhm])$/u;
/** A day, or a time of a day; without a zone it is of `sync.timezone`, as all times that rollcall shows. */
const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/iu;

function agoOf(text: string): number | null {
  const [, count, unit = ''] = AGO.exec(text) ?? [];
  return count === undefined ? null : Number(count) * (UNITS[unit] ?? 0);
}

/** Reads `--since`, and returns ms. Throws a ConfigError for what is no time. */
export function sinceOf(text: string, now: number, timezone: string): number {
  const ago = agoOf(text);
  if (ago !== null) return now - ago;
  const [, day = '', time = '00:00', zone = ''] = TIME.exec(text) ?? [];
  if (!isDay(day)) throw historyProblem('history-since', { text: printable(text) });
  const at = Date.parse(`${day}T${time}${zone.toUpperCase() || 'Z'}`);
  if (Number.isNaN(at)) throw historyProblem('history-since', { text: printable(text) });
  return zone === '' ? localTime(timezone).at(at) : at;
}

/** Returns whether the calendar has the day: 31 February would be read as a day of March. */
function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/** An applied change as a person reads it; every text is safe within a line. */
export interface EntryWords {
  /** To the second. */
  readonly time: string;
  readonly sign: string;
  readonly tone: Tone;
  /** Such as `update person ann (E1)`. */
  readonly title: string;
  /** Why, and who has approved it. */
  readonly why: string;
  readonly fields: readonly string[];
}

/** Ids that directories give, which tell a reader nothing. */
const MADE_ID = /^[\da-f]{8}-[\da-f]{4,8}-[\da-f-]{12,22}$/iu;

export function describeEntry(
  entry: HistoryEntry,
  words: FieldWords,
  ledger: Pick<Ledger, 'people'> | null,
): EntryWords {
  const { at, subject, kind, label, id, why, fields } = entry;
  const called = MADE_ID.test(id)
    ? subject === 'person'
      ? ledger?.people.entry(id)?.sent.fields['name']
      : null
    : id;
  const about = typeof called === 'string' ? ` (${printable(called)})` : '';
  return {
    ...wordsOf(kind),
    time: timeText(at, words.zone, 19),
    title: `${kind} ${subject} ${printable(label)}${about}`,
    why: say(why, words.names) + approvedText(entry),
    fields: changeTexts(fields, { ...words, kind }),
  };
}

function approvedText({ approval }: HistoryEntry): string {
  return approval === null ? '' : `; approved by ${printable(approverOf(approval))}: ${approval.hash}`;
}
