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
  readonly pattern: string;
  count: number;
  isSame: boolean;
}

const isOfRecord = (event: RunEvent): event is OfRecord =>
  'id' in event && OF_RECORDS.some((name) => name === event.event);

const reasonOf = (event: OfRecord): string => ('reason' in event ? event.reason : '');

/** Returns the log of a run in which a reason that is the same for many records is one line: before the plan, and at the end. */
export function groupedLog(log: Log): Log {
  const groups = new Map<string, Group>();
  const write = (): void => {
    for (const group of groups.values()) linesOf(group).forEach((event) => log.event(event));
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

function gather(groups: Map<string, Group>, event: OfRecord): void {
  const pattern = patternOf(reasonOf(event)).replaceAll(/"[^"]*"/gu, '…');
  const key = JSON.stringify({ ...event, id: '', username: '', reason: pattern });
  const group = groups.get(key) ?? { first: [event], pattern, count: 0, isSame: true };
  groups.set(key, group);
  const { first } = group;
  group.isSame &&= first.every((one) => reasonOf(one) === reasonOf(event));
  if (group.count > 0 && first.length < FEW) first.push(event);
  group.count += 1;
}

function linesOf({ first, pattern: reason, count, isSame }: Group): readonly RunEvent[] {
  const [example] = first;
  if (example === undefined || count <= FEW) return first;
  const { id: _, username: __, ...common } = example;
  const names = first.map(({ id, username }) => username ?? id ?? '');
  return [{ ...common, count, first: names, ...(!isSame && { reason, example: reasonOf(example) }) }];
}
