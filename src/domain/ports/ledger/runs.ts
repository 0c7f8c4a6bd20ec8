import type { RunEnd, RunTrigger } from '../../events.ts';

export interface RunRecord {
  readonly id: string;
  readonly kind: 'incremental' | 'full';
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly result: string | null;
  readonly exitCode: number | null;
  /** Fields of the `run.end` event, and what asked for the run, as far as the rollcall of then had them. */
  readonly report: Readonly<Partial<RunEnd> & { readonly trigger?: RunTrigger }> | null;
}

interface EndedRun extends RunRecord {
  /**
   * Whether nothing was planned, held, listed or sent. Such a run is forgotten when it is no longer among the
   * last.
   */
  readonly isQuiet: boolean;
}

export interface Runs {
  begin(run: { readonly id: string; readonly kind: 'incremental' | 'full'; readonly at: number }): void;
  /**
   * Ends a run, as the kind that it has become: one that began as incremental may have read everything. Drops the
   * approvals of what it has sent, unless that has failed since. Without a result it is taken out: what was asked for
   * could not be done, and nothing was.
   */
  end(run: EndedRun | Pick<EndedRun, 'id'>): void;
  /** Returns the last runs, the newest first. Up to 1,000 of them are complete: see `Old.quietRuns`. */
  last(limit: number): readonly RunRecord[];
  /** Returns a run by its id; `null`: it is not known, or is forgotten. */
  find(id: string): RunRecord | null;
}

export interface Lease {
  /**
   * Takes the lease; returns `null`, or who holds it instead. Throws a LedgerBusyError if another process is in
   * the middle of a write.
   */
  acquire(holder: string): string | null;
  /** Returns who holds the lease, as far as one look can tell. */
  holder(): string | null;
  renew(): boolean;
  /**
   * Throws a LedgerError if another process has taken the lease over, also while this one was stopped or
   * asleep.
   */
  require(): void;
  release(): void;
}
