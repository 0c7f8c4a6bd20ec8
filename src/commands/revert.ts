import { existsSync } from 'node:fs';
import { loadApp, openAppLedger, type App } from '../app.ts';
import { runDry, runLeased, underLease, type RunReport } from '../app/runs.ts';
import { NOBODY_EDITED, type Plan } from '../domain/changes.ts';
import { ConfigError, EXIT } from '../domain/errors.ts';
import type { PlanBook } from '../domain/ports/ledger/plan-book.ts';
import { printable } from '../domain/text/printable.ts';
import { describePlan } from '../plan/words/describe-plan.ts';
import { againLines, leaverLines, revertHead } from '../plan/words/describe-revert.ts';
import type { UnitTree } from '../plan/units/tree.ts';
import { printPlanJson } from './plan.ts';
import { describeRun } from './describe-run.ts';
import { describeReverted } from './revert/describe-reverted.ts';
import { endHold } from './revert/end-hold.ts';
import { oneOf, requireRevertable } from './revert/revertable.ts';
import { stopOnSignals, type Context, type Stop } from './context.ts';

export interface RevertOptions {
  readonly only?: string;
  readonly hold: number;
  readonly approve: readonly string[];
  readonly release?: string;
  readonly all: boolean;
  readonly json: boolean;
  readonly wait: number;
}

const NAMED = 10;
const NO_REST = { missing: 0, edited: NOBODY_EDITED, kept: 0 } as const;

/** Runs `rollcall revert`: shows how a run would be put back or, where that was approved, puts it back. */
export async function revertCommand(
  context: Context,
  run: string | undefined,
  options: RevertOptions,
): Promise<number> {
  requireOne(run, options);
  const { env } = context;
  const app = loadApp({
    configFile: context.configFile(),
    env,
    logTo: 'stderr',
    logsAll: options.approve.length > 0,
  });
  const stop = stopOnSignals();
  try {
    requireLedger(app, run ?? '--release');
    const asked: Asked = { app, context, options, stop, run: run ?? '' };
    if (options.release !== undefined) return await releaseHold(asked, options.release);
    return options.approve.length === 0 ? await show(asked) : await apply(asked);
  } finally {
    await app.service.close();
    stop.release();
  }
}

interface Asked {
  readonly app: App;
  readonly context: Context;
  readonly options: RevertOptions;
  readonly stop: Stop;
  readonly run: string;
}

/** Throws a ConfigError where options exclude each other, or the run is missing. */
function requireOne(run: string | undefined, { release: name, only, approve, hold }: RevertOptions): void {
  if (name === undefined && run === undefined)
    throw new ConfigError('revert: which run? rollcall history shows the ids of runs in brackets');
  if (name !== undefined && (run !== undefined || only !== undefined || approve.length > 0 || hold > 0))
    throw new ConfigError('revert: --release NAME stands alone: leave the run and the other options out');
}

function requireLedger({ settings: { state } }: App, run: string): void {
  if (existsSync(state.path)) return;
  throw new ConfigError(`revert ${printable(run)}: no run has been recorded yet in ${printable(state.path)}`);
}

function waiting({ stop, options }: Asked): Parameters<typeof underLease>[1] {
  return { stop: stop.signal, quit: stop.quit, waitSeconds: options.wait };
}

async function releaseHold(asked: Asked, name: string): Promise<number> {
  const lines = await underLease(asked.app, waiting(asked), (ledger) =>
    Promise.resolve(endHold(ledger, name)),
  );
  asked.context.screen.print(lines);
  return EXIT.done;
}

/** What is asked of the run that puts back. Throws a ConfigError where that cannot be done. */
function requestOf({ app, run, options }: Asked) {
  const ledger = openAppLedger(app, 'read');
  try {
    requireRevertable(ledger, run);
    const only = options.only === undefined ? undefined : oneOf(ledger, run, options.only);
    const revert = { run, only, holdDays: options.hold };
    const approve = options.approve.map((hash) => ({ hash, by: null }));
    return { full: true, trigger: 'command', approve, dryRun: false, revert } as const;
  } finally {
    ledger.close();
  }
}

