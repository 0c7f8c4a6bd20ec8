import type { EventRecord, Log, RunEvent } from '../../domain/events.ts';
import { patternOf } from '../../plan/words/left-out.ts';

/** So many records of one reason have a line each; more of them have one line, with so many names. */
const FEW = 10;
/** How many reasons are gathered at once. Reasons that differ for each record need no more memory than this. */
const MOST = 1_000;

const OF_RECORDS = ['item.failed', 'item.blocked', 'drift.found'] as const;
type OfRecord = RunEvent<(typeof OF_RECORDS)[number]> & EventRecord;

/** Records of one reason, or of reasons of one pattern. */
interface Group {
  readonly first: OfRecord[];
  count: number;
}

/** Groups by their reasons; too many reasons of one pattern are one group, under the pattern. */
type Alike = Map<string, Group>;

const isOfRecord = (event: RunEvent): event is OfRecord =>
  'id' in event && OF_RECORDS.some((name) => name === event.event);

const reasonOf = (event: OfRecord): string => ('reason' in event ? event.reason : '');

/** Returns the log of a run in which a reason that is the same for many records is one line: before the plan, and at the end. */
export function groupedLog(log: Log): Log {
  const groups = new Map<string, Alike>();
  const write = (): void => {
    for (const alike of groups.values()) linesOf(alike).forEach((event) => log.event(event));
    groups.clear();
  };
  return {
    event(event) {
      if (isOfRecord(event)) {
        gather(groups, event);
        if (groups.size >= MOST) write();
        return;
      }
      if (event.event === 'plan.ready' || event.event === 'run.end') write();
      log.event(event);
    },
    note: (level, message, fields) => log.note(level, message, fields),
    ofRun: (run) => groupedLog(log.ofRun(run)),
  };
}

const patternIn = (event: OfRecord): string => patternOf(reasonOf(event)).replaceAll(/"[^"]*"/gu, '…');

function gather(groups: Map<string, Alike>, event: OfRecord): void {
  const pattern = patternIn(event);
  const key = JSON.stringify({ ...event, id: '', username: '', reason: pattern });
  const alike: Alike = groups.get(key) ?? new Map<string, Group>();
  groups.set(key, alike);
  const reason = alike.has(pattern) ? pattern : reasonOf(event);
  const group = alike.get(reason) ?? { first: [], count: 0 };
  alike.set(reason, group);
  group.count += 1;
  if (group.first.length < FEW) group.first.push(event);
  if (alike.size > FEW) merge(alike, pattern);
}

function merge(alike: Alike, pattern: string): void {
  const all = [...alike.values()];
  const first = all.flatMap((group) => group.first).slice(0, FEW);
  const count = all.reduce((sum, group) => sum + group.count, 0);
  alike.clear();
  alike.set(pattern, { first, count });
}

function linesOf(alike: Alike): readonly RunEvent[] {
  return [...alike].flatMap(([reason, { first, count }]): readonly RunEvent[] => {
    const [example] = first;
    if (example === undefined || count <= FEW) return first;
    const { id: _, username: __, ...common } = example;
    const names = first.map(({ id, username }) => username ?? id ?? '');
    const own = reasonOf(example);
    return [{ ...common, count, first: names, ...(reason !== own && { reason, example: own }) }];
  });
}
