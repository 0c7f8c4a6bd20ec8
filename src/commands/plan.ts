import { bindingOf, timeNow } from '../app.ts';
import { runDry } from '../app/runs.ts';
import type { Plan } from '../domain/changes.ts';
import { ConfigError, EXIT } from '../domain/errors.ts';
import type { PlanBook } from '../domain/ports/ledger/plan-book.ts';
import { printable } from '../domain/text/printable.ts';
import { describePlan } from '../plan/words/describe-plan.ts';
import type { UnitTree } from '../plan/units/tree.ts';
import { appOf, stopOnSignals, type Context } from './context.ts';
import { pageFile, type PageFile } from './plan/page-file.ts';

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
export async function planCommand(context: Context, options: PlanOptions): Promise<number> {
  const page = pageOf(options);
  const app = appOf(context, 'stderr');
  const stop = stopOnSignals();
  const { leavers } = app.settings.sync;
  const { paint } = context.screen;
  let changes = false;
  const onPlan = (plan: Plan, book: PlanBook, tree: UnitTree): void => {
    changes = total(plan) > 0;
    if (options.json) printPlanJson(context, plan, book);
    else context.screen.print(describePlan({ plan, tree, book, all: options.all, leavers, paint }));
    const about = bindingOf(app.settings);
    const changed = book.sequencedChanges();
    page?.write({ plan, tree, changes: changed, leavers, about, madeAt: timeNow().time });
  };
  try {
    const request = { full: options.full, approve: [], trigger: 'command', dryRun: true, onPlan } as const;
    const { error, holder } = await runDry(app, request, stop.signal);
    if (error !== null) throw error;
    if (page !== null) context.screen.print(['', `The plan as a page: ${printable(page.path)}`]);
    if (holder !== null && !options.json) context.screen.print(besideRun(holder));
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

function besideRun(holder: string): readonly string[] {
  return [
    '',
    `A run is under way (${holder}): what it has not done yet is planned here too. Look again when it has ended.`,
  ];
}

function total({ counts }: Plan): number {
  return [...Object.values(counts.units), ...Object.values(counts.people)].reduce((sum, n) => sum + n, 0);
}

/** Prints one change a line, so that a plan of any size is never held in memory. */
export function printPlanJson(context: Context, whole: Plan, book: PlanBook): void {
  const { counts, held, blocked, edited, kept, pinned, reverts, ...plan } = whole;
  const { hash, full, evidence, calls, estimatedSeconds } = plan;
  const head = JSON.stringify({
    hash,
    full,
    complete: true,
    evidence,
    counts,
    held,
    blocked,
    edited,
    kept,
    heldFromSource: pinned,
    ...(reverts === null ? {} : { reverts }),
    calls,
    estimatedSeconds,
  });
  context.out(`${head.slice(0, -1)},"changes":[`);
  let separator = '\n';
  for (const { change, isHeld, hashes } of book.sequencedChanges()) {
    context.out(separator + JSON.stringify({ ...change, held: isHeld, approve: hashes }));
    separator = ',\n';
  }
  context.out('\n]}\n');
}
