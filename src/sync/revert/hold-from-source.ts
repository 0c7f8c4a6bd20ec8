import type { Change } from '../../domain/changes.ts';
import { laterClock } from '../state/both-clocks.ts';
import type { RevertBook } from '../state/revert-book.ts';
import type { Run } from '../state/world.ts';

const DAY_MS = 86_400_000;

/** Returns until when a revert holds its records from the source, ms; `null`: it does not. */
export function holdEnd(run: Run, { request: { holdDays } }: RevertBook): number | null {
  return holdDays === 0 ? null : laterClock(run) + holdDays * DAY_MS;
}

const keyOf = ({ subject, id }: Pick<Change, 'subject' | 'id'>): string => `${subject} ${id}`;

/**
 * Holds what is put back from the source, before anything is sent: a crash on the way leaves it to the next run. What a
 * guard holds back stays with the source; and what is put back for no days is not held any more, as by an earlier revert.
 */
export function holdFromSource(run: Run): void {
  const { reverting, ledger } = run;
  if (reverting === null) return;
  const held = new Set<string>();
  // Of a record of which a part goes on, that part comes first.
  const seen = new Set<string>();
  for (const { change, isHeld } of ledger.plan.sequencedChanges()) {
    if (isHeld && !seen.has(keyOf(change))) held.add(keyOf(change));
    seen.add(keyOf(change));
  }
  const own = run.pins.all().filter((one) => reverting.has(one) && !held.has(keyOf(one)));
  const at = laterClock(run);
  ledger.transaction(() => {
    for (const kept of own) {
      if (kept.until === null) ledger.pins.release(kept.subject, kept.id);
      else ledger.pins.set(kept, { at, ms: kept.until - at });
    }
  });
}
