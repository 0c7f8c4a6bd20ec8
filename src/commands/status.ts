import { loadSetup, openIfThere, requireWritable, statePathOf, timeNow, type Setup } from '../app/setup.ts';
import { EXIT } from '../domain/errors.ts';
import type { Paint } from '../domain/text/line.ts';
import { unitLabels } from '../plan/words/unit-labels.ts';
import { describeStatus, statusParts, type Status } from '../report/describe-status.ts';
import { readStatus } from '../report/read-status.ts';
import { heartbeatFile, heartbeatTime, isHealthy } from '../runtime/health.ts';
import type { CommandContext } from './context.ts';

interface StatusOptions {
  readonly unmanaged: boolean;
  readonly health: boolean;
  readonly exitCode: boolean;
}

const LISTED_AT_MOST = 10_000;

/** Runs `rollcall status`: shows what the ledger knows, and asks neither the source nor the service. */
export async function statusCommand(context: CommandContext, options: StatusOptions): Promise<number> {
  if (options.health) return healthCode(context);
  const setup = loadSetup(context);
  const { status, names } = statusOf(setup, options);
  const { leavers, timezone: zone } = setup.settings.sync;
  const labels = unitLabels(names.now, names.before);
  const view = { labels, leavers, zone };
  await context.show({ data: status, lines: (paint) => describeStatus(status, { ...view, paint }) });
  return options.exitCode ? exitCodeOf(status) : EXIT.done;
}

/** Returns what needs attention now, in one line. */
export function totalsNow(setup: Setup, paint: Paint): string {
  const { status, names } = statusOf(setup, { unmanaged: false });
  const labels = unitLabels(names.now, names.before);
  return statusParts(status, { labels, leavers: setup.settings.sync.leavers, paint }).totals;
}

/** Returns the last run's code. A revert, or a run of one record, ends with 0 also while others are held or inside. */
function exitCodeOf({ cannotRun, runs, held, leftInside, failing, blocked }: Status): number {
  if (cannotRun !== null) return EXIT.failed;
  const last = runs.find(({ exitCode }) => exitCode !== null)?.exitCode ?? EXIT.done;
  if (last !== EXIT.done) return last;
  if (held.length > 0) return EXIT.held;
  return leftInside.length + failing.length + blocked.length > 0 ? EXIT.partial : EXIT.done;
}

/**
 * Returns the exit code of `--health`. The daemon goes on with the configuration that it has read, so a
 * mistake that was made in the file since then says nothing about its health.
 */
async function healthCode(context: CommandContext): Promise<number> {
  const path = statePathOf(context.configFile, context.env) ?? loadSetup(context).settings.state.path;
  const file = heartbeatFile(path);
  if (isHealthy(file, timeNow())) return EXIT.done;
  const last = heartbeatTime(file);
  const since = last === null ? 'at all' : `since ${new Date(last).toISOString()}`;
  await context.show({ lines: () => [`no heartbeat ${since}: the daemon does not run, or it stands still`] });
  return EXIT.failed;
}

function statusOf(
  setup: Setup,
  { unmanaged }: Pick<StatusOptions, 'unmanaged'>,
): ReturnType<typeof readStatus> {
  const ledger = openIfThere(setup);
  try {
    return readStatus(ledger, {
      settings: setup.settings,
      now: timeNow(),
      unmanaged: unmanaged ? 'listed' : 'counted',
      atMost: LISTED_AT_MOST,
      requireWritable,
    });
  } finally {
    ledger?.close();
  }
}
