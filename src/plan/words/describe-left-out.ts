import { counted } from '../../domain/text/counted.ts';
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
import { itemLines, itemsOf, type Block } from './block.ts';
import { countBoth, leftOutItems, recordBlocks, type ListOptions } from './left-out.ts';
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

/** Returns all that a plan leaves as it is, each kind with its title. */
export function describeLeftOut(plan: Plan, words: LeftOutWords): readonly Block[] {
  const { labels, leavers, paint, all, more = ' (--all lists them)' } = words;
  const options = { labels, paint, atMost: all ? Number.POSITIVE_INFINITY : FIRST, more };
  const { unknown, unmatched = [] } = plan.evidence.source;
  const title = `${paint('care', 'Missing in the source')} in this read; waiting for confirmation, and counted by guards then:`;
  const attributes = unknown.map((one) => describeUnknown(one));
  return [
    ...sentenceBlocks(`${paint('care', 'Not known to the source')}:`, attributes),
    ...sentenceBlocks(`${paint('care', 'Named in the configuration, and matching nothing')}:`, unmatched),
    ...recordBlocks(paint('care', 'Skipped or waiting'), plan.blocked, options),
    ...recordBlocks(paint('care', 'Waiting'), plan.occupied, options),
    ...editedBlocks(plan.edited, options),
    ...keptBlocks(plan.kept, options),
    ...sentenceBlocks(title, waitingTexts(plan.waiting, leavers, plan.timezone)),
  ];
}

/** Returns the block of these sentences; none without sentences. */
export const sentenceBlocks = (title: string, sentences: readonly string[]): readonly Block[] =>
  sentences.length === 0 ? [] : [{ title, items: itemsOf(sentences) }];

/** Returns the block about records that were edited in the service, if that is only reported. */
export function editedBlocks({ units, people, first }: Edited, options: ListOptions): readonly Block[] {
  if (units + people === 0) return [];
  const left = units + people - first.length;
  const title = `${options.paint('care', 'Edited in the service')}, and not corrected: ${countBoth(units, people)}`;
  const rest = left === 0 ? undefined : `… and ${left} more (drift.found in the log)`;
  return [{ title, items: leftOutItems(first, options), rest }];
}

/** Returns the block about accounts that keep their username. */
export function keptBlocks(
  kept: readonly KeptUsername[],
  { labels, paint, atMost, more }: ListOptions,
): readonly Block[] {
  if (kept.length === 0) return [];
  const nameOf = recordNames(kept, labels);
  const texts = kept
    .slice(0, atMost)
    .map((one) => `${nameOf(one)} is ${printable(one.inSource)} in the source`);
  const title = `${paint('care', 'Another username in the source')}, where the account keeps its own: ${kept.length}`;
  const left = kept.length - texts.length;
  return [{ title, items: itemsOf(texts), rest: left === 0 ? undefined : `… and ${left} more${more}` }];
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
  zone = 'UTC',
): string {
  const { action, misses: enough } = leavers;
  const due = missedAt + (enough - misses) * MISS_EVERY_MS;
  return `missing ${timesText(misses)}; will be ${DONE[action]} by the first run after ${timeText(due, zone)}`;
}

/** Returns sentences about people who are missing in the source, but not often enough yet, and so keep active accounts. */
export function waitingTexts(
  waiting: readonly WaitingLeavers[],
  leavers: Leavers,
  zone?: string,
): readonly string[] {
  return waiting.map((group) => {
    const { count, first } = group;
    const people = first.map(
      ({ username: label, ...one }) => ({ subject: 'person', label, ...one }) as const,
    );
    const nameOf = recordNames(people, new Map());
    const more = count > first.length ? `, … and ${count - first.length} more` : '';
    return `${count} ${dueText(group, leavers, zone)}: ${people.map(nameOf).join(', ')}${more}`;
  });
}

/** Yields what a revert does not put back, and what the source makes of the rest. */
export function* revertLines({ run, records, notBack }: Reverts, options: ListOptions): Iterable<Line> {
  const { paint } = options;
  yield `${paint('strong', `Revert of run ${printable(run)}`)}, which changed ${counted(records, 'record')}`;
  if (notBack.length > 0) yield `${paint('care', 'Not put back')}: ${notBack.length}`;
  yield* itemLines(leftOutItems(notBack, options), paint);
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
