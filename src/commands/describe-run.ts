import type { RunReport } from '../app/runs.ts';
import type { Change, ChangeCounts } from '../domain/changes.ts';
import { ConfigError, StoppedError } from '../domain/errors.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import { printableText, withStop } from '../domain/text/printable.ts';
import type { Paint } from '../domain/text/line.ts';
import { totalOf } from '../plan/words/describe-plan.ts';
import { troubleParts } from '../report/describe-status.ts';
import { countBoth, restParts, type Rest } from '../plan/words/left-out.ts';

const PARTICIPLES = {
  create: 'created',
  adopt: 'taken over',
  update: 'updated',
  move: 'moved',
  enable: 'enabled',
  disable: 'disabled',
  remove: 'removed',
  forget: 'forgotten',
} as const satisfies Record<Change['kind'], string>;

/** What stays undone, with how many records are failing or skipped as `status` counts them. */
type Undone = Rest & {
  readonly troubles?: readonly string[];
  /** The command that shows it; absent: `rollcall status`. */
  readonly look?: string;
};

/** Returns how many records are failing, skipped or waiting, as `status` counts them. */
export const troublesIn = ({ troubles }: Pick<Ledger, 'troubles'>, paint: Paint): readonly string[] =>
  troubleParts({ failing: troubles.failures(), blocked: troubles.blocked() }, paint);

/** Returns a sentence that says how a run ended. */
export function describeRun({ end, error }: RunReport, undone: Undone, paint: Paint): string {
  const { troubles = [], look = 'rollcall status' } = undone;
  const elapsed = duration(Object.values(end.phases).reduce((sum, ms) => sum + ms, 0));
  const before = `${changes(end.applied)} applied before; the next run continues`;
  const appliedText =
    end.applied === 0
      ? error instanceof ConfigError
        ? 'nothing was changed'
        : 'nothing was changed. The next run tries again'
      : before;
  if (error instanceof StoppedError) return `${paint('care', 'Stopped')} after ${elapsed}; ${appliedText}.`;
  if (error !== null)
    return `${paint('alarm', 'Failed')} after ${elapsed}: ${withStop(printableText(end.error ?? 'for an unknown reason'))} ${capital(appliedText)}.`;
  const openItems = [
    ...(end.held === 0 ? [] : [paint('alarm', `${end.held} held`)]),
    ...(troubles.length > 0 ? troubles : troublesOf(end, paint)),
    ...restParts(undone, paint),
  ];
  if (openItems.length > 0)
    return `${doneText(end)} in ${elapsed}; ${openItems.join(', ')}: ${paint('strong', look)}`;
  if (end.applied === 0)
    return `Nothing to do: the service is ${paint('fine', 'in step')} with the source; looked for ${elapsed}.`;
  return `${paint('fine', doneText(end))} in ${elapsed}; nothing waits.`;
}

const troublesOf = ({ failed, blocked }: RunReport['end'], paint: Paint): readonly string[] => [
  ...(failed === 0 ? [] : [paint('alarm', `${failed} failed`)]),
  ...(blocked === 0 ? [] : [paint('care', `${blocked} skipped or waiting`)]),
];

const changes = (count: number): string => (count === 1 ? '1 change' : `${count} changes`);
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** Returns what was done: in words where the whole plan was applied, else as a number of changes. */
function doneText({ counts, applied }: RunReport['end']): string {
  if (applied === 0) return 'Nothing sent';
  if (applied !== totalOf({ counts })) return `${changes(applied)} applied`;
  return Object.entries(PARTICIPLES)
    .map(
      ([kind, word]) =>
        [countBoth(numberOf(counts.units, kind), numberOf(counts.people, kind)), word] as const,
    )
    .filter(([count]) => count !== '0 people')
    .map((words) => words.join(' '))
    .join(', ');
}

function numberOf(counts: ChangeCounts['units'] | ChangeCounts['people'], kind: string): number {
  const byKind: Readonly<Record<string, number>> = counts;
  return byKind[kind] ?? 0;
}
