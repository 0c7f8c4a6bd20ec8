export interface RunRecord {
  readonly id: string;
  readonly kind: 'incremental' | 'full';
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly result: string | null;
  readonly exitCode: number | null;
  /** The `run.end` event's fields. */
  readonly report: Readonly<Record<string, unknown>> | null;
}

export interface Runs {
  begin(run: { readonly id: string; readonly kind: 'incremental' | 'full'; readonly at: number }): void;
  /** Ends it as the kind that it has become: a run that began small may have read everything. */
  end(run: RunRecord): void;
  last(limit: number): readonly RunRecord[];
  /** Forgets runs that began before `before`, ms. */
  prune(before: number): void;
}

export interface Lease {
  /** `null`, or who holds it. Throws a LedgerBusyError where another process is in the middle of a write. */
  acquire(holder: string): LeaseHolder | null;
  /** Returns who holds it, as far as one look can tell. */
  holder(): string | null;
  renew(): boolean;
  /** Throws a LedgerError where another process has taken it over, a stop or a sleep of this one included. */
  require(): void;
  release(): void;
}

export interface LeaseHolder {
  readonly holder: string;
  readonly expiresAt: number;
}
