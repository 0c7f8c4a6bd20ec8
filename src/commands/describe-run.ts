import { counted } from '../domain/text/counted.ts';
import type { RunReport } from '../app/runs.ts';
import type { Change, ChangeCounts } from '../domain/changes.ts';
import { ConfigError, StoppedError } from '../domain/errors.ts';
import { printableText, withStop } from '../domain/text/printable.ts';
import type { Paint } from '../domain/text/line.ts';
import { totalOf } from '../plan/words/describe-plan.ts';
import { countBoth } from '../plan/words/left-out.ts';

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

/** Returns a sentence that says how a run ended. */
export function describeRun({ end, error }: RunReport, paint: Paint): string {
  const elapsed = duration(Object.values(end.phases).reduce((sum, ms) => sum + ms, 0));
  if (error === null) return `${paint('fine', doneText(end))} in ${elapsed}.`;
  const before =
    end.applied === 0 ? 'nothing was changed' : `${counted(end.applied, 'change')} applied before`;
  const text = error instanceof ConfigError ? before : `${before}; the next run continues`;
  if (error instanceof StoppedError) return `${paint('care', 'Stopped')} after ${elapsed}; ${text}.`;
  const reason = withStop(printableText(end.error ?? 'for an unknown reason'));
  return `${paint('alarm', 'Failed')} after ${elapsed}: ${reason} ${capital(text)}.`;
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** Returns what was done: in words where the whole plan was applied, else as a number of changes. */
function doneText({ counts, applied }: RunReport['end']): string {
  if (applied === 0) return 'Nothing sent';
  if (applied !== totalOf({ counts })) return `${counted(applied, 'change')} applied`;
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
