import type { RunReport } from '../app/runs.ts';
import type { Change, ChangeCounts } from '../domain/changes.ts';
import { StoppedError } from '../domain/errors.ts';
import { printableText, withStop } from '../domain/text/printable.ts';
import type { Paint } from '../domain/text/line.ts';
import { countBoth, restParts, type Rest } from '../plan/words/left-out.ts';

const DONE = {
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
export function describeRun({ end, error }: RunReport, rest: Rest, paint: Paint): string {
  const took = duration(Object.values(end.phases).reduce((sum, ms) => sum + ms, 0));
  const goesOn = `${changes(end.applied)} applied before; the next run goes on from there`;
  if (error instanceof StoppedError) return `${paint('care', 'Stopped')} after ${took}; ${goesOn}.`;
  if (error !== null)
    return `${paint('alarm', 'Failed')} after ${took}: ${withStop(printableText(end.error ?? 'for an unknown reason'))} ${capital(goesOn)}.`;
  const left = [
    ...(end.held === 0 ? [] : [paint('alarm', `${end.held} held`)]),
    ...(end.failed === 0 ? [] : [paint('alarm', `${end.failed} failed`)]),
    ...(end.blocked === 0 ? [] : [paint('care', `${end.blocked} skipped or waiting`)]),
    ...restParts(rest, paint),
  ];
  if (left.length > 0)
    return `${done(end)} in ${took}; ${left.join(', ')}: ${paint('strong', 'rollcall status')}`;
  if (end.applied === 0)
    return `Nothing to do: the service is ${paint('fine', 'in step')} with the source; looked for ${took}.`;
  return `${paint('fine', done(end))} in ${took}; nothing waits.`;
}

const changes = (count: number): string => (count === 1 ? '1 change' : `${count} changes`);
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** Returns what was done: in words where the whole plan was applied, else as a number of changes. */
function done({ counts, applied }: RunReport['end']): string {
  const all = [...Object.values(counts.units), ...Object.values(counts.people)].reduce((a, b) => a + b, 0);
  if (applied === 0) return 'Nothing sent';
  if (applied !== all) return `${changes(applied)} applied`;
  return Object.entries(DONE)
    .map(
      ([kind, word]) =>
        [countBoth(numberOf(counts.units, kind), numberOf(counts.people, kind)), word] as const,
    )
    .filter(([count]) => count !== '0 people')
    .map((words) => words.join(' '))
    .join(', ');
}

function numberOf(counts: ChangeCounts['units'] | ChangeCounts['people'], kind: string): number {
  const known: Readonly<Record<string, number>> = counts;
  return known[kind] ?? 0;
}
