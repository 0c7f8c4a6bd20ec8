import { counted } from '../domain/text/counted.ts';
import { recordKey, type Blocked, type Edited, type Held, type WaitingLeavers } from '../domain/changes.ts';
import type { RecordState } from '../domain/records/next.ts';
import type { LeftInside } from '../domain/ports/ledger/left-inside.ts';
import type { EmployeeView } from '../domain/ports/ledger/person-row.ts';
import type { RunRecord } from '../domain/ports/ledger/runs.ts';
import type { RecordedFailure } from '../domain/ports/ledger/troubles.ts';
import type { SettledReply } from '../domain/records/approval.ts';
import type { KeptUsername } from '../domain/records/account-named.ts';
import type { SyncSettings } from '../domain/settings.ts';
import type { Line, Paint } from '../domain/text/line.ts';
import { printable, printableText } from '../domain/text/printable.ts';
import { causeLines, heldLines } from '../plan/words/describe-held.ts';
import { blockLines, type Block } from '../plan/words/block.ts';
import {
  editedBlocks,
  keptBlocks,
  sentenceBlocks,
  timesText,
  waitingTexts,
} from '../plan/words/describe-left-out.ts';
import { countRecords, recordBlocks, restParts } from '../plan/words/left-out.ts';
import { personName, type NamedPerson } from '../domain/records/named-person.ts';
import type { UnitLabels } from '../plan/words/unit-labels.ts';
import type { NextRuns } from '../runtime/schedule.ts';
import type { IncrementsFact } from '../domain/ports/source-records.ts';
import type { ChannelName } from '../domain/settings.ts';
import type { NotifyBook } from '../domain/ports/ledger/ledger-facts.ts';
import { timeText } from '../domain/text/local-time.ts';
import { rowLines, type Row } from './rows.ts';
import { standingLines, type Standing } from './standing.ts';

export interface Status extends Standing {
  readonly ledger: string;
  readonly runs: readonly RunRecord[];
  /** Whether a run is under way. */
  readonly running: boolean;
  /** Why no run can begin now: the disk is full, or the ledger read-only; `null`: one can. */
  readonly cannotRun: string | null;
  readonly units: number;
  readonly people: Readonly<Record<RecordState, number>>;
  readonly unmanaged: number;
  readonly unmanagedEmployees: readonly UnmanagedEmployee[] | null;
  readonly held: readonly Held[];
  /** People who have left and still have an active account. */
  readonly leftInside: readonly LeftInside[];
  readonly blocked: readonly Blocked[];
  /** People who are missing in the source, but not yet often enough to leave. */
  readonly waiting: readonly WaitingLeavers[];
  readonly failing: readonly RecordedFailure[];
  readonly edited: Edited;
  readonly kept: readonly KeptUsername[];
  /** How the source was read last, where `source.changes` is auto; `null`: it is off. */
  readonly increments?: IncrementsStatus | null;
  readonly untold: readonly UnsentMessages[];
  /** The last answers of approvers, newest first. */
  readonly replies: readonly SettledReply[];
  /** Next runs of the daemon; `null` where none runs. */
  readonly next: NextRuns | null;
  readonly heartbeat: number | null;
}

type UnmanagedEmployee = Omit<NamedPerson, 'label'> & Pick<EmployeeView, 'username' | 'locked'>;

interface StatusView {
  readonly labels: UnitLabels;
  readonly leavers: SyncSettings['leavers'];
  readonly paint: Paint;
  /** Zone of the times. */
  readonly zone?: string;
  /** Tells how to see all of a list, in brackets. */
  readonly more?: string;
}

/** Leavers whose account is active, records that fail, and those that are skipped or wait. */
export const RECORD_LISTS = ['leavers', 'failing', 'waiting'] as const;
export type RecordList = (typeof RECORD_LISTS)[number];

/** The status in words. */
export interface StatusParts {
  /** Why no run can begin; `null`: one can. */
  readonly alarm: string | null;
  readonly facts: readonly Row[];
  /** What is not known, and leavers whose account is still active. */
  readonly first: readonly Block[];
  readonly rest: readonly Block[];
  /** What needs attention, in one line. */
  readonly totals: string;
  /** The records that are listed above in groups, each once. */
  readonly records: Readonly<Record<RecordList, readonly Blocked[]>>;
}

