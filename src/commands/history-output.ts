import { unitNames } from './explain/known-record.ts';
import type { HistoryEntry } from '../domain/ports/history.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { Line, Paint } from '../domain/text/line.ts';
import { printable, printableText } from '../domain/text/printable.ts';
import { wordsOf } from '../plan/changes/kinds.ts';
import { changeTexts } from '../plan/words/describe-change.ts';
import { nameUnits } from '../plan/words/unit-labels.ts';
import { approverOf, writtenEntry } from '../plan/words/written-entry.ts';
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

export function outputOf(target: Target, ledger: Ledger | null, json: boolean): Output {
  return json ? jsonOutput(target) : textOutput(target, ledger);
}

/** About as much as a pipe takes at once; each write by itself costs more than what it writes. */
const CHUNK = 65_536;

/** One array, an entry on each line. */
function jsonOutput({ out, drained }: Target): Output {
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
