import { isRepair, type Change } from '../../domain/changes.ts';
import type { RecordedFailure } from '../../domain/ports/ledger/troubles.ts';
import type { Planned } from '../../domain/ports/ledger/plan-book.ts';
import { listSome } from '../../domain/text/printable.ts';
import { waitingReason } from './waiting-reason.ts';
import { PERSON_KINDS } from './kinds.ts';

/** A field that was set back so often in so many ms is reported and left (promise 9). */
const REPAIRS = 3;
export const REPAIRS_MS = 7 * 86_400_000;

/** What is known of earlier tries. */
export interface Tries {
  /** By subject and id. */
  readonly failures: ReadonlyMap<string, RecordedFailure>;
  /** How often each field was set back lately, by subject, id and field. */
  readonly repairs: ReadonlyMap<string, number>;
  /** What was refused is tried again at once. */
  readonly waitsForNothing: boolean;
  readonly now: number;
}

/**
 * - `planned`: it goes into the plan
 * - `fought`: somebody has edited this again and again, and means it
 * - `waits`: the service refused it, and is not asked again at once
 */
export type Admission =
  { readonly is: 'planned' } | { readonly is: 'fought' | 'waits'; readonly reason: string };

/** Returns what becomes of a decided change: most are planned. Pure. */
export function admit(planned: Planned, tries: Tries): Admission {
  const { change } = planned;
  if (isRepair(change) && isFought(change, tries)) return { is: 'fought', reason: foughtReason(change) };
  const reason = reasonToWait(planned, tries);
  return reason === null ? { is: 'planned' } : { is: 'waits', reason };
}

function isFought({ subject, id, fields }: Change, { repairs }: Tries): boolean {
  return fields.every(({ field }) => (repairs.get(`${subject} ${id} ${field}`) ?? 0) >= REPAIRS);
}

function foughtReason({ origin, fields }: Change): string {
  const times = `again after ${REPAIRS} repairs in 7 days`;
  if (origin === 'enabledAgain')
    return `has left, and was enabled in the service ${times}: left as it is, disable it there`;
  const names = listSome(
    fields.map(({ field }) => field),
    { atMost: 10 },
  );
  return `edited in the service ${times}, left: ${names}; does another rollcall work on this organization?`;
}

function reasonToWait({ change, digest }: Planned, { failures, waitsForNothing, now }: Tries): string | null {
  const failure = failures.get(`${change.subject} ${change.id}`);
  if (failure === undefined || waitsForNothing) return null;
  const isLeaving = change.subject === 'person' && PERSON_KINDS[change.kind].leaves;
  return waitingReason(failure, { digest, isLeaving, now });
}
