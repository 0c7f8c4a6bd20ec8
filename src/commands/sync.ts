import { onlyProblem } from './problems.ts';
import { loadApp, type App } from '../app/app.ts';
import { openIfThere } from '../app/setup.ts';
import { runLeased } from '../app/runs.ts';
import { commandLineUser } from './command-line-user.ts';
import { stopOnSignals, type CommandContext } from './context.ts';
import { describeRun } from './describe-run.ts';
import { totalsNow } from './status.ts';
import { recordsNamed } from '../report/known-record.ts';
import { inSource } from './explain/look-live.ts';
import { printable } from '../domain/text/printable.ts';
import { shellQuoted } from '../domain/text/shell.ts';

interface SyncOptions {
  readonly full: boolean;
  readonly approve: readonly string[];
  readonly wait: number;
  readonly only?: string | undefined;
}

/** Runs `rollcall sync`: makes one run, now. */
export async function syncCommand(
  context: CommandContext,
  { full, approve, wait, only: named }: SyncOptions,
): Promise<number> {
  const app = loadApp(context, { logTo: 'stdout' });
  const stop = stopOnSignals();
  try {
    await sayThatThisSends(context, app);
    const only = named === undefined ? undefined : await recordNamed(app, named, stop.signal);
    const by = commandLineUser(context.env);
    const approvals = approve.map((hash) => ({ hash, by }));
    const request = { full, approve: approvals, trigger: 'command', dryRun: false, only } as const;
    const report = await runLeased(app, request, { stop: stop.signal, quit: stop.quit, waitSeconds: wait });
    // Outside a terminal, stdout is the log and stays JSON lines.
    if (context.isTerminal)
      await context.show({ lines: (paint) => ['', describeRun(report, paint), totalsNow(app, paint)] });
    return report.exitCode;
  } finally {
    await app.service.close();
    stop.release();
  }
}

/** Says so on a terminal before what was typed is sent, if the daemon only reports. */
export async function sayThatThisSends(context: CommandContext, { settings }: App): Promise<void> {
  const isOther = context.isTerminal && settings.sync.mode === 'report';
  if (isOther)
    await context.show({ lines: () => ['The daemon only reports (sync.mode: report). This run sends.'] });
}

/** A record of the source, or one that was managed. */
interface RecordKey {
  readonly subject: 'unit' | 'person';
  readonly id: string;
}

/**
 * Returns the one record that a text names, in the source or the ledger: a person by username or source id, a unit by
 * source id, name or serial number. Throws a RequestError where it names none, or several.
 */
export async function recordNamed(app: App, named: string, signal: AbortSignal): Promise<RecordKey> {
  const [, subject, id] = /^(?<subject>person|unit):(?<id>.+)$/su.exec(named) ?? [];
  const byKey = new Map<string, RecordKey>();
  for (const key of [...inLedger(app, named), ...(await inSourceNow(app, id ?? named, signal))])
    if (subject === undefined || key.subject === subject) byKey.set(`${key.subject}:${key.id}`, key);
  const [only, ...more] = byKey.values();
  const name = printable(named);
  if (only === undefined) throw onlyProblem('only-unknown', { name });
  const records = [...byKey.keys()].map(shellQuoted).join(', ');
  if (more.length > 0) throw onlyProblem('only-several', { name, count: byKey.size, records });
  return only;
}

function inLedger(app: App, named: string): readonly RecordKey[] {
  const ledger = openIfThere(app);
  if (ledger === null) return [];
  try {
    return recordsNamed(ledger, named).flatMap(({ subject, id, state }) =>
      id === null || state === null ? [] : [{ subject, id }],
    );
  } finally {
    ledger.close();
  }
}

async function inSourceNow(app: App, named: string, signal: AbortSignal): Promise<readonly RecordKey[]> {
  const samples = await inSource(app, named, signal);
  return samples.flatMap(({ subject, reading, excludedBy }) => {
    if (excludedBy !== undefined) return [];
    const id = reading.ok ? reading.record.id : reading.refusal.id;
    return id === null ? [] : [{ subject, id }];
  });
}
