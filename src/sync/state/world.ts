import type { Log, Progress, RunKind, RunTrigger } from '../../domain/events.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { Service, ServiceStats } from '../../domain/ports/service.ts';
import type { Source } from '../../domain/reading/source.ts';
import type { ServiceSettings, SyncSettings } from '../../domain/settings.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Approvals } from '../../plan/changes/change-digest.ts';
import type { NodeBook } from '../../plan/nodes/node-book.ts';
import type { Calls } from './calls.ts';
import type { Listing } from './listing.ts';
import type { LogoBook } from './logo-book.ts';
import type { PinBook } from './pin-book.ts';
import type { RevertRequest } from './run-request.ts';
import type { RunTally } from './run-tally.ts';
import { serviceRunProblem } from '../../domain/run-problems.ts';

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
  readonly progress: Progress;
  /**
   * Set if the service does not answer and is not asked. Then the plan compares with what the ledger last saw
   * of it.
   */
  readonly isServiceSilent?: boolean;
  /** Returns whether a full read of the source is due, the last one having begun at `since`, ms; absent: never. */
  readonly owesFullSource?: (since: number) => boolean;
}

/** A run under way. */
export interface Run extends World {
  readonly id: string;
  /** Becomes full if the service turns out not to be as it was left; so does `full`. */
  kind: RunKind;
  full: boolean;
  /** See `RunRequest.reportOnly`. */
  readonly reportOnly: boolean;
  readonly trigger: RunTrigger;
  /** A person asked for a full run: what was refused is tried again at once. */
  readonly waitsForNothing: boolean;
  /** Whether the same person says by it that the source is right: a revert is about the past. */
  readonly isSourceRight: boolean;
  readonly tally: RunTally;
  readonly calls: Calls;
  readonly lists: Listing;
  readonly oneByOne: OneByOne;
  readonly unclear: UnclearUnits;
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

/** What is needed to send a plan. */
export interface Sending {
  readonly nodes: NodeBook;
  /** Approvals of planned changes, by digest. */
  readonly approved: Approvals;
}

/** A run whose plan is made and is being sent. */
export interface SendingRun extends Run, Sending {}

/** A signal for changing calls: a stop never cuts them off, those in flight finish. */
export const UNSTOPPABLE = new AbortController().signal;

/** How many unreadable units are borne: with more of them, the service cannot be read to its end. */
const MOST_UNREADABLE = 5;

/** Units that are not in the list of organizations, and whose nodes could not be asked for either. */
export class UnclearUnits {
  /** Units whose nodes could not be asked for: source id → why. Nothing is decided about them in this run. */
  readonly units = new Map<string, string>();

  /** Counts a unit whose node cannot be read. Throws a ServiceError if there are too many. */
  unreadableUnit(id: string, reason: string): null {
    if (this.units.size === MOST_UNREADABLE)
      throw serviceRunProblem('service-unclear-units', { most: MOST_UNREADABLE, words: reason });
    this.units.set(id, `not in the list of organizations, and could not be asked for: ${reason}`);
    return null;
  }
}

/** How many units whose import was refused are tried alone by another call, while none was made that way. */
const TRIES = 4;

/** Whether new units are created one by one, because this service refuses imports of units. */
export class OneByOne {
  #works = false;
  #tries = 0;

  /** Returns whether a unit was made that way: from then on this run makes all others so. */
  get works(): boolean {
    return this.#works;
  }

  get mayBeTried(): boolean {
    return this.#tries < TRIES;
  }

  tried(): void {
    this.#tries += 1;
  }

  worked(): void {
    this.#works = true;
  }
}
