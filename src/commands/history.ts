import { existsSync } from 'node:fs';
import { openAppLedger, timeNow, type App } from '../app.ts';
import { appOf, type CommandContext } from './context.ts';
import { recordsNamed, unitNames } from './explain/known-record.ts';
import { ConfigError, EXIT } from '../domain/errors.ts';
import type { HistoryQuery, Subject, HistoryEntry } from '../domain/ports/history.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import { printable, printableText } from '../domain/text/printable.ts';
import type { Line, Paint } from '../domain/text/line.ts';
import { wordsOf } from '../plan/changes/kinds.ts';
import { changeTexts, type FieldWords } from '../plan/words/describe-change.ts';
import { nameUnits } from '../plan/words/unit-labels.ts';
import { approverOf, writtenEntry } from '../plan/words/written-entry.ts';

export interface HistoryOptions {
  readonly person?: string;
  readonly unit?: string;
  readonly since?: string;
  readonly json: boolean;
}

/** Runs `rollcall history`: lists what was applied. It changes nothing and needs no lease. */
export async function historyCommand(context: CommandContext, options: HistoryOptions): Promise<number> {
  requireOne(options);
  const since = options.since === undefined ? 0 : sinceOf(options.since, timeNow().time);
  const app = appOf(context, 'stderr');
  const ledger = existsSync(app.settings.state.path) ? openAppLedger(app, 'read') : null;
  try {
    const output = options.json
      ? jsonOutput(context)
      : textOutput(context, ledger, app.settings.sync.timezone);
    if (ledger === null) return printNoRuns(app, options, output);
    await list(ledger, { since, of: recordsOf(ledger, options) }, output);
    return EXIT.done;
  } finally {
    ledger?.close();
  }
}

/** Throws a ConfigError where options exclude each other. */
function requireOne({ person, unit }: HistoryOptions): void {
  if (person !== undefined && unit !== undefined)
    throw new ConfigError('history: --person and --unit exclude each other: leave one of them out.');
}

function printNoRuns({ settings }: App, options: HistoryOptions, output: Output): number {
  const name = options.person ?? options.unit;
  const noRuns = `no run has been recorded yet in ${settings.state.path}`;
  if (name !== undefined) throw new ConfigError(`history: ${noRuns}, and "${printable(name)}" is not known`);
  output.end(0, `${noRuns}: there is no history`);
  return EXIT.done;
}

/** Writes entry by entry, so that no number of them fills the memory. */
async function list(ledger: Ledger, query: HistoryQuery, output: Output): Promise<void> {
  let count = 0;
  for (const entry of ledger.history.entries(query)) {
    count += 1;
    if (!(await output.entry(entry))) return;
  }
  output.end(count, 'nothing in the history matches: rollcall status shows the last runs');
}

/** Returns the requested records. Throws a ConfigError if no record has such a name. */
function recordsOf(ledger: Ledger, { person, unit }: HistoryOptions): HistoryQuery['of'] {
  if (person !== undefined) return recordsOfKind(ledger, 'person', person);
  return unit === undefined ? null : recordsOfKind(ledger, 'unit', unit);
}

const NAMED_BY: Readonly<Record<Subject, string>> = {
  person: 'A person is named by username or source id',
  unit: 'A unit is named by source id, name or serial number',
};

function recordsOfKind(ledger: Ledger, subject: Subject, text: string): NonNullable<HistoryQuery['of']> {
  const ledgerIds = recordsNamed(ledger, text)
    .filter((record) => record.subject === subject)
    .flatMap(({ id }) => (id === null ? [] : [id]));
  const ids = [...new Set([...ledger.history.idsOf(subject, text), ...ledgerIds])];
  if (ids.length > 0) return { subject, ids };
  throw new ConfigError(
    `history: "${printable(text)}" is not known. ${NAMED_BY[subject]}: check the spelling; what is older than ` +
      'state.keepDays is forgotten',
  );
}

