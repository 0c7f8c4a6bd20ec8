import type { RunReport } from '../../app/runs.ts';
import { EXIT } from '../../domain/errors.ts';
import type { Paint } from '../../domain/text/line.ts';

/** Returns a sentence that says what a run did that put back another one, and came to its end. */
export function describeReverted({ end, exitCode }: RunReport, paint: Paint): string {
  const { units, people } = end.counts;
  const all = [...Object.values(units), ...Object.values(people)].reduce((sum, n) => sum + n, 0);
  const waiting = all - end.applied - end.failed - end.held;
  const rest = [
    ...(end.held === 0 ? [] : [`${end.held} held`]),
    ...(end.failed === 0 ? [] : [`${end.failed} failed`]),
    ...(waiting <= 0 ? [] : [waiting === 1 ? '1 waits' : `${waiting} wait`]),
  ];
  const done = paint(rest.length === 0 ? 'fine' : 'care', `${end.applied} of ${all} changes applied`);
  const isSaid = end.held > 0 && end.failed === 0 && waiting <= 0;
  const more =
    isSaid || (rest.length === 0 && exitCode === EXIT.done) ? '' : `: ${paint('strong', 'rollcall status')}`;
  return `${[done, ...rest].join(', ')}${more}.`;
}
