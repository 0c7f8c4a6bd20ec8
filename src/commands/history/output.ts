import type { HistoryEntry } from '../../domain/ports/history.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import { unitNames } from '../explain/known-record.ts';
import type { Line } from '../../domain/text/line.ts';
import type { Screen } from '../../runtime/screen/screen.ts';
import { writtenEntry } from '../../plan/words/written-entry.ts';
import { CSV_HEAD, csvRows } from './csv-rows.ts';
import { describeEntry } from './describe-entry.ts';

/** What is written to. */
export interface Target {
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

export interface Form {
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