/** Shows what would be put back. It changes nothing, neither in the service nor in the ledger. */
async function show(asked: Asked): Promise<number> {
  const { app, context, options, stop } = asked;
  const onPlan = (plan: Plan, book: PlanBook, tree: UnitTree): void => {
    if (options.json) printPlanJson(context, plan, book);
    else context.screen.print(planLines(asked, plan, { book, tree }));
  };
  const { error } = await runDry(app, { ...requestOf(asked), onPlan }, stop.signal);
  if (error !== null) throw error;
  return EXIT.done;
}

interface Shown {
  readonly book: PlanBook;
  readonly tree: UnitTree;
}

function* planLines(asked: Asked, plan: Plan, { book, tree }: Shown): ReturnType<typeof describePlan> {
  const { app, context, options } = asked;
  const { paint } = context.screen;
  const { reverts } = plan;
  if (reverts === null) return;
  const words = { paint, atMost: options.all ? Number.POSITIVE_INFINITY : NAMED };
  const command = `${commandOf(asked)} --approve ${plan.hash}`;
  yield* revertHead(reverts, words);
  yield* describePlan({
    plan: ownPart(plan),
    tree,
    book,
    all: options.all,
    leavers: app.settings.sync.leavers,
    paint,
    commands: { apply: null, release: (hash) => `${command} --approve ${hash}` },
  });
  yield* leaverLines(reverts, words);
  yield* againLines(reverts, words);
  if (reverts.back + reverts.holds === 0) yield 'There is nothing to put back: nothing would be sent.';
  else {
    const goes =
      plan.flowing === 0 && plan.held.length > 0 ? 'All of it is held, see above' : 'Apply exactly this with';
    yield `Nothing was sent. ${goes}: ${paint('strong', command)}`;
  }
}

/** Returns the plan without what it says of all the others. */
function ownPart(plan: Plan): Plan {
  return { ...plan, waiting: [], edited: NOBODY_EDITED, kept: [], pinned: [] };
}

/** Returns the command with the options that decide what is put back. */
function commandOf({ run, options: { only, hold } }: Asked): string {
  const words = [
    `rollcall revert ${printable(run)}`,
    ...(only === undefined ? [] : [`--only ${/^[\w.:@-]+$/u.test(only) ? only : `'${printable(only)}'`}`]),
    ...(hold === 0 ? [] : [`--hold ${hold}`]),
  ];
  return words.join(' ');
}

/** Returns whether all that was shown was sent. */
function isWhole({ error, end }: RunReport): boolean {
  return error === null && end.held === 0 && end.failed === 0 && end.blocked === 0;
}

/** Puts back what was shown and approved. */
async function apply(asked: Asked): Promise<number> {
  const { app, context, options } = asked;
  let made: Plan | null = null;
  const onPlan = (plan: Plan): void => void (made = plan);
  const report = await runLeased(app, { ...requestOf(asked), onPlan }, waiting(asked));
  if (report.error !== null && made === null) throw report.error;
  if (options.json) context.out(`${JSON.stringify({ run: report.run, ...report.end })}\n`);
  else context.screen.print(resultLines(asked, report, made));
  return report.exitCode;
}

function* resultLines(asked: Asked, report: RunReport, plan: Plan | null): ReturnType<typeof revertHead> {
  const { context, options } = asked;
  const { paint } = context.screen;
  const reverts = plan?.reverts ?? null;
  if (plan === null || reverts === null) return;
  const words = { paint, atMost: options.all ? Number.POSITIVE_INFINITY : NAMED, isDone: isWhole(report) };
  yield* revertHead(reverts, words);
  yield* leaverLines(reverts, words);
  yield* againLines(reverts, words);
  for (const { guard, hash, count } of plan.held) {
    const release = `${commandOf(asked)} --approve HASH --approve ${hash}`;
    yield `${paint('alarm', 'HELD')} by sync.guard.${guard}: ${count}. What is left has a hash of its own: look at it again, then ${release}`;
  }
  yield report.error === null ? describeReverted(report, paint) : describeRun(report, NO_REST, paint);
  if (report.error !== null && options.hold === 0)
    yield 'What is not put back stays with the source, and the next run lets it decide: to go on, look at this revert again.';
  yield `This is run ${report.run}: rollcall revert takes it as any other.`;
}
