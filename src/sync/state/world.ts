import type { Evidence } from '../../domain/changes.ts';
import type { Log, Progress, RunKind } from '../../domain/events.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { Service, ServiceStats } from '../../domain/ports/service.ts';
import type { ServiceSettings, SyncSettings } from '../../domain/settings.ts';
import type { Source } from '../../domain/records/source.ts';
import type { Clock } from '../../lib/clock.ts';
import type { FailuresInARow } from './failures-in-a-row.ts';
import type { Refusals } from './refusals.ts';
import type { RunTally } from './run-tally.ts';

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
  /** Aborted when the process ends at once: what can be recorded without waiting is. */
  readonly quit?: AbortSignal;
  /** How long settled calls and ended runs are remembered, days. */
  readonly keepDays: number;
  readonly progress: Progress;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A run under way. */
export interface Run extends World {
  readonly id: string;
  /** Becomes full where the service turns out not to be as it was left. */
  kind: RunKind;
  full: boolean;
  /** Asked for by a person, in full: what was refused is tried again at once. */
  readonly waitsForNothing: boolean;
  readonly tally: RunTally;
  readonly failures: FailuresInARow;
  readonly refusals: Refusals;
  /** Filled in as each side has been read to its end. */
  readonly evidence: Partial<Mutable<Evidence>>;
  /** Calls of earlier runs over the same client. */
  readonly callsBefore: ServiceStats;
  /** Digests of planned changes that a person approved. */
  readonly approved: Set<string>;
  /** Those of them that are not planned in this run, only because they wait for something. */
  readonly paused: Set<string>;
  /** Units whose move is done in this run. */
  readonly moved: Set<string>;
  /** Usernames of accounts of ours that could be asked for neither by username nor by id. */
  readonly unreadable: Set<string>;
  /** The same of those about whom the service refused to tell. */
  readonly refused: Set<string>;
  /** Organization id of each unit that has one; grows as units are created. `null` is the service's root. */
  readonly orgIds: Map<string | null, string>;
  /** The unit of each node that is ours, those that its unit has left as well; grows likewise. */
  readonly nodes: Map<string, string | null>;
}

/** Changing calls are never cut off by a stop: those in flight finish. */
export const UNSTOPPABLE = new AbortController().signal;
