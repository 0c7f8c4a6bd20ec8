import { commandProblem } from './problems.ts';
import { loadApp, type App } from '../app/app.ts';
import { hasLedger, openAppLedger } from '../app/setup.ts';
import { planDry, runLeased, type DryPlan } from '../app/runs.ts';
import { NO_EDITS, type Blocked, type Plan } from '../domain/changes.ts';
import { ConfigError, EXIT } from '../domain/errors.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { Line, Paint } from '../domain/text/line.ts';
import { listSome, printable } from '../domain/text/printable.ts';
import { shellWord } from '../domain/text/shell.ts';
import { describePlan } from '../plan/words/describe-plan.ts';
import { revertLines } from '../plan/words/describe-left-out.ts';
import { unitLabels } from '../plan/words/unit-labels.ts';
import { commandLineUser } from './command-line-user.ts';
import { stopOnSignals, type CommandContext, type Stop } from './context.ts';
import { describeRun } from './describe-run.ts';
import { totalsNow } from './status.ts';
import { sayThatThisSends } from './sync.ts';
import { recordsNamed } from '../report/known-record.ts';
import { planData } from './plan.ts';

interface RevertOptions {
  readonly only?: string;
  readonly approve: readonly string[];
  readonly all: boolean;
  readonly json: boolean;
  readonly wait: number;
}

const NAMED = 10;

/** Runs `rollcall revert`: shows how a run would be put back or, where that was approved, puts it back. */
export async function revertCommand(
  context: CommandContext,
  run: string | undefined,
  options: RevertOptions,
): Promise<number> {
  if (run === undefined)
    throw commandProblem('usage-missing', {
      what: 'the run, as history shows it in brackets,',
      verb: 'revert',
    });
  const logsAll = options.approve.length > 0;
  const app = loadApp(context, { logTo: 'stderr', logsAll });
  const stop = stopOnSignals();
  try {
    const { path } = app.settings.state;
    if (!hasLedger(app)) throw commandProblem('ledger-no-run', { verb: 'revert', path, more: '' });
    const command: RevertCommand = { app, context, options, stop, run };
    if (options.approve.length === 0) return await show(command);
    await sayThatThisSends(context, app);
    return await apply(command);
  } finally {
    await app.service.close();
    stop.release();
  }
}

interface RevertCommand {
  readonly app: App;
  readonly context: CommandContext;
  readonly options: RevertOptions;
  readonly stop: Stop;
  readonly run: string;
}

type RevertedRecord = Pick<Blocked, 'subject' | 'id' | 'label'>;

const nameOf = ({ subject, id, label }: RevertedRecord): string =>
  `${printable(label)} (${subject}:${printable(id)})`;

/** Returns the one of these records that a text names. Throws a ConfigError where it names none, or several. */
function recordNamed<T extends RevertedRecord>(ledger: Ledger, records: readonly T[], name: string): T {
  const named = recordsNamed(ledger, name);
  const matches = records.filter((record) =>
    named.some(({ subject, id }) => subject === record.subject && id === record.id),
  );
  const [first] = matches;
  if (first !== undefined && matches.length === 1) return first;
  const all = listSome((first === undefined ? records : matches).map(nameOf), { atMost: NAMED });
  const count = first === undefined ? 'none' : matches.length;
  const given = all === '' ? '(there are none)' : all;
  throw commandProblem('revert-several', { name: printable(name), count, records: given });
}

/** What is asked of the run that puts back. Throws a ConfigError where that cannot be done. */
function requestOf({ app, run, options }: RevertCommand) {
  const ledger = openAppLedger(app, 'read');
  try {
    requireKnown(ledger, run);
    const changed = [...ledger.history.entries({ run: run })].map(({ subject, id, label }) => ({
      subject,
      id,
      label,
    }));
    const records = [...new Map(changed.map((record) => [nameOf(record), record])).values()];
    const { only: name } = options;
    const only = name === undefined ? undefined : recordNamed(ledger, records, name);
    const by = commandLineUser(app.env);
    const approve = options.approve.map((hash) => ({ hash, by }));
    return { full: true, trigger: 'command', approve, dryRun: false, revert: { run, only } } as const;
  } finally {
    ledger.close();
  }
}

const LAST_RUNS = 3;

