import { isRepair, recordKey, type Change } from '../../domain/changes.ts';
import type { PlannedChange } from '../../domain/ports/ledger/plan-book.ts';
import type { RecordedFailure } from '../../domain/ports/ledger/troubles.ts';
import { listSome } from '../../domain/text/printable.ts';
import { timeText } from '../../domain/text/local-time.ts';
import { PERSON_KINDS } from './kinds.ts';

/** A field that was set back this often within `REPAIRS_MS` is reported and left (promise 9). */
const REPAIRS = 3;

/** What is known of earlier tries. */
export interface Tries {
  /** Failures by subject and id. */
  readonly failures: ReadonlyMap<string, RecordedFailure>;
  /** How often each field was set back lately, by subject, id and field. */
  readonly repairs: ReadonlyMap<string, number>;
  /** A change that was refused is tried again at once. */
  readonly waitsForNothing: boolean;
  readonly now: number;
}

/**
 * - `planned`: it goes into the plan
 * - `fought`: it was edited in the service again and again, on purpose
 * - `waits`: the service refused it, and is not asked again at once
 */
type Admission = { readonly is: 'planned' } | { readonly is: 'fought' | 'waits'; readonly reason: string };

/** Returns what becomes of a decided change: most are planned. Pure. */
export function admit(planned: PlannedChange, tries: Tries): Admission {
  const { change } = planned;
  if (isRepair(change) && isFought(change, tries)) return { is: 'fought', reason: foughtReason(change) };
  const reason = reasonToWait(planned, tries);
  return reason === null ? { is: 'planned' } : { is: 'waits', reason };
}

function isFought({ subject, id, fields }: Change, { repairs }: Tries): boolean {
  return fields.every(({ field }) => (repairs.get(`${subject} ${id} ${field}`) ?? 0) >= REPAIRS);
}

function foughtReason({ why, fields }: Change): string {
  const times = `again after ${REPAIRS} repairs in 7 days`;
  if (why.code === 'enabledAgain')
    return `has left, and was enabled in the service ${times}: it stays enabled, disable it there`;
  const names = listSome(
    fields.map(({ field }) => field),
    { atMost: 10 },
  );
  return `edited in the service ${times}, left: ${names}; does another rollcall work on this organization?`;
}

function reasonToWait(
  { change, digest }: PlannedChange,
  { failures, waitsForNothing, now }: Tries,
): string | null {
  const failure = failures.get(recordKey(change));
  if (failure === undefined || waitsForNothing) return null;
  const isLeaving = change.subject === 'person' && PERSON_KINDS[change.kind].leaves;
  return waitingReason(failure, { digest, isLeaving, now });
}

const MINUTE_MS = 60_000;
/** Pause by the number of refusals of one change, ms: none after the first, then longer ones, in the end a day. */
const PAUSES_MS = [0, 0, 15 * MINUTE_MS, 60 * MINUTE_MS, 240 * MINUTE_MS, 1_440 * MINUTE_MS];

/**
 * The same after failures of the service itself. That it was down is not the record's fault. But a record that fails
 * over and over has to wait: a few of them together would end every run before the others' turn.
 */
const PAUSES_IN_DOUBT_MS = [0, 0, 0, 15 * MINUTE_MS, 60 * MINUTE_MS];

/** The longest pause of a leaver: an account that is still active is worth a call an hour. */
const LONGEST_OF_LEAVERS_MS = 60 * MINUTE_MS;

/** Returns when a change that was not done is tried again, ms. */
function nextTry({ kind, attempts, lastAt }: RecordedFailure, isLeaving: boolean): number {
  const pauses = kind === 'doubt' ? PAUSES_IN_DOUBT_MS : PAUSES_MS;
  const pause = pauses[attempts] ?? pauses.at(-1) ?? 0;
  return lastAt + (isLeaving ? Math.min(pause, LONGEST_OF_LEAVERS_MS) : pause);
}

interface Retry {
  /** Digest of the change that is planned now. */
  readonly digest: string;
  readonly isLeaving: boolean;
  readonly now: number;
}

/** Returns why this change waits, or `null`. A try that was stored with a time in the future does not count. */
function waitingReason(failure: RecordedFailure, { digest, isLeaving, now }: Retry): string | null {
  const next = nextTry(failure, isLeaving);
  if (failure.digest !== digest || failure.lastAt > now || now >= next) return null;
  return `${failure.reason} (${failure.attempts} times; tried again after ${timeText(next)}, by sync --full, or when the record changes)`;
}
