import type { Change } from '../../domain/changes.ts';
import { AmbiguousError, RefusedError } from '../../domain/errors.ts';
import type { Operation, Settlement } from '../../domain/ports/ledger/journal.ts';
import { backOffMs } from '../../lib/pace.ts';
import type { RunTally } from './run-tally.ts';
import { checkpoint } from './checkpoint.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { Service } from '../../domain/ports/service.ts';
import type { Clock } from '../../lib/clock.ts';
import { failureOf, type Item } from './call-item.ts';
import { FailuresInARow } from './failures-in-a-row.ts';
import type { Listing } from './listing.ts';
import { Refusals } from './refusals.ts';

/**
 * How often a call is tried. A service that asks for fewer calls gets more patience; a batch gets less, since one
 * record in it may be the cause.
 */
const TRIES = { single: 4, batch: 3, throttled: 10 } as const;
const BACK_OFF = { firstMs: 500, longestMs: 8_000 };

export interface JournalledCall {
  readonly operation: Operation;
  readonly items: readonly Item[];
  /** Sends the call; returns what became of each record. */
  readonly send: () => Promise<readonly Settlement[]>;
  /**
   * Whether the call has several records: one that fails as a whole is halved until the bad record is found (promise
   * 5).
   */
  readonly splits: boolean;
  /** Reads what became of the call after an unclear answer; `null`: it was not done, and is sent again. */
  readonly look: () => Promise<readonly Settlement[] | null>;
}

/**
 * A call that was sent and is still open in the journal. If a later run finds it open, that run reads whether
 * it was done.
 */
export interface SentCall {
  readonly call: JournalledCall;
  readonly number: number;
  readonly settlements: readonly Settlement[] | 'split';
}

/** Settlements of steps: another call completes the change. */
const STEPS: ReadonlySet<Settlement['is']> = new Set(['enabled', 'modified', 'noted', 'swept', 'vanished']);

interface Asked {
  readonly service: Service;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}

/** Makes changing calls. */
export class Calls {
  readonly refusals = new Refusals();
  readonly #failures = new FailuresInARow();
  /** How many records imports have at most, where the service has refused more. */
  readonly #sizes = new Map<Operation, number>();
  readonly #world: Asked;
  readonly #tally: RunTally;
  readonly #lists: Listing;

  constructor(world: Asked, tally: RunTally, lists: Listing) {
    this.#world = world;
    this.#tally = tally;
    this.#lists = lists;
  }

  /** Returns how many records the next import has at most. */
  sizeOf(operation: Operation, most: number): number {
    return Math.min(most, this.#sizes.get(operation) ?? most);
  }

  /**
   * Notes the smallest part in which a batch passed. A bad record is sent alone in the end, so with more than one it was
   * the size that was wrong: the run keeps to the one that passed.
   */
  keepTo(operation: Operation, batch: number, passed: number): void {
    if (passed > 1 && passed < batch) this.#sizes.set(operation, this.sizeOf(operation, passed));
  }

  /**
   * Makes one call: it is written down, sent, and settled together with the ledger. After an unclear answer the service is
   * read, and the call is sent again if it was not done. If that stays unclear, the next run reads before it decides
   * (promise 6).
   */
  async make(call: JournalledCall): Promise<'settled' | 'split'> {
    return this.settle(await this.open(call));
  }

  async open(call: JournalledCall): Promise<SentCall> {
    const { stop, ledger } = this.#world;
    checkpoint(stop);
    const number = ledger.journal.open(call);
    return { call, number, settlements: await this.#settlementsOf(call) };
  }

  settle({ number, settlements }: SentCall): 'settled' | 'split' {
    const { journal } = this.#world.ledger;
    if (settlements === 'split') {
      journal.settle(number, []);
      return 'split';
    }
    journal.settle(number, settlements);
    for (const settlement of settlements) this.#count(settlement);
    return 'settled';
  }

  failed(record: Change | Item, reason: string): Settlement {
    return { is: 'failed', failure: failureOf(record, reason), at: this.#world.clock.now() };
  }

  /**
   * Returns the settlement of a record that is neither done nor refused for certain: noted as failed, and read before
   * anything else is decided.
   */
  doubt(record: Change | Item, reason: string): Settlement {
    return { is: 'doubt', failure: failureOf(record, reason), at: this.#world.clock.now() };
  }

  async #settlementsOf(call: JournalledCall): Promise<readonly Settlement[] | 'split'> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const settlements = await call.send();
        this.#failures.answered();
        this.refusals.taken(call.operation);
        return settlements;
      } catch (error) {
        if (error instanceof RefusedError) return this.#refused(call, error);
        if (!(error instanceof AmbiguousError)) throw error;
        const found = await call.look();
        if (found !== null) return found;
        if (attempt >= triesOf(call, error)) return this.#giveUp(call, error);
        const { clock, stop } = this.#world;
        await clock.sleep(backOffMs(attempt, BACK_OFF, Math.random()), stop);
      }
    }
  }

  #refused(call: JournalledCall, error: RefusedError): readonly Settlement[] | 'split' {
    if (error.unheard) this.#failures.failed(call.items, error.message);
    else this.#failures.answered();
    this.refusals.refused(call.operation, error.message);
    return call.splits ? 'split' : call.items.map((item) => this.failed(item, error.message));
  }

  /**
   * Gives up a call. For a batch, a read tells a bad record in it from a service that is down: if the read fails too,
   * it ends the run.
   */
  async #giveUp(
    { items, splits }: JournalledCall,
    { message, throttled }: AmbiguousError,
  ): Promise<readonly Settlement[] | 'split'> {
    this.#failures.failed(items, message);
    if (!splits || throttled) return items.map((item) => this.doubt(item, message));
    await this.#world.service.root(this.#world.stop);
    return 'split';
  }

  #count(settlement: Settlement): void {
    if ('failure' in settlement) this.#lists.failed(settlement.failure);
    else if (!STEPS.has(settlement.is)) this.#tally.applied += 1;
  }
}

function triesOf({ splits }: JournalledCall, { throttled }: AmbiguousError): number {
  if (throttled) return TRIES.throttled;
  return splits ? TRIES.batch : TRIES.single;
}

/**
 * Halves a batch that fails as a whole: at most 2·⌈log2 n⌉ more calls for one bad record. Returns the size of the smallest
 * part that was sent.
 */
export async function halving<T>(
  batch: readonly T[],
  work: (batch: readonly T[]) => Promise<'settled' | 'split'>,
): Promise<number> {
  if ((await work(batch)) === 'settled') return batch.length;
  const sizes: number[] = [];
  for (const half of halvesOf(batch)) sizes.push(await halving(half, work));
  return Math.min(...sizes);
}

export function halvesOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)];
}
