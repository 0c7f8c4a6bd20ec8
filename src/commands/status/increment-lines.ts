import type { IncrementsFact } from '../../domain/ports/source-records.ts';
import { printableText } from '../../domain/text/printable.ts';
import { timeText } from '../../domain/text/time-text.ts';

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
