import { counted } from '../domain/text/counted.ts';
import { commandProblem } from './problems.ts';
import { loadSetup, openIfThere, timeNow, type Setup } from '../app/setup.ts';
import type { CommandContext } from './context.ts';
import { describeEntry, recordsOfKind, sinceOf } from '../report/describe-history.ts';
import { unitNames } from '../report/known-record.ts';
import { runRows } from '../report/describe-run.ts';
import { rowLines, type Row } from '../report/rows.ts';
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
  readonly run?: string;
}

/** Runs `rollcall history`: lists what was applied. It changes nothing and needs no lease. */
export async function historyCommand(context: CommandContext, options: HistoryOptions): Promise<number> {
  if (options.person !== undefined && options.unit !== undefined)
    throw commandProblem('usage-exclusive', { options: 'history: --person and --unit' });
  if (options.run !== undefined && (options.person ?? options.unit ?? options.since) !== undefined)
    throw commandProblem('usage-exclusive', { options: 'history: --run and --person, --unit or --since' });
  const setup = loadSetup(context);
  const { timezone: zone } = setup.settings.sync;
  const since = options.since === undefined ? 0 : sinceOf(options.since, timeNow().time, zone);
  const ledger = openIfThere(setup);
  if (ledger === null) return showNoRuns(context, setup, options);
  try {
    const query =
      options.run === undefined ? { since, of: recordsOf(ledger, options) } : { run: options.run };
    const head = 'run' in query ? runRows(ledger, query.run, zone) : [];
    await context.show({
      data: entriesOf(ledger, query),
      lines: (paint) => historyLines(ledger, query, { paint, zone, head }),
    });
    return EXIT.done;
  } finally {
    ledger.close();
  }
}

async function showNoRuns(
  context: CommandContext,
  { settings }: Setup,
  { person, unit, run }: HistoryOptions,
): Promise<number> {
  const name = person ?? unit ?? run;
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

type Entries = Parameters<Ledger['history']['entries']>[0];

function* entriesOf(ledger: Ledger, query: Entries): Iterable<WrittenEntry> {
  for (const entry of ledger.history.entries(query)) yield writtenEntry(entry);
}

interface Style {
  readonly paint: Paint;
  readonly zone: string;
  readonly head: readonly Row[];
}

const NOTHING = {
  found: 'nothing in the history matches: rollcall status shows the last runs',
  applied: 'the run applied nothing',
} as const;

function* historyLines(ledger: Ledger, query: Entries, { paint, zone, head }: Style): Iterable<Line> {
  if (head.length > 0) yield* [...rowLines(head, paint), ''];
  const { labels: names } = unitNames(ledger);
  let count = 0;
  for (const entry of ledger.history.entries(query)) {
    const { time, sign, tone, title, why, fields } = describeEntry(entry, { names, zone }, ledger);
    yield { head: `${time}  `, text: `${paint(tone, `${sign} ${title}`)}  ${why}  [${entry.run}]` };
    for (const text of fields) yield { head: '    ', text };
    count += 1;
  }
  if (count === 0) yield NOTHING[head.length === 0 ? 'found' : 'applied'];
  else yield* ['', counted(count, 'change')];
}
