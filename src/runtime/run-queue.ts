import type { RunEvent, RunTrigger } from '../domain/events.ts';

export interface RunRequest {
  readonly full: boolean;
  readonly trigger: RunTrigger;
  /** Absent: nobody waits for this very run. */
  readonly asked?: AskedRun;
}

/** What was promised to who asked for a run. */
export interface AskedRun {
  /** Id of the run. */
  readonly id: string;
  /** Finds the one record that it is about; absent: all. Rejects if there is none. */
  readonly find?: ((signal: AbortSignal) => Promise<AskedRecord>) | undefined;
}

interface AskedRecord {
  readonly subject: 'unit' | 'person';
  /** Source id. */
  readonly id: string;
}

export type Added = 'begun' | 'busy' | 'stopping';

type SkipReason = RunEvent<'run.skipped'>['reason'];

interface RunQueueOptions {
  /** Makes a run. Must not reject: it decides itself what a failed run means. */
  readonly run: (request: RunRequest) => Promise<void>;
  readonly skipped: (request: RunRequest, reason: SkipReason) => void;
}

/** Runs one at a time; one more may wait, and a full one takes the place of an incremental one. */
export class RunQueue {
  readonly #options: RunQueueOptions;
  #working: Promise<void> | undefined;
  #pending: RunRequest | undefined;
  #stopped = false;

  constructor(options: RunQueueOptions) {
    this.#options = options;
  }

  add(request: RunRequest): void {
    if (this.#stopped) this.#options.skipped(request, 'stopping');
    else if (this.#working === undefined) this.#working = this.#work(request);
    else this.#wait(request);
  }

  /** Begins a run, unless one works or waits. */
  addIfIdle(request: RunRequest): Added {
    if (this.#stopped) return 'stopping';
    if (this.#working !== undefined) return 'busy';
    this.add(request);
    return 'begun';
  }

  /** Drops the run that waits, takes no other, and resolves when the current one ends. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#pending !== undefined) this.#options.skipped(this.#pending, 'stopping');
    this.#pending = undefined;
    await this.#working;
  }

  #wait(request: RunRequest): void {
    const replaces = request.full && this.#pending?.full === false;
    const loser = replaces ? this.#pending : request;
    if (this.#pending !== undefined && loser !== undefined) this.#options.skipped(loser, 'pending');
    if (this.#pending === undefined || replaces) this.#pending = request;
  }

  async #work(first: RunRequest): Promise<void> {
    let next: RunRequest | undefined = first;
    while (next !== undefined) {
      await this.#options.run(next);
      next = this.#pending;
      this.#pending = undefined;
    }
    this.#working = undefined;
  }
}