const MINUTE_MS = 60_000;
const UNITS: Readonly<Record<string, number>> = { d: 1440 * MINUTE_MS, h: 60 * MINUTE_MS, m: MINUTE_MS };

const AGO = /^(\d{1,5})([dhm])$/u;
/** A day, or a time of a day; without a zone it is UTC, as all times that rollcall shows. */
const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/iu;

/** Reads `--since`, and returns ms. Throws a ConfigError for what is no time. */
export function sinceOf(text: string, now: number): number {
  const [, count, unit] = AGO.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return now - Number(count) * (UNITS[unit] ?? 0);
  const [, day = '', time = '00:00', zone = 'Z'] = TIME.exec(text) ?? [];
  const at = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
  if (!Number.isNaN(at) && isDay(day)) return at;
  throw new ConfigError(
    `history: --since "${printable(text)}" is no time: write a day (2026-11-01), a time (2026-11-01T08:00:00Z), ` +
      'or how long ago (7d, 12h, 10m)',
  );
}

/** Returns whether the calendar has the day: 31 February would be read as a day of March. */
function isDay(day: string): boolean {
  return new Date(`${day}T00:00Z`).toISOString().startsWith(day);
}

/** Where entries go, one after the other. */
interface Output {
  /** Writes an entry; returns `false` if the reader has closed the output. */
  entry(entry: HistoryEntry): Promise<boolean>;
  /** @param emptyText what is said to a person where there was no entry */
  end(count: number, emptyText: string): void;
}

/** About as much as a pipe takes at once; each write by itself costs more than what it writes. */
const CHUNK = 65_536;

/** One array, an entry on each line. */
function jsonOutput({ out, drained }: CommandContext): Output {
  let chunk = '[\n';
  let separator = '';
  return {
    entry(entry) {
      chunk += `${separator}${JSON.stringify(writtenEntry(entry))}`;
      separator = ',\n';
      if (chunk.length < CHUNK) return WRITTEN;
      out(chunk);
      chunk = '';
      return drained();
    },
    end: (count) => out(count === 0 ? '[]\n' : `${chunk}\n]\n`),
  };
}

const WRITTEN = Promise.resolve(true);
const LINES = 500;

function textOutput({ screen, drained }: CommandContext, ledger: Ledger | null, zone: string): Output {
  const { paint, print } = screen;
  const { labels: names } = unitNames(ledger);
  let lines: Line[] = [];
  return {
    entry(entry) {
      lines.push(...describeEntry(entry, { names, zone, paint }));
      if (lines.length < LINES) return WRITTEN;
      print(lines);
      lines = [];
      return drained();
    },
    end: (count, emptyText) =>
      print(count === 0 ? [emptyText] : [...lines, '', count === 1 ? '1 change' : `${count} changes`]),
  };
}

interface EntryContext extends FieldWords {
  readonly paint: Paint;
}

const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Returns an entry for a person: a line of the change, then a line for each field. */
function describeEntry(entry: HistoryEntry, context: EntryContext): readonly Line[] {
  const { names, paint } = context;
  const { at, subject, kind, label, id, run, why, fields } = entry;
  const { sign, tone } = wordsOf(kind);
  const title = paint(tone, `${sign} ${kind} ${subject} ${printable(label)} (${printable(id)})`);
  const head = `${time(at)}  `;
  const text = `${title}  ${printableText(nameUnits(why, names))}${approvedText(entry)}  [${run}]`;
  const lines = changeTexts(fields, { ...context, kind });
  return [{ head, text }, ...lines.map((line) => ({ head: '    ', text: line }))];
}

function approvedText({ approval, guard }: HistoryEntry): string {
  if (approval === null) return '';
  const guardText = guard === null ? '' : ` (sync.guard.${guard})`;
  return `; approved by ${printable(approverOf(approval))}: ${approval.hash}${guardText}`;
}