const FIRST = 20;
const FIRST_OF_GROUP = 10;

/** Describes the status for a person, with a summary at the end. */
export function* describeStatus(contents: Status, view: StatusView): Iterable<Line> {
  const { paint } = view;
  const { alarm, facts, first, rest, totals } = statusParts(contents, view);
  const standing = standingLines(contents);
  if (standing.length > 0) yield* [...standing.map((line) => paint('care', line)), ''];
  if (alarm !== null) yield* [paint('alarm', alarm), ''];
  yield* [...rowLines(facts, paint), ''];
  yield* blockLines(first, paint);
  yield* heldBlocks(contents, paint);
  yield* blockLines(rest, paint);
  yield totals;
}

export function statusParts(contents: Status, view: StatusView): StatusParts {
  const { labels, leavers, paint, zone = 'UTC', more = LISTED } = view;
  const status = withoutDuplicates(contents, zone);
  const { units, people, unmanaged, cannotRun } = status;
  const inside = status.leftInside.map(asBlocked);
  const options = { labels, paint, atMost: FIRST_OF_GROUP, more };
  const kept = { ...options, atMost: FIRST };
  const missing = `${paint('care', 'missing in the source')}, waiting for confirmation, with an active account:`;
  return {
    alarm: cannotRun === null ? null : `no run can begin: ${printableText(cannotRun)}`,
    facts: [
      ...runRows(status, zone, paint),
      {
        name: 'managed',
        value: `${counted(units, 'unit')}, ${counted(people.managed, 'person', 'people')} (${people.disabled} disabled by us)`,
      },
      {
        name: 'unmanaged',
        value: `${counted(unmanaged, 'employee')} that the source does not have${more === '' ? '' : ' (--unmanaged lists them)'}`,
      },
      nextRow(status, zone),
      ...incrementRows(status.increments, zone),
      ...status.untold.flatMap((one) => messageRows(one, zone)),
      ...replyRows(status.replies, zone),
    ],
    first: [
      ...sentenceBlocks('named in the configuration, and not found:', unknownIn(status).map(printableText)),
      ...recordBlocks(paint('alarm', 'leavers whose account is still active'), inside, options),
    ],
    rest: [
      ...recordBlocks(paint('alarm', 'failing'), status.failing, options),
      ...recordBlocks(paint('care', 'skipped or waiting'), status.blocked, options),
      ...sentenceBlocks(missing, waitingTexts(status.waiting, leavers, zone)),
      ...editedBlocks(status.edited, kept),
      ...keptBlocks(status.kept, kept),
      ...unmanagedBlocks(status),
    ],
    totals: totalsText(status, paint),
    records: { leavers: inside, failing: status.failing, waiting: status.blocked },
  };
}

const LISTED = ' (--json lists them)';

type Troubles = Pick<Status, 'failing' | 'blocked'>;

/** Returns how many records are failing, and how many are skipped or wait. */
function troubleParts(troubles: Troubles, paint: Paint): readonly string[] {
  const { failing, blocked } = withoutDuplicates(troubles);
  return [
    ...(failing.length === 0 ? [] : [paint('alarm', `${failing.length} failing`)]),
    ...(blocked.length === 0 ? [] : [paint('care', `${countRecords(blocked)} skipped or waiting`)]),
  ];
}

/**
 * Lists each record once. A record that failed and is not yet tried again is among the blocked as well: here
 * it counts as failing, with the reason from there, which says when it is tried again.
 */
function withoutDuplicates<T extends Troubles>(status: T, zone = 'UTC'): T {
  const failures = new Map(status.failing.map((failure) => [recordKey(failure), failure]));
  const isFailing = (record: Blocked): boolean => {
    const failure = failures.get(recordKey(record));
    return failure !== undefined && record.goesOn !== true && record.reason.startsWith(failure.reason);
  };
  const retryReasons = new Map(status.blocked.filter(isFailing).map((one) => [recordKey(one), one.reason]));
  return {
    ...status,
    failing: status.failing.map((failure) => {
      const reason = retryReasons.get(recordKey(failure));
      return reason === undefined ? asTried(failure, zone) : { ...failure, reason };
    }),
    blocked: status.blocked.filter((record) => !isFailing(record)),
  };
}

