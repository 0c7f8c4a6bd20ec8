import { LedgerError } from '../../domain/errors.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import { earlierClock } from '../state/both-clocks.ts';
import type { Run } from '../state/world.ts';

const MB = 1_048_576;
/** What of a run decides about that. */
type Tidied = Pick<Run, 'log' | 'clock' | 'full' | 'waitsForNothing' | 'stop'> & {
  readonly ledger: Pick<Ledger, 'space'>;
};

/** A file up to this size is written anew within seconds. */
const SMALL = 128 * MB;

/**
 * Gives room of the ledger that is free back to the disk. A ledger of an older version is written anew once, which it
 * takes for that: at the end of a full run, and a large one only where somebody waits for this run and has asked for it.
 * No run fails by any of this.
 */
export function tidyUp(run: Tidied, isWhole: boolean): void {
  const { ledger, log } = run;
  try {
    ledger.space.giveBack();
    if (run.full && isWhole && !run.stop.aborted && ledger.space.state().isRigid) loosen(run);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    log.note('warn', 'the ledger cannot give room back to the disk', { error });
  }
}

const megabytes = (bytes: number): number => Math.ceil(bytes / MB);

/** Writes the file anew where that is safe, and says so before: nothing else goes on meanwhile. */
function loosen(run: Tidied): void {
  const { ledger, log, clock } = run;
  const { space } = ledger;
  const sizeMB = megabytes(space.state().bytes);
  const obstacle = obstacleOf(run);
  if (obstacle !== null) return log.note('info', obstacle.message, { sizeMB, ...obstacle.fields });
  log.note('info', 'the ledger is written anew, once, so that it can give free room back', { sizeMB });
  const began = clock.now();
  space.writeAnew();
  const after = { beforeMB: sizeMB, sizeMB: megabytes(space.state().bytes), ms: clock.now() - began };
  log.note('info', 'the ledger was written anew', after);
}

interface Obstacle {
  readonly message: string;
  readonly fields: Readonly<Record<string, number>>;
}

/** Returns why the file is not written anew now, or `null`. */
function obstacleOf({ ledger: { space }, waitsForNothing }: Tidied): Obstacle | null {
  const { bytes, lackingRoom } = space.state();
  if (bytes > SMALL && !waitsForNothing)
    return {
      message: 'the ledger can give no room back until rollcall sync --full, by hand, writes it anew',
      fields: {},
    };
  if (lackingRoom === null) return null;
  return {
    message:
      'the ledger is not written anew: its disk, or the folder for temporary files, has too little room for that',
    fields: { neededMB: megabytes(lackingRoom) },
  };
}

const DAY_MS = 86_400_000;
/** Days for which calls and ended runs are of use; the history alone is kept for longer. */
const CALLS_DAYS = 90;
/** A run a minute makes 1,440 quiet runs a day. */
const QUIET_DAYS = 3;

/** Forgets what is old by our clock and by the service's: a clock that is set too far ahead must not erase it. */
export function forgetOld(run: Run): void {
  const { ledger, keepDays, archives = false } = run;
  const now = earlierClock(run);
  const written = archives ? (ledger.fact('archive')?.n ?? 0) : Number.MAX_SAFE_INTEGER;
  ledger.forgetOld({
    calls: now - Math.min(keepDays, CALLS_DAYS) * DAY_MS,
    quietRuns: now - QUIET_DAYS * DAY_MS,
    history: { before: now - keepDays * DAY_MS, upTo: written },
    pins: now,
  });
}
