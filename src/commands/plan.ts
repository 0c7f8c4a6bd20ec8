import { bindingOf, timeNow } from '../app.ts';
import { runDry, runRecorded } from '../app/runs.ts';
import { NO_HASH, type Plan } from '../domain/changes.ts';
import { ConfigError, EXIT } from '../domain/errors.ts';
import type { PlanBook } from '../domain/ports/ledger/plan-book.ts';
import { printable } from '../domain/text/printable.ts';
import type { Line } from '../domain/text/line.ts';
import { describeRecorded } from '../plan/recorded/describe-recorded.ts';
import { whatIf } from '../plan/recorded/what-if.ts';
import { describePlan, type PlanDescription } from '../plan/words/describe-plan.ts';
import type { UnitTree } from '../plan/units/tree.ts';
import { appOf, stopOnSignals, type Context } from './context.ts';
import { pageFile, type PageFile } from './plan/page-file.ts';

export interface PlanOptions {
  readonly full: boolean;
  readonly json: boolean;
  readonly all: boolean;
  readonly exitCode: boolean;
  /** Plans the last complete read again, without asking source or service. */
  readonly recorded: boolean;
  /** Where the plan goes as a page. */
  readonly html?: string;
}

/**
 * Runs `rollcall plan`: shows what `sync` would do. It changes nothing, neither in the service nor in the
 * ledger.
 */
export async function planCommand(context: Context, options: PlanOptions): Promise<number> {
  if (options.recorded && options.full)
    throw new ConfigError(
      'plan: --recorded asks nobody, so --full has nothing to read: leave one of them out.',
    );
  const page = pageOf(options);
  const app = appOf(context, 'stderr');
  const stop = stopOnSignals();
  const { leavers } = app.settings.sync;
  const { paint } = context.screen;
  let changes = false;
  const onPlan = (plan: Plan, book: PlanBook, tree: UnitTree): void => {
    changes = total(plan) > 0;
    if (options.json) printPlanJson(context, plan, book);
    else context.screen.print(linesOf(options, { plan, tree, book, leavers, paint }));
    const about = bindingOf(app.settings);
    const changed = book.sequencedChanges();
    page?.write({ plan, tree, changes: changed, leavers, about, madeAt: timeNow().time });
  };
  try {
    const request = { full: options.full, approve: [], trigger: 'command', dryRun: true, onPlan } as const;
    const dry = options.recorded ? runRecorded : runDry;
    const { error, holder } = await dry(app, request, stop.signal);
    if (error !== null) throw error;
    if (page !== null) context.screen.print(['', `The plan as a page: ${printable(page.path)}`]);
    if (holder !== null && !options.json) context.screen.print(besideRun(holder));
    return options.exitCode && changes ? EXIT.changes : EXIT.done;
  } finally {
    await app.service.close();
    stop.release();
  }
}

/** Yields the plan for a person. What an earlier read comes to stands above it. */
function* linesOf(
  { all, recorded }: PlanOptions,
  described: Omit<PlanDescription, 'all' | 'commands'> & { readonly book: PlanBook },
): Iterable<Line> {
  const { plan, book, paint } = described;
  const commands = recorded ? { apply: null, release: null } : undefined;
  yield* describeRecorded({ plan, changes: book.allChanges(), now: timeNow().time, paint });
  yield* describePlan({ ...described, all, ...(commands !== undefined && { commands }) });
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

const shown = (hash: string): string | null => (hash === NO_HASH ? null : hash);

/** Prints one change a line, so that a plan of any size is never held in memory. */
export function printPlanJson(context: Context, whole: Plan, book: PlanBook): void {
  const { counts, held, blocked, edited, kept, pinned, reverts, ...plan } = whole;
  const { hash, full, evidence, calls, estimatedSeconds } = plan;
  const { recordedAt } = evidence.source;
  const head = JSON.stringify({
    hash: shown(hash),
    ...(recordedAt !== undefined && {
      recorded: { readAt: recordedAt, ...whatIf(whole, book.allChanges()) },
    }),
    full,
    complete: true,
    evidence,
    counts,
    held: held.map((one) => ({ ...one, hash: shown(one.hash) })),
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