/** Throws a ConfigError where nothing could be put back of a run, or it is not known yet what it did. */
function requireKnown({ runs, lease, history, journal }: Ledger, run: string): void {
  const refused = (why: string): ConfigError =>
    commandProblem('revert-refused', { run: printable(run), why });
  if (runs.find(run)?.endedAt === null && lease.holder() !== null)
    throw refused('it is still under way, or another run is: wait for its end');
  const open = journal.unsettled().filter((call) => call.run === run);
  const doubt = open.flatMap(({ items }) => items).length;
  if (doubt > 0)
    throw refused(
      `it was interrupted, and the result of ${doubt} of its changes is not known yet: rollcall sync finds out`,
    );
  const [first] = history.entries({ run: run });
  if (first !== undefined || history.unproven(run).length > 0) return;
  const [oldest] = history.entries({ since: 0, of: null });
  const since =
    oldest === undefined ? 'is empty' : `begins ${new Date(oldest.at).toISOString().slice(0, 10)}`;
  const last = history.runs(LAST_RUNS).join(', ');
  throw refused(
    `the history, which ${since} (state.keepDays), has nothing of such a run: it is unknown, older, or changed ` +
      `nothing. The last runs that changed something: ${last === '' ? '(none)' : last}`,
  );
}

/** Shows what would be put back. It changes nothing, neither in the service nor in the ledger. */
function show(command: RevertCommand): Promise<number> {
  const { app, context, stop } = command;
  const { revert } = requestOf(command);
  return planDry(
    app,
    stop.signal,
    async (planned) => {
      const data = planData(planned.plan, planned.book);
      await context.show({ data, lines: (paint) => planLines(command, planned, paint) });
      return EXIT.done;
    },
    { full: true, revert },
  );
}

function* planLines(command: RevertCommand, { plan, book, tree }: DryPlan, paint: Paint): Iterable<Line> {
  const { app, options } = command;
  const approve = `${commandOf(command)} --approve ${plan.hash}`;
  yield* headLines(command, plan, paint);
  yield* describePlan({
    // What it says of all the others is no part of it.
    plan: { ...plan, waiting: [], edited: NO_EDITS, kept: [] },
    tree,
    book,
    all: options.all,
    leavers: app.settings.sync.leavers,
    paint,
    commands: { apply: null, release: (hash) => `${approve} --approve ${hash}` },
  });
  if (plan.flowing + plan.held.length === 0) yield 'There is nothing to put back.';
  else yield `Nothing was sent. Apply exactly this with: ${paint('strong', approve)}`;
}

function headLines({ options }: RevertCommand, { reverts, unitNames }: Plan, paint: Paint): Iterable<Line> {
  if (reverts === null) return [];
  const atMost = options.all ? Number.POSITIVE_INFINITY : NAMED;
  return revertLines(reverts, { paint, atMost, more: ' (--all lists them)', labels: unitLabels(unitNames) });
}

/** Returns the command with the options that decide what is put back. */
function commandOf({ run, options: { only } }: RevertCommand): string {
  const parts = [
    `rollcall revert ${printable(run)}`,
    ...(only === undefined ? [] : [`--only ${shellWord(only)}`]),
  ];
  return parts.join(' ');
}

/** Puts back what was shown and approved. */
async function apply(command: RevertCommand): Promise<number> {
  const { app, context, options, stop } = command;
  const plans: Plan[] = [];
  const onPlan = (plan: Plan): void => void plans.push(plan);
  const waiting = { stop: stop.signal, quit: stop.quit, waitSeconds: options.wait };
  const report = await runLeased(app, { ...requestOf(command), onPlan }, waiting);
  const [plan] = plans;
  if (report.error !== null && plan === undefined) throw report.error;
  await context.show({
    data: { run: report.run, ...report.end },
    lines: (paint) =>
      plan === undefined
        ? []
        : [
            ...headLines(command, plan, paint),
            describeRun(report, paint),
            ...(plan.held.length === 0 ? [] : [`${plan.heldChanges} held: ${commandOf(command)}`]),
            ...(report.end.applied === 0
              ? []
              : [`This is run ${report.run}: rollcall revert takes it as any other.`]),
            totalsNow(app, paint),
          ],
  });
  return report.exitCode;
}
