import type { Edited, Plan } from '../../domain/changes.ts';
import type { KeptUsername } from '../../domain/records/kept-username.ts';
import type { Line, Paint } from '../../domain/text/line.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import { describeUnknown } from '../../domain/reading/source.ts';
import type { UnknownAttribute } from '../../domain/reading/source-part.ts';
import { pinLines } from './describe-pins.ts';
import { waitingLines } from './describe-waiting.ts';
import { countBoth, countRecords, leftOutLines, type ListOptions } from './left-out.ts';
import type { UnitLabels } from './unit-labels.ts';
import { printable } from '../../domain/text/printable.ts';

export interface LeftOutWords {
  readonly labels: UnitLabels;
  readonly leavers: SyncSettings['leavers'];
  readonly paint: Paint;
  /** Lists every record, not just the first of each reason. */
  readonly all: boolean;
}

const FIRST = 10;

/** Yields all that a plan leaves as it is, each kind with its title. */
export function* describeLeftOut(plan: Plan, words: LeftOutWords): Iterable<Line> {
  const { labels, leavers, paint, all } = words;
  const options = {
    labels,
    paint,
    atMost: all ? Number.POSITIVE_INFINITY : FIRST,
    more: ' (--all lists them)',
  };
  yield* unknownLines(plan.evidence.source.unknown, paint);
  yield* waitsLines(plan.evidence.source.waits ?? [], paint);
  yield* unmatchedLines(plan.evidence.source.unmatched ?? [], paint);
  if (plan.blocked.length > 0) {
    yield `${paint('care', 'Left as they are')}: ${countRecords(plan.blocked)}`;
    yield* leftOutLines(plan.blocked, options);
    yield '';
  }
  const onPurpose = [
    pinLines(plan.pinned, options),
    editedLines(plan.edited, options),
    keptLines(plan.kept, options),
  ];
  for (const lines of onPurpose) if (lines.length > 0) yield* [...lines, ''];
  if (plan.waiting.length > 0) {
    yield `${paint('care', 'Missing in the source')}, this read counted, and not yet often enough to leave:`;
    yield* waitingLines(plan.waiting, leavers);
    yield '';
  }
}

function* unknownLines(unknown: readonly UnknownAttribute[], paint: Paint): Iterable<string> {
  if (unknown.length === 0) return;
  yield `${paint('care', 'Not known to the directory')}, so that their fields stay as they are:`;
  for (const attribute of unknown) yield `  ${paint('care', '!')} ${describeUnknown(attribute)}`;
  yield '';
}

function* waitsLines(waits: readonly string[], paint: Paint): Iterable<string> {
  if (waits.length === 0) return;
  yield `${paint('care', 'Waiting for a data schema')}, so that these properties stay as they are:`;
  for (const sentence of waits) yield `  ${paint('care', '!')} ${sentence}`;
  yield '';
}

function* unmatchedLines(unmatched: readonly string[], paint: Paint): Iterable<string> {
  if (unmatched.length === 0) return;
  yield `${paint('care', 'Named in the configuration, and matching nothing')}:`;
  for (const sentence of unmatched) yield `  ${paint('care', '!')} ${sentence}`;
  yield '';
}

/** Returns the lines about records that somebody edited in the service, where that is only reported. */
export function editedLines({ units, people, first }: Edited, options: ListOptions): readonly Line[] {
  if (units + people === 0) return [];
  const left = units + people - first.length;
  return [
    `${options.paint('care', 'Edited in the service')}, and left so: ${countBoth(units, people)}`,
    ...leftOutLines(first, options),
    ...(left === 0 ? [] : [`    … and ${left} more (drift.found in the log)`]),
  ];
}

/** Returns the lines about accounts that keep their username. */
export function keptLines(
  kept: readonly KeptUsername[],
  { paint, atMost, more }: ListOptions,
): readonly Line[] {
  if (kept.length === 0) return [];
  const names = kept.slice(0, atMost).map(({ label, id, inSource }) => {
    const name = label === id ? printable(id) : `${printable(label)} (${printable(id)})`;
    return `  ${paint('care', '!')} ${name} is ${printable(inSource)} in the source`;
  });
  const title = `${paint('care', 'Another username in the source')}, where the account keeps its own (sync.usernameChange)`;
  const rest = kept.length - names.length;
  return [`${title}: ${kept.length}`, ...names, ...(rest === 0 ? [] : [`    … and ${rest} more${more}`])];
}
