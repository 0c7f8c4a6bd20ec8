import type { Change, Plan } from '../../domain/changes.ts';
import type { SourceEvidence } from '../../domain/reading/source.ts';
import type { Paint } from '../../domain/text/line.ts';
import { listSome, printable } from '../../domain/text/printable.ts';
import { agoText, timeText } from '../../domain/text/time-text.ts';
import { whatIf, whatIfText } from './what-if.ts';

export interface RecordedPlan {
  readonly plan: Plan;
  readonly changes: Iterable<Change>;
  readonly now: number;
  readonly paint: Paint;
}

/** Returns what stands above the plan of an earlier read: how old it is, what it comes to, and what it cannot tell. */
export function describeRecorded({ plan, changes, now, paint }: RecordedPlan): readonly string[] {
  const { source } = plan.evidence;
  if (source.recordedAt === undefined) return [];
  const age = agoText(Math.max(0, now - source.recordedAt));
  return [
    `${paint('strong', 'What-if')}: the read of ${timeText(source.recordedAt)} (${age}), planned under this configuration.`,
    'Neither source nor service were asked: accounts and nodes are as the ledger last saw them. Nothing here can be approved.',
    ...untoldLines(source),
    paint('strong', whatIfText(whatIf(plan, changes))),
    '',
  ];
}

function untoldLines({ notKept = [] }: SourceEvidence): readonly string[] {
  const places = notKept.flatMap((one) => one.places.map((place) => printable(place)));
  if (places.length === 0) return [];
  return [`Not planned, since secrets and pictures are not kept: ${listSome([...new Set(places)])}.`];
}
