import { commandProblem } from './problems.ts';
import { randomBytes } from 'node:crypto';
import { fileProblem, loadApp } from '../app/app.ts';
import { planDry, type DryPlan } from '../app/runs.ts';
import { bindingOf, requireFree, timeNow } from '../app/setup.ts';
import { stopOnSignals, type CommandContext } from './context.ts';
import type { Plan } from '../domain/changes.ts';
import { ConfigError, EXIT } from '../domain/errors.ts';
import type { PlanBook } from '../domain/ports/ledger/plan-book.ts';
import { printable } from '../domain/text/printable.ts';
import { say } from '../domain/words/say.ts';
import { replaceFile, targetProblem } from '../lib/replace-file.ts';
import { planPage } from '../page/plan-page.ts';
import { describePlan, syncCommands, totalOf } from '../plan/words/describe-plan.ts';

interface PlanOptions {
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
  const { full, all, json, html, exitCode } = options;
  if (html !== undefined && json)
    throw commandProblem('usage-exclusive', { options: 'plan: --html and --json' });
  const problem = html === undefined ? null : targetProblem(html);
  if (html !== undefined && problem !== null) throw cannotWrite(html, problem);
  const app = loadApp(context, { logTo: 'stderr' });
  if (html !== undefined) requireFree(app, html);
  const stop = stopOnSignals();
  const { leavers } = app.settings.sync;
  const show = async (planned: DryPlan): Promise<number> => {
    const { plan, book, tree, holder } = planned;
    const commands = syncCommands(full);
    await context.show({
      data: planData(plan, book),
      lines: function* (paint) {
        yield* describePlan({ plan, tree, book, all, leavers, paint, commands });
        if (html !== undefined) yield* ['', `The plan as a page: ${printable(html)}`];
        if (holder !== null) yield* ['', runningText(holder)];
      },
    });
    return exitCode && Math.min(totalOf(plan), plan.flowing) > 0 ? EXIT.changes : EXIT.done;
  };
  const write = ({ plan, book, tree }: DryPlan): void => {
    if (html === undefined) return;
    const about = bindingOf(app.settings);
    const changes = () => book.sequencedChanges();
    const { command } = context;
    replacePage(html, planPage({ plan, tree, changes, leavers, about, madeAt: timeNow().time, command }));
  };
  try {
    return await planDry(app, stop.signal, (planned) => (write(planned), show(planned)), { full });
  } finally {
    await app.service.close();
    stop.release();
  }
}

const runningText = (holder: string): string =>
  `A run is under way (${holder}): what it has not done yet is planned here too. Look again when it has ended.`;

/** Returns a plan for machines; its changes are read one by one, so that a plan of any size is never in memory. */
export function planData(plan: Plan, book: PlanBook): object {
  const { unitNames: _, reverts, ...shown } = plan;
  return { ...shown, complete: true, ...(reverts === null ? {} : { reverts }), changes: changesIn(book) };
}

function* changesIn(book: PlanBook): Iterable<object> {
  for (const { change, isHeld, hashes } of book.sequencedChanges())
    yield { ...change, why: say(change.why), held: isHeld, approve: hashes };
}

function cannotWrite(path: string, problem: string, cause?: unknown): ConfigError {
  return commandProblem('output-unwritable', { option: 'plan: --html', path, why: problem }, { cause });
}

/** Replaces the file; two processes may do so at once. Throws a ConfigError where it cannot be written. */
function replacePage(path: string, texts: Iterable<string>): void {
  try {
    replaceFile({ path, part: `${path}.${randomBytes(6).toString('hex')}.part` }, texts);
  } catch (error) {
    const isOfSystem = error instanceof Error && 'syscall' in error;
    throw isOfSystem ? cannotWrite(path, fileProblem(error), error) : error;
  }
}