function asTried(failure: RecordedFailure, zone: string): RecordedFailure {
  return {
    ...failure,
    reason: `${failure.reason} (${timesText(failure.attempts)}, last ${timeText(failure.lastAt, zone, 19)})`,
  };
}

interface LastRun {
  readonly last: RunRecord | undefined;
  readonly early: string | null;
  readonly paint: Paint;
}

/**
 * Returns the line for a status with nothing to list. It says that nothing waits only where the last run came
 * to its end and the next one can begin.
 */
function quietText(status: Status, { last, early, paint }: LastRun): string {
  if (status.cannotRun !== null) return `${paint('alarm', 'No run can begin')}; the reason is listed.`;
  if (early !== null) return `${paint('alarm', `The last run ${early}`)}; its reason is listed.`;
  if (last !== undefined) return 'Nothing is held, failing or waiting.';
  if (status.runs.length === 0) return 'Begin with: rollcall plan';
  return status.running
    ? 'No run has ended yet; one is under way.'
    : 'No run has ended yet: the next one goes on from where the last one was interrupted.';
}

/**
 * Returns how the last run ended early, or `null`. Such a run does not know what has changed since the run
 * before.
 */
function endedEarly(last: RunRecord | undefined): string | null {
  if (last?.result === 'failed') return 'failed';
  return last?.result === 'stopped' ? 'was stopped' : null;
}

/** Returns how many changes are held: several guards may hold one change. */
export function heldChanges(held: readonly Held[], last: RunRecord | undefined): number {
  const ofRun = last?.report?.only === true ? 0 : (last?.report?.held ?? 0);
  const sum = held.reduce((total, { count }) => total + count, 0);
  return ofRun > 0 ? Math.min(ofRun, sum) : sum;
}

/** Returns the attributes and data schemas that the last run to end found unknown. */
function unknownIn({ runs }: Status): readonly string[] {
  return runs.find(({ report }) => report !== null)?.report?.unknown ?? [];
}

/** Returns what needs attention, in one line. */
function totalsText(status: Status, paint: Paint): string {
  const { runs, held, leftInside, failing, blocked, waiting, edited, kept } = status;
  const last = runs.find(({ result }) => result !== null);
  const heldCount = heldChanges(held, last);
  const missing = waiting.reduce((sum, { count }) => sum + count, 0);
  const early = endedEarly(last);
  const unknown = unknownIn(status).length;
  const leavers = counted(leftInside.length, 'leaver');
  const parts = [
    ...(leftInside.length === 0 ? [] : [paint('alarm', `${leavers} still active`)]),
    ...(held.length === 0 ? [] : [paint('alarm', `${heldCount} held`)]),
    ...troubleParts({ failing, blocked }, paint),
    ...(unknown === 0 ? [] : [paint('care', `${unknown} not known`)]),
    ...restParts({ missing, edited, kept: kept.length }, paint),
  ];
  if (parts.length > 0 && early !== null) parts.unshift(paint('alarm', `the last run ${early}`));
  return parts.length === 0
    ? quietText(status, { last, early, paint })
    : `In all: ${parts.join('; ')}. One record: ${paint('strong', 'rollcall explain NAME')}`;
}

function runRows({ runs, running, ledger }: Status, zone: string, paint: Paint): readonly Row[] {
  if (runs.length === 0) return [{ name: 'last run', value: `no run yet (ledger ${printable(ledger)})` }];
  return runs.map(({ id, kind, startedAt, result, report }, index) => {
    const applied = report?.applied === undefined ? '' : `, ${report.applied} applied`;
    const error = report?.error === undefined ? '' : `: ${printableText(report.error)}`;
    const text = resultText(result, { isRunning: running && index === 0, paint });
    const mode = report?.mode === 'report' ? ', report only' : '';
    const value = `${timeText(startedAt, zone, 19)}  ${kind}  ${text}${mode}${applied}${error}  [${id}]`;
    return { name: index === 0 ? 'last run' : '', value };
  });
}

interface RunView {
  readonly isRunning: boolean;
  readonly paint: Paint;
}

/** Says how a run ended. A killed run left no result; the next run has settled what it left, or will. */
function resultText(result: string | null, { isRunning, paint }: RunView): string {
  if (result === null) return isRunning ? 'under way' : paint('care', 'interrupted');
  if (result === 'ok') return paint('fine', result);
  return paint(result === 'partial' ? 'care' : 'alarm', result);
}

