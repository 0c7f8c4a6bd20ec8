import type { Log, Progress, RunKind } from '../../domain/events.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { Service, ServiceStats } from '../../domain/ports/service.ts';
import type { ServiceSettings, SyncSettings } from '../../domain/settings.ts';
import type { Source } from '../../domain/reading/source.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Approvals } from '../../plan/changes/change-digest.ts';
import type { NodeBook } from '../../plan/nodes/node-book.ts';
import type { OneByOne } from './one-by-one.ts';
import type { RevertRequest } from './run-request.ts';
import type { PinBook } from './pin-book.ts';
import type { LogoBook } from './logo-book.ts';
import type { FailuresInARow } from './failures-in-a-row.ts';
import type { Refusals } from './refusals.ts';
import type { RunTally } from './run-tally.ts';
import type { UnclearAccounts } from './unclear-accounts.ts';

/** Everything a run works with. */
export interface World {
  readonly source: Source;
  readonly service: Service;
  readonly ledger: Ledger;
  readonly sync: SyncSettings;
  readonly limits: ServiceSettings['limits'];
  readonly log: Log;
  readonly clock: Clock;
  /** Aborted when the run is to end after the calls in flight. */
  readonly stop: AbortSignal;
  /** Aborted when the process ends at once: only what needs no waiting is still recorded. */
  readonly quit?: AbortSignal;
  /** For how many days the history is kept; settled calls and ended runs are remembered for 90 of them at most. */
  readonly keepDays: number;
  /** Whether the history also goes into a file: until then nothing of it is forgotten. */
  readonly archives?: boolean;
  readonly progress: Progress;
  /** The service does not answer, and is not asked: a plan is made beside what the ledger last saw of it. */
  readonly isServiceSilent?: boolean;
  /** Returns whether a full read of the source is due, the last one having begun at `since`, ms; absent: never. */
  readonly owesFullSource?: (since: number) => boolean;
}

/** A run under way. */
export interface Run extends World {
  readonly id: string;
  /** Becomes full where the service turns out not to be as it was left; so does `full`. */
  kind: RunKind;
  full: boolean;
  /** A person asked for a full run: what was refused is tried again at once. */
  readonly waitsForNothing: boolean;
  readonly tally: RunTally;
  readonly failures: FailuresInARow;
  readonly refusals: Refusals;
  readonly oneByOne: OneByOne;
  readonly unclear: UnclearAccounts;
  readonly logos: LogoBook;
  /** Records that are what a revert wants, and not what the source says. */
  readonly pins: PinBook;
  /** What this run puts back of another one; `null`: it is no revert. */
  readonly reverting: RevertRequest | null;
  /** Calls that earlier runs made over the same client. */
  readonly callsBefore: ServiceStats;
}

/** A run that has read both sides. */
export interface PlanningRun extends Run {
  readonly nodes: NodeBook;
}

/** A run whose plan is made and is being sent. */
export interface SendingRun extends PlanningRun {
  /** Approvals of planned changes, by digest. */
  readonly approved: Approvals;
}

/** A signal for changing calls: a stop never cuts them off, those in flight finish. */
export const UNSTOPPABLE = new AbortController().signal;
