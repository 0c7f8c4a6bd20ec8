import { laterClock } from '../state/both-clocks.ts';
import type { RevertBook } from '../state/revert-book.ts';
import type { Run } from '../state/world.ts';

const DAY_MS = 86_400_000;

/** Returns until when a revert holds its records from the source, ms; `null`: it does not. */
export function holdEnd(run: Run, { request: { holdDays } }: RevertBook): number | null {
  return holdDays === 0 ? null : laterClock(run) + holdDays * DAY_MS;
}

/** Holds what is put back from the source, before anything is sent: a crash on the way leaves it to the next run. */
export function holdFromSource(run: Run): void {
  const { reverting, ledger } = run;
  if (reverting === null) return;
  const { holdDays } = reverting.request;
  ledger.transaction(() => {
    for (const kept of run.pins.all().filter((one) => reverting.has(one))) {
      if (holdDays > 0) ledger.pins.set(kept, { at: laterClock(run), ms: holdDays * DAY_MS });
      else ledger.pins.change(kept);
    }
  });
}