function nextRow({ next, heartbeat }: Status, zone: string): Row {
  const time = (ms: number): string => timeText(ms, zone, 19);
  const last = heartbeat === null ? '' : ` (last heartbeat ${time(heartbeat)})`;
  if (next === null)
    return { name: 'next run', value: `no daemon is running${last}: start it with rollcall run` };
  const full = next.full === null ? '' : `, full ${time(next.full.getTime())}`;
  return { name: 'next run', value: `${time(next.incremental.getTime())}${full}` };
}

function* heldBlocks({ held }: Status, paint: Paint): Iterable<Line> {
  for (const group of held) {
    const [numbers, records] = heldLines(group);
    const command = paint('strong', `rollcall sync --approve ${group.hash}`);
    yield* [`${paint('alarm', 'HELD')} ${numbers}`, records, ...causeLines(group)];
    yield* [`  Look at them with rollcall plan, release them with: ${command}`, ''];
  }
}

/** Returns the entry with the way the person has left said only once. */
function asBlocked({ left, reason, ...record }: LeftInside): Blocked {
  return { ...record, reason: reason.includes(left) ? reason : `${left}; ${reason}` };
}

function unmanagedBlocks({ unmanagedEmployees }: Status): readonly Block[] {
  const texts = unmanagedEmployees?.map(
    ({ username: label, locked, ...one }) => `${personName({ label, ...one })}${locked ? ' locked' : ''}`,
  );
  return sentenceBlocks(`unmanaged (${texts?.length ?? 0}):`, texts ?? []);
}

/** Messages about runs that could not be sent on one channel. */
export interface UnsentMessages {
  readonly channel: ChannelName;
  /** Why the last message was not taken; `null`: it was, or there was none. */
  readonly error: NotifyBook['lastError'];
  /** Since when messages wait, since there were too many in a day, ms; `null`: none waits. */
  readonly waitingSince: number | null;
}

/** Returns why messages about runs were not sent. */
function messageRows({ channel, error, waitingSince }: UnsentMessages, zone: string): readonly Row[] {
  const texts = [
    error !== null &&
      `the last one (${timeText(error.at, zone)}) was not taken: ${printableText(error.reason)}`,
    waitingSince !== null &&
      `none is sent since ${timeText(waitingSince, zone)}: there were 20 within a day already`,
  ];
  const value = texts.find((one) => one !== false);
  const name = channel === 'messenger' ? 'messages' : channel;
  return value === undefined ? [] : [{ name, value, tone: 'care' }];
}

/** Returns who has released what by an answer, and what became of it. */
function replyRows(replies: readonly SettledReply[], zone: string): readonly Row[] {
  return replies.map((reply, n) => {
    const { at, by, text, run, left } = reply;
    return {
      name: n === 0 ? 'answers' : '',
      value: `${timeText(at, zone)} ${printable(by)}: ${printable(text)}: ${outcomeOf(reply)}`,
      tone: run === null || left === 0 ? undefined : 'care',
    };
  });
}

function outcomeOf({ run, left }: SettledReply): string {
  if (run === null) return 'waits for a run';
  if (left === null) return 'nothing was held under it any more';
  return left === 0 ? 'done' : `${left.toLocaleString('en')} not done yet after its run`;
}

/** How the source is read, as `status` shows it. */
interface IncrementsStatus {
  /** When the last full read began, ms; `null`: the next read is a full one. */
  readonly fullAt: number | null;
  /** Why the last read was a full one; `null`: it was an increment. */
  readonly why: string | null;
}

export function incrementsStatus(fact: IncrementsFact | null): IncrementsStatus | null {
  if (fact === null) return null;
  return { fullAt: fact.known?.fullAt ?? null, why: fact.why };
}

/** Returns the row about increments of the source, or none. */
function incrementRows(status: IncrementsStatus | null | undefined, zone: string): readonly Row[] {
  if (status === null || status === undefined) return [];
  const { fullAt, why } = status;
  const full =
    fullAt === null ? 'all of it is read each time' : `read in full last at ${timeText(fullAt, zone)}`;
  const last = why === null ? 'what changed since then by increments' : printableText(why);
  return [{ name: 'source', value: `${full}: ${last}` }];
}
