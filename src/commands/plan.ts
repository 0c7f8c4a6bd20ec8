import { randomBytes } from 'node:crypto';
import { loadApp, fileProblem } from '../app/app.ts';
import { bindingOf, requireFree, timeNow } from '../app/setup.ts';
import { runDry } from '../app/runs.ts';
import { stopOnSignals, type CommandContext } from './context.ts';
import type { Plan } from '../domain/changes.ts';
import { ConfigError, EXIT } from '../domain/errors.ts';
import type { PlanBook } from '../domain/ports/ledger/plan-book.ts';
import { printable } from '../domain/text/printable.ts';
import { say } from '../domain/words/say.ts';
import { replaceFile, targetProblem } from '../lib/replace-file.ts';
import { planPage, type PageInput } from '../page/plan-page.ts';
import type { UnitTree } from '../plan/units/tree.ts';
import { describePlan, syncCommands, totalOf } from '../plan/words/describe-plan.ts';

export interface PlanOptions {
  readonly full: boolean;
  readonly json: boolean;
  readonly all: boolean;
  readonly exitCode: boolean;
  /** Where the plan goes as a page. */
  readonly html?: string;
}

/**
 * Runs `rollcall plan`: shows what `sync` would do. It changes nothing, neither in the service nor in the
 * ledger.
 */
export async function planCommand(context: CommandContext, options: PlanOptions): Promise<number> {
  const page = pageOf(options);
  const app = loadApp(context, { logTo: 'stderr' });
  if (page !== null) requireFree(app, page.path);
  const stop = stopOnSignals();
  const { leavers } = app.settings.sync;
  const { paint } = context.screen;
  const commands = syncCommands(options.full);
  let changes = false;
  const onPlan = (plan: Plan, book: PlanBook, tree: UnitTree): void => {
    changes = Math.min(totalOf(plan), plan.flowing) > 0;
    if (options.json) printPlanJson(context, plan, book);
    else context.screen.print(describePlan({ plan, tree, book, all: options.all, leavers, paint, commands }));
    const about = bindingOf(app.settings);
    const changed = book.sequencedChanges();
    const { command } = context;
    page?.write({ plan, tree, changes: changed, leavers, about, madeAt: timeNow().time, command });
  };
  try {
    const request = { full: options.full, approve: [], trigger: 'command', dryRun: true, onPlan } as const;
    const { error, holder } = await runDry(app, request, stop.signal);
    if (error !== null) throw error;
    if (page !== null) context.screen.print(['', `The plan as a page: ${printable(page.path)}`]);
    if (holder !== null && !options.json) context.screen.print(runningLines(holder));
    return options.exitCode && changes ? EXIT.changes : EXIT.done;
  } finally {
    await app.service.close();
    stop.release();
  }
}

/** Prepares what `--html` asks for, before anything is read. Throws a ConfigError where it cannot be done. */
function pageOf({ html, json }: PlanOptions): PageFile | null {
  if (html === undefined) return null;
  if (json) throw new ConfigError('plan: --html and --json exclude each other: leave one of them out.');
  return pageFile(html);
}

function runningLines(holder: string): readonly string[] {
  return [
    '',
    `A run is under way (${holder}): what it has not done yet is planned here too. Look again when it has ended.`,
  ];
}

/** Prints one change a line, so that a plan of any size is never held in memory. */
export function printPlanJson(context: CommandContext, fullPlan: Plan, book: PlanBook): void {
  const { counts, held, blocked, occupied, waiting, edited, kept, reverts, ...plan } = fullPlan;
  const { hash, full, evidence, calls, estimatedSeconds } = plan;
  const head = JSON.stringify({
    hash,
    full,
    complete: true,
    evidence,
    counts,
    held,
    blocked,
    occupied,
    waiting,
    edited,
    kept,
    ...(reverts === null ? {} : { reverts }),
    calls,
    estimatedSeconds,
  });
  context.out(`${head.slice(0, -1)},"changes":[`);
  let separator = '\n';
  for (const { change, isHeld, hashes } of book.sequencedChanges()) {
    context.out(
      separator + JSON.stringify({ ...change, why: say(change.why), held: isHeld, approve: hashes }),
    );
    separator = ',\n';
  }
  context.out('\n]}\n');
}

/** Where a plan goes as a page. */
interface PageFile {
  readonly path: string;
  /** Writes the whole page, or leaves what was there. Throws a ConfigError where it cannot be written. */
  readonly write: (parts: PageInput) => void;
}

/** Looks whether a page can be written there. Throws a ConfigError where it cannot. */
export function pageFile(path: string): PageFile {
  const problem = targetProblem(path);
  if (problem !== null) throw cannotWrite(path, problem);
  return { path, write: (parts) => replacePage(path, planPage(parts)) };
}

function cannotWrite(path: string, problem: string, cause?: unknown): ConfigError {
  return new ConfigError(`plan: --html ${path} cannot be written: ${problem}.`, { cause });
}

/** Replaces the file; two processes may do so at once. Throws a ConfigError where it cannot be written. */
function replacePage(path: string, texts: Iterable<string>): void {
  try {
    replaceFile({ path, part: `${path}.${randomBytes(6).toString('hex')}.part` }, texts);
  } catch (error) {
    throw isOfSystem(error) ? cannotWrite(path, fileProblem(error), error) : error;
  }
}

const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
