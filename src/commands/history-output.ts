import { unitNames } from './explain/known-record.ts';
import type { HistoryEntry } from '../domain/ports/history.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { FieldValue } from '../domain/records/fields.ts';
import type { Line, Paint } from '../domain/text/line.ts';
import { escapeHidden, printable, printableText } from '../domain/text/printable.ts';
import { wordsOf } from '../plan/changes/kinds.ts';
import { changeTexts } from '../plan/words/describe-change.ts';
import { nameUnits } from '../plan/words/unit-labels.ts';
import { approverOf, writtenEntry, type WrittenEntry } from '../plan/words/written-entry.ts';
import type { Screen } from '../runtime/screen.ts';

/** What is written to. */
interface Target {
  readonly out: (text: string) => void;
  readonly drained: () => Promise<boolean>;
  readonly screen: Screen;
}

/** Where entries go, one after the other. */
export interface Output {
  /** Writes an entry; returns `false` where nobody reads on. */
  entry(entry: HistoryEntry): Promise<boolean>;
  /** @param none what is said to a person where there was no entry */
  end(count: number, none: string): void;
}

interface Form {
  readonly json: boolean;
  readonly csv: boolean;
}

export function outputOf(target: Target, ledger: Ledger | null, { json, csv }: Form): Output {
  if (json) return jsonOutput(target);
  return csv ? csvOutput(target) : textOutput(target, ledger);
}

/** One array, an entry on each line. */
function jsonOutput(target: Target): Output {
  let isFirst = true;
  const spell = (entry: HistoryEntry): string => {
    const before = isFirst ? '[\n' : ',\n';
    isFirst = false;
    return `${before}${JSON.stringify(writtenEntry(entry))}`;
  };
  return inChunks(target, spell, () => (isFirst ? '[]\n' : '\n]\n'));
}

function csvOutput(target: Target): Output {
  target.out(CSV_HEAD);
  return inChunks(
    target,
    (entry) => csvRows(writtenEntry(entry)),
    () => '',
  );
}

/** About as much as a pipe takes at once; each write by itself costs more than what it writes. */
const CHUNK = 65_536;

/** Writes the text of many entries at a time. */
function inChunks(
  { out, drained }: Target,
  spell: (entry: HistoryEntry) => string,
  spellEnd: () => string,
): Output {
  let chunk = '';
  return {
    entry(entry) {
      chunk += spell(entry);
      if (chunk.length < CHUNK) return WRITTEN;
      out(chunk);
      chunk = '';
      return drained();
    },
    end: () => out(chunk + spellEnd()),
  };
}

const WRITTEN = Promise.resolve(true);
const LINES = 500;

function textOutput({ screen, drained }: Target, ledger: Ledger | null): Output {
  const { paint, print } = screen;
  const { labels: names } = unitNames(ledger);
  let lines: Line[] = [];
  return {
    entry(entry) {
      lines.push(...describeEntry(entry, { names, paint }));
      if (lines.length < LINES) return WRITTEN;
      print(lines);
      lines = [];
      return drained();
    },
    end: (count, none) =>
      print(count === 0 ? [none] : [...lines, '', count === 1 ? '1 change' : `${count} changes`]),
  };
}

const COLUMNS = [
  'at',
  'run',
  'subject',
  'id',
  'name',
  'kind',
  'field',
  'before',
  'after',
  'cause',
  'guard',
  'approval',
  'approver',
] as const;

type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

export const CSV_HEAD = `${COLUMNS.join(',')}\r\n`;

/** Returns the rows of an entry, RFC 4180: one for each field, or one without a field. */
export function csvRows({ fields, ...entry }: WrittenEntry): string {
  const of = fields.length === 0 ? [{ field: '', before: null, after: null }] : fields;
  return of
    .map(({ field, before, after }) =>
      rowOf({ ...entry, field, before: spelledValue(before), after: spelledValue(after) }),
    )
    .join('');
}

function rowOf({ guard, approval, approver, ...known }: Omit<WrittenEntry, 'fields'> & Spelled): string {
  const row: Row = { ...known, guard: guard ?? '', approval: approval ?? '', approver: approver ?? '' };
  return `${COLUMNS.map((column) => cell(row[column])).join(',')}\r\n`;
}

interface Spelled {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

function spelledValue(value: FieldValue | null): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Before what a spreadsheet may take for a formula, in any width: at the beginning of a cell, also of one that begins
 * after a semicolon, which separates cells in many countries.
 */
const FORMULA = /(?<=^|;)(?=\s*[=＝﹦⁼₌+＋﹢⁺₊@＠﹫−⁻₋\p{Pd}])/gu;

/** Returns a cell of one line that no spreadsheet calculates and no terminal obeys, quoted if it has to be. */
function cell(text: string): string {
  const safe = escapeHidden(text).replaceAll(FORMULA, "'");
  return /[",;]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

interface EntryWords {
  /** Names of units by source id. */
  readonly names: ReadonlyMap<string, string>;
  readonly paint: Paint;
}

const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Returns an entry for a person: a line of the change, then a line for each field. */
function describeEntry(entry: HistoryEntry, { names, paint }: EntryWords): readonly Line[] {
  const { at, subject, kind, label, id, run, why, fields } = entry;
  const { sign, tone } = wordsOf(kind);
  const what = paint(tone, `${sign} ${kind} ${subject} ${printable(label)} (${printable(id)})`);
  const head = `${time(at)}  `;
  const text = `${what}  ${printableText(nameUnits(why, names))}${approvedText(entry)}  [${run}]`;
  return [{ head, text }, ...changeTexts(fields, names).map((line) => ({ head: '    ', text: line }))];
}

function approvedText({ approval, guard }: HistoryEntry): string {
  if (approval === null) return '';
  const held = guard === null ? '' : ` (sync.guard.${guard})`;
  return `; approved by ${printable(approverOf(approval))}: ${approval.hash}${held}`;
}
