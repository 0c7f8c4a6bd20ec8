import { loadSetup, openIfThere, timeNow, type Setup } from '../app/setup.ts';
import type { CommandContext } from './context.ts';
import { describeEntry, recordsOfKind, sinceOf } from '../report/describe-history.ts';
import { unitNames } from '../report/explain/known-record.ts';
import { ConfigError, EXIT } from '../domain/errors.ts';
import type { HistoryQuery, HistoryEntry } from '../domain/ports/history.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import { printable } from '../domain/text/printable.ts';
import type { Line } from '../domain/text/line.ts';
import { writtenEntry } from '../plan/words/written-entry.ts';

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
  const setup = loadSetup(context);
  const ledger = openIfThere(setup);
  try {
    const output = options.json
      ? jsonOutput(context)
      : textOutput(context, ledger, setup.settings.sync.timezone);
    if (ledger === null) return printNoRuns(setup, options, output);
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

function printNoRuns({ settings }: Setup, options: HistoryOptions, output: Output): number {
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
      const { time, sign, tone, title, why, fields } = describeEntry(entry, { names, zone }, ledger);
      lines.push({ head: `${time}  `, text: `${paint(tone, `${sign} ${title}`)}  ${why}  [${entry.run}]` });
      lines.push(...fields.map((text) => ({ head: '    ', text })));
      if (lines.length < LINES) return WRITTEN;
      print(lines);
      lines = [];
      return drained();
    },
    end: (count, emptyText) =>
      print(count === 0 ? [emptyText] : [...lines, '', count === 1 ? '1 change' : `${count} changes`]),
  };
}
