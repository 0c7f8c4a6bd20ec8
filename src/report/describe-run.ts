import { ConfigError } from '../domain/errors.ts';
import type { RunTrigger } from '../domain/events.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import type { RunRecord } from '../domain/ports/ledger/runs.ts';
import { problemsOf } from '../domain/problems.ts';
import { timeText } from '../domain/text/local-time.ts';
import { listSome, printable, printableText } from '../domain/text/printable.ts';
import type { Row } from './rows.ts';

const runProblem = problemsOf(ConfigError, {
  'history-run':
    'history: run "{name}" is not known: rollcall status shows the last runs; what is older than state.keepDays is forgotten',
});

const REASONS = {
  command: 'by command',
  start: 'the daemon started',
  cron: 'by schedule',
  fullCron: 'by the schedule of full runs',
  owed: 'a full run was due',
  signal: 'by SIGUSR2',
  reply: 'an approval came',
  http: 'by POST /sync',
} as const satisfies Record<RunTrigger, string>;

/** Returns why a run began; empty if it is not known. */
export function reasonText({ report }: Pick<RunRecord, 'report'>): string {
  const trigger = report?.trigger;
  return trigger === undefined ? '' : REASONS[trigger];
}

/** Returns how a run ended. */
export function endText({ result, report, endedAt }: RunRecord, zone: string): string {
  if (endedAt === null || result === null) return 'not ended: it is under way, or was interrupted';
  const error = report?.error === undefined ? '' : `: ${printableText(report.error)}`;
  return `${result} at ${timeText(endedAt, zone, 19)}${error}`;
}

const IN_DOUBT = 10;
const COUNTS = ['applied', 'failed', 'held', 'blocked'] as const;

/** Returns what is known of a run but for its changes. Throws a ConfigError if the ledger does not know it. */
export function runRows(
  { runs, history }: Pick<Ledger, 'runs' | 'history'>,
  id: string,
  zone: string,
): readonly Row[] {
  const run = runs.find(id);
  const [first] = history.entries({ run: id });
  if (run === null && first === undefined) throw runProblem('history-run', { name: printable(id) });
  const name = { name: 'run', value: printable(id) };
  if (run === null) return [name, { name: 'ended', value: 'its end is forgotten; its changes are not yet' }];
  const { kind, startedAt, result, report } = run;
  const unproven = history.unproven(id).map(({ subject, label }) => `${subject} ${printable(label)}`);
  return [
    name,
    { name: 'began', value: `${timeText(startedAt, zone, 19)}, ${kind}`, note: reasonText(run) },
    { name: 'ended', value: endText(run, zone), tone: result === 'failed' ? 'alarm' : undefined },
    { name: 'changes', value: COUNTS.map((count) => `${report?.[count] ?? 0} ${count}`).join(', ') },
    ...(unproven.length === 0
      ? []
      : [{ name: 'in doubt', value: listSome(unproven, { atMost: IN_DOUBT }), tone: 'care' as const }]),
  ];
}
