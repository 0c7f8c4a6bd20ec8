import {
  type Blocked,
  type Edited,
  type Plan,
  type Reverts,
  type WaitingLeavers,
} from '../../domain/changes.ts';
import { describeUnknown } from '../../domain/reading/source.ts';
import type { KeptUsername } from '../../domain/records/account-named.ts';
import { MISS_EVERY_MS, type SyncSettings } from '../../domain/settings.ts';
import type { Line, Paint } from '../../domain/text/line.ts';
import { timeText } from '../../domain/text/local-time.ts';
import { listSome, printable } from '../../domain/text/printable.ts';
import { countBoth, countRecords, leftOutLines, type ListOptions } from './left-out.ts';
import { recordNames } from './record-names.ts';
import type { UnitLabels } from './unit-labels.ts';

interface LeftOutWords {
  readonly labels: UnitLabels;
  readonly leavers: SyncSettings['leavers'];
  readonly paint: Paint;
  /** Lists every record, not just the first of each reason. */
  readonly all: boolean;
  /** What lists all of them, in brackets; absent: `--all` does. */
  readonly more?: string;
}

const FIRST = 10;

/** Yields all that a plan leaves as it is, each kind with its title. */
export function* describeLeftOut(plan: Plan, words: LeftOutWords): Iterable<Line> {
  const { labels, leavers, paint, all, more = ' (--all lists them)' } = words;
  const options = { labels, paint, atMost: all ? Number.POSITIVE_INFINITY : FIRST, more };
  const { unknown, unmatched = [] } = plan.evidence.source;
  const attributes = unknown.map((one) => describeUnknown(one));
  const titles = [
    [attributes, 'Not known to the directory', ':'],
    [unmatched, 'Named in the configuration, and matching nothing', ':'],
  ] as const;
  for (const [sentences, title, rest] of titles)
    yield* sentenceLines(`${paint('care', title)}${rest}`, sentences, paint);
  yield* recordLines('Skipped or waiting', plan.blocked, options);
  yield* recordLines('Waiting', plan.occupied, options);
  const onPurpose = [editedLines(plan.edited, options), keptLines(plan.kept, options)];
  for (const lines of onPurpose) if (lines.length > 0) yield* [...lines, ''];
  if (plan.waiting.length > 0) {
    yield `${paint('care', 'Missing in the source')} in this read; waiting for confirmation, and counted by guards then:`;
    yield* waitingLines(plan.waiting, leavers);
    yield '';
  }
}

function* recordLines(title: string, records: readonly Blocked[], options: ListOptions): Iterable<Line> {
  if (records.length === 0) return;
  yield `${options.paint('care', title)}: ${countRecords(records)}`;
  yield* leftOutLines(records, options);
  yield '';
}

function* sentenceLines(title: string, sentences: readonly string[], paint: Paint): Iterable<string> {
  if (sentences.length === 0) return;
  yield title;
  for (const sentence of sentences) yield `  ${paint('care', '!')} ${sentence}`;
  yield '';
}

/** Returns the lines about records that were edited in the service, if that is only reported. */
export function editedLines({ units, people, first }: Edited, options: ListOptions): readonly Line[] {
  if (units + people === 0) return [];
  const left = units + people - first.length;
  return [
    `${options.paint('care', 'Edited in the service')}, and not corrected: ${countBoth(units, people)}`,
    ...leftOutLines(first, options),
    ...(left === 0 ? [] : [`    … and ${left} more (drift.found in the log)`]),
  ];
}

/** Returns the lines about accounts that keep their username. */
export function keptLines(
  kept: readonly KeptUsername[],
  { labels, paint, atMost, more }: ListOptions,
): readonly Line[] {
  if (kept.length === 0) return [];
  const nameOf = recordNames(kept, labels);
  const names = kept.slice(0, atMost).map((one) => {
    return `  ${paint('care', '!')} ${nameOf(one)} is ${printable(one.inSource)} in the source`;
  });
  const title = `${paint('care', 'Another username in the source')}, where the account keeps its own`;
  const rest = kept.length - names.length;
  return [`${title}: ${kept.length}`, ...names, ...(rest === 0 ? [] : [`    … and ${rest} more${more}`])];
}

export const timesText = (n: number): string => (n === 1 ? 'once' : `${n} times`);

type Leavers = SyncSettings['leavers'];

const DONE = { disable: 'disabled', remove: 'removed' } as const satisfies Record<Leavers['action'], string>;

/**
 * Returns when people who were missing so often leave: `missing once; will be disabled by the first run after …`. One
 * miss is counted in ten minutes at most.
 */
export function dueText(
  { misses, missedAt }: Pick<WaitingLeavers, 'misses' | 'missedAt'>,
  leavers: Leavers,
): string {
  const { action, misses: enough } = leavers;
  const due = missedAt + (enough - misses) * MISS_EVERY_MS;
  return `missing ${timesText(misses)}; will be ${DONE[action]} by the first run after ${timeText(due)}`;
}

/** Yields people who are missing in the source, but not often enough yet, and so keep their active accounts. */
export function* waitingLines(waiting: readonly WaitingLeavers[], leavers: Leavers): Iterable<string> {
  for (const group of waiting) {
    const { count, first } = group;
    const people = first.map(
      ({ username: label, ...one }) => ({ subject: 'person', label, ...one }) as const,
    );
    const nameOf = recordNames(people, new Map());
    const more = count > first.length ? `, … and ${count - first.length} more` : '';
    yield `  ${count} ${dueText(group, leavers)}: ${people.map(nameOf).join(', ')}${more}`;
  }
}

/** Yields what a revert does not put back, and what the source makes of the rest. */
export function* revertLines({ run, records, notBack }: Reverts, options: ListOptions): Iterable<Line> {
  const { paint } = options;
  const changed = records === 1 ? '1 record' : `${records} records`;
  yield `${paint('strong', `Revert of run ${printable(run)}`)}, which changed ${changed}`;
  if (notBack.length > 0) yield `${paint('care', 'Not put back')}: ${notBack.length}`;
  yield* leftOutLines(notBack, options);
  yield 'The next run lets the source decide again: correct it first.';
  yield '';
}

/** Returns the entry for a record that was edited in the service, with `sync.drift: report`. */
export function leftEdited(record: Omit<Blocked, 'reason'>, fields: readonly string[]): Blocked {
  return {
    ...record,
    reason: `${listSome(fields, { atMost: 10 })} edited in the service: not corrected (sync.drift: report)`,
  };
}
