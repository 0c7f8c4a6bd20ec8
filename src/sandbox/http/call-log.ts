import type { FaultKind } from '../options/faults.ts';

/** One call as the sandbox saw it. `http` is absent while it runs and where no answer was sent. */
export interface SandboxCall {
  /** Number of the call; 1 for the first. */
  readonly number: number;
  readonly at: number;
  /** Name in the table of routes, or `unknown`. */
  readonly operation: string;
  readonly method: string;
  /** Path with the query, without the token. */
  readonly path: string;
  readonly bodyBytes: number;
  readonly fault?: FaultKind | undefined;
  readonly http?: number;
  /** Status in the envelope. */
  readonly status?: number | undefined;
}

/** Number of calls that are kept: a load of 1,000,000 people must not fill the memory. */
const MOST_CALLS = 20_000;

export class CallLog {
  readonly #calls = new Map<number, SandboxCall>();
  readonly #counts = new Map<string, number>();
  #last = 0;

  begin(details: Omit<SandboxCall, 'number'>): SandboxCall {
    this.#last += 1;
    const call = { ...details, number: this.#last };
    this.#calls.set(call.number, call);
    this.#calls.delete(call.number - MOST_CALLS);
    this.#counts.set(call.operation, (this.#counts.get(call.operation) ?? 0) + 1);
    return call;
  }

  end(call: SandboxCall, http: number, status: number | undefined): void {
    if (this.#calls.has(call.number)) this.#calls.set(call.number, { ...call, http, status });
  }

  /** Returns the newest 20,000 calls. */
  get calls(): readonly SandboxCall[] {
    return [...this.#calls.values()];
  }

  /** Returns the number of all calls by operation, also those that failed on purpose. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  forget(): void {
    this.#calls.clear();
    this.#counts.clear();
  }
}
