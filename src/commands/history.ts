import { counted } from '../domain/text/counted.ts';
import { commandProblem } from './problems.ts';
import { loadSetup, openIfThere, timeNow, type Setup } from '../app/setup.ts';
import type { CommandContext } from './context.ts';
import { describeEntry, recordsOfKind, sinceOf } from '../report/describe-history.ts';
import { unitNames } from '../report/known-record.ts';
import { EXIT } from '../domain/errors.ts';
import type { HistoryQuery } from '../domain/ports/history.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import { printable } from '../domain/text/printable.ts';
import type { Line, Paint } from '../domain/text/line.ts';
import { writtenEntry, type WrittenEntry } from '../plan/words/written-entry.ts';

interface HistoryOptions {
  readonly person?: string;
  readonly unit?: string;
  readonly since?: string;
}

/** Runs `rollcall history`: lists what was applied. It changes nothing and needs no lease. */
export async function historyCommand(context: CommandContext, options: HistoryOptions): Promise<number> {
  if (options.person !== undefined && options.unit !== undefined)
    throw commandProblem('usage-exclusive', { options: 'history: --person and --unit' });
  const since = options.since === undefined ? 0 : sinceOf(options.since, timeNow().time);
  const setup = loadSetup(context);
  const ledger = openIfThere(setup);
  if (ledger === null) return showNoRuns(context, setup, options);
  try {
    const query = { since, of: recordsOf(ledger, options) };
    await context.show({
      data: entriesOf(ledger, query),
      lines: (paint) => historyLines(ledger, query, { paint, zone: setup.settings.sync.timezone }),
    });
    return EXIT.done;
  } finally {
    ledger.close();
  }
}

async function showNoRuns(
  context: CommandContext,
  { settings }: Setup,
  { person, unit }: HistoryOptions,
): Promise<number> {
  const name = person ?? unit;
  const { path } = settings.state;
  if (name !== undefined)
    throw commandProblem('ledger-no-run', {
      verb: 'history',
      path,
      more: `, and "${printable(name)}" is not known`,
    });
  await context.show({
    data: [],
    lines: () => [`no run has been recorded yet in ${path}: there is no history`],
  });
  return EXIT.done;
}

/** Returns the requested records. Throws a ConfigError if no record has such a name. */
function recordsOf(ledger: Ledger, { person, unit }: HistoryOptions): HistoryQuery['of'] {
  if (person !== undefined) return recordsOfKind(ledger, 'person', person);
  return unit === undefined ? null : recordsOfKind(ledger, 'unit', unit);
}

function* entriesOf(ledger: Ledger, query: HistoryQuery): Iterable<WrittenEntry> {
  for (const entry of ledger.history.entries(query)) yield writtenEntry(entry);
}

interface Style {
  readonly paint: Paint;
  readonly zone: string;
}

function* historyLines(ledger: Ledger, query: HistoryQuery, { paint, zone }: Style): Iterable<Line> {
  const { labels: names } = unitNames(ledger);
  let count = 0;
  for (const entry of ledger.history.entries(query)) {
    const { time, sign, tone, title, why, fields } = describeEntry(entry, { names, zone }, ledger);
    yield { head: `${time}  `, text: `${paint(tone, `${sign} ${title}`)}  ${why}  [${entry.run}]` };
    for (const text of fields) yield { head: '    ', text };
    count += 1;
  }
  if (count === 0) yield 'nothing in the history matches: rollcall status shows the last runs';
  else yield* ['', counted(count, 'change')];
}
