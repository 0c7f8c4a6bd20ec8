import type { IncrementsFact } from '../domain/ports/source-records.ts';
import type { SettledReply } from '../domain/records/approval.ts';
import type { NotifyBook } from '../domain/ports/ledger/ledger-facts.ts';
import type { Line, Paint } from '../domain/text/line.ts';
import { printable, printableText } from '../domain/text/printable.ts';
import { timeText } from '../domain/text/local-time.ts';

/** What people were not told of the runs. */
export interface Untold {
  /** Why the last message was not taken; `null`: it was, or there was none. */
  readonly error: NotifyBook['lastError'];
  /** Since when messages wait, since there were too many in a day, ms; `null`: none waits. */
  readonly waitingSince: number | null;
}

export const NOTHING_UNTOLD: Untold = { error: null, waitingSince: null };

/** Describes why people were not told of the runs. Times are UTC. */
export function untoldLines({ error: untold, waitingSince }: Untold, paint: Paint): readonly Line[] {
  if (untold === null && waitingSince !== null)
    return [
      paint(
        'care',
        `messages    none is sent since ${minute(waitingSince)}: there were 20 within a day already`,
      ),
    ];
  if (untold === null) return [];
  return [
    paint(
      'care',
      `messages    the last one (${minute(untold.at)}) was not taken: ${printableText(untold.reason)}`,
    ),
  ];
}

/** Describes who has released what by an answer, and what became of it. */
export function replyLines(replies: readonly SettledReply[], paint: Paint): readonly Line[] {
  return replies.map((reply, n) => {
    const { at, by, text } = reply;
    const line = `${n === 0 ? 'answers' : ''.padEnd(7)}     ${minute(at)} ${printable(by)}: ${printable(text)}: ${outcomeOf(reply)}`;
    return reply.run === null || reply.left === 0 ? line : paint('care', line);
  });
}

function outcomeOf({ run, left }: SettledReply): string {
  if (run === null) return 'waits for a run';
  if (left === null) return 'nothing was held under it any more';
  return left === 0 ? 'done' : `${left.toLocaleString('en')} not done yet after its run`;
}

const minute = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

/** How the source is read, as `status` shows it. */
export interface IncrementsStatus {
  /** When the last full read began, ms; `null`: the next read is a full one. */
  readonly fullAt: number | null;
  /** Why the last read was a full one; `null`: it was an increment. */
  readonly why: string | null;
}

export function incrementsStatus(fact: IncrementsFact | null): IncrementsStatus | null {
  if (fact === null) return null;
  return { fullAt: fact.known?.fullAt ?? null, why: fact.why };
}

/** Returns the lines about increments of the source, or none. */
export function incrementLines(status: IncrementsStatus | null | undefined): readonly string[] {
  if (status === null || status === undefined) return [];
  const { fullAt, why } = status;
  const full = fullAt === null ? 'all of it is read each time' : `read in full last at ${timeText(fullAt)}`;
  const last = why === null ? 'what changed since then by increments' : printableText(why);
  return [`source      ${full}: ${last}`];
}
