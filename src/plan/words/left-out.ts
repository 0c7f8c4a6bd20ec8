import { counted } from '../../domain/text/counted.ts';
import type { Blocked, Edited } from '../../domain/changes.ts';
import { groupBy } from '../../domain/text/group-by.ts';
import type { Paint } from '../../domain/text/line.ts';
import type { Block, Item } from './block.ts';
import { recordNames } from './record-names.ts';
import { nameUnits, type UnitLabels } from './unit-labels.ts';

/** Records that are left as they are for the same reason. */
interface LeftOut {
  /** With units by name; `…` stands for what differs between the records. */
  readonly reason: string;
  readonly records: readonly Blocked[];
}

/** What differs between records in reasons that are otherwise the same, and what stands for it in a group. */
const OWN: readonly (readonly [RegExp, string])[] = [
  [
    /(?<=\b(?:username|source id|employee|node|serial number|in the service to) )(?!in the source)[^\s:,;]+/gu,
    '…',
  ],
  [/(?<=\()\d+, among them [^)]+/gu, '…'],
  [/(?<=\bthe account )\S+ is that of [^:]+/gu, '… is that of …'],
  [/(?<!(?:unit|parent) )"[^"]*"/gu, '…'],
  // How often and when it was tried, see back-off.
  [/ \((?:once|\d+ times)[,;] .*\)$/u, ''],
];
/** From this many records on, reasons of one pattern make a group. Fewer records say more one by one. */
const SAME_PATTERN = 4;

/** Returns the reason with `…` for what differs between records. */
export function patternOf(reason: string): string {
  return OWN.reduce((text, [own, instead]) => text.replace(own, instead), reason);
}

function grouped(records: readonly Blocked[], keyOf: (record: Blocked) => string): readonly LeftOut[] {
  return [...groupBy(records, keyOf)].map(([reason, members]) => ({ reason, records: members }));
}

/** Groups them by reason, the largest group first. */
function groupByReason(blocked: readonly Blocked[], labels: UnitLabels): readonly LeftOut[] {
  const named = blocked.map((record) => ({ ...record, reason: nameUnits(record.reason, labels) }));
  const groups = grouped(named, ({ reason }) => patternOf(reason)).flatMap((group) => {
    const reasons = new Set(group.records.map(({ reason }) => reason));
    const [only = group.reason] = reasons;
    if (reasons.size === 1) return [{ ...group, reason: only }];
    return group.records.length < SAME_PATTERN ? grouped(group.records, ({ reason }) => reason) : [group];
  });
  return groups.toSorted((a, b) => b.records.length - a.records.length || (a.reason < b.reason ? -1 : 1));
}

/**
 * Returns counts as `149 people` or `1 unit and 3 people`. Each record counts once, even if it is listed
 * several times.
 */
export function countRecords(records: readonly Pick<Blocked, 'subject' | 'id'>[]): string {
  const each = new Map(records.map(({ subject, id }) => [`${subject} ${id}`, subject]));
  const units = [...each.values()].filter((subject) => subject === 'unit').length;
  return countBoth(units, each.size - units);
}

export function countBoth(units: number, people: number): string {
  const parts = [
    ...(people === 0 && units > 0 ? [] : [counted(people, 'person', 'people')]),
    ...(units === 0 ? [] : [counted(units, 'unit')]),
  ];
  return parts.join(' and ');
}

export interface ListOptions {
  readonly labels: UnitLabels;
  readonly paint: Paint;
  /** How many records of each group are named. */
  readonly atMost: number;
  /** Tells how to see the others. */
  readonly more: string;
}

/**
 * Returns an item for each reason, however many records have it: the count with the reason, and the first records by
 * name. A reason may end with a command to copy, so nothing stands behind it.
 */
export function leftOutItems(
  blocked: readonly Blocked[],
  { labels, paint, atMost, more }: ListOptions,
): readonly Item[] {
  const nameOf = recordNames(blocked, labels);
  return groupByReason(blocked, labels).map(({ reason, records }) => {
    const [first] = records;
    if (records.length === 1 && first !== undefined)
      return { text: `${first.subject} ${nameOf(first)}: ${reason}` };
    const names = firstNames(records.map(nameOf), { atMost, more });
    return { text: `${paint('strong', countRecords(records))}: ${reason}`, names };
  });
}

/** Returns the block about records of one kind; none without records. */
export function recordBlocks(
  title: string,
  records: readonly Blocked[],
  options: ListOptions,
): readonly Block[] {
  if (records.length === 0) return [];
  return [{ title: `${title}: ${countRecords(records)}`, items: leftOutItems(records, options) }];
}

/** Returns the first of these names, and how many more there are. */
function firstNames(
  names: readonly string[],
  { atMost, more }: Pick<ListOptions, 'atMost' | 'more'>,
): string {
  const left = names.length - atMost;
  return [...names.slice(0, atMost), ...(left <= 0 ? [] : [`… and ${left} more${more}`])].join(', ');
}

/** What differs from the source on purpose, without any trouble. */
export interface Rest {
  /** People who are missing and wait for a further read. */
  readonly missing: number;
  readonly edited: Pick<Edited, 'units' | 'people'>;
  /** Accounts that keep another username than the source has. */
  readonly kept: number;
}

/** Returns the parts of a last line. While there is one of them, the service is not "in step". */
export function restParts({ missing, edited, kept }: Rest, paint: Paint): readonly string[] {
  const { units, people } = edited;
  const accounts = kept === 1 ? '1 account keeps' : `${kept} accounts keep`;
  return [
    ...(missing === 0 ? [] : [`${missing} missing, waiting for confirmation`]),
    ...(units + people === 0 ? [] : [`${countBoth(units, people)} edited in the service and not corrected`]),
    ...(kept === 0 ? [] : [`${accounts} another username than in the source`]),
  ].map((text) => paint('care', text));
}
