import type { Change } from '../../domain/changes.ts';
import { AmbiguousError, RefusedError } from '../../domain/errors.ts';
import type { Operation, Settlement } from '../../domain/ports/ledger/journal.ts';
import { backOffMs } from '../../lib/pace.ts';
import { checkpoint, type Run } from '../state/world.ts';
import { countFailed, failureOf, type Item } from './call-item.ts';

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
 * Makes one changing call: it is written down, sent, and settled together with the ledger. After an unclear answer the
 * service is read, and the call is sent again if it was not done. If that stays unclear, the next run reads before
 * it decides (promise 6).
 */
export async function journalled(run: Run, call: JournalledCall): Promise<'settled' | 'split'> {
  return settleSent(run, await openAndSend(run, call));
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

export async function openAndSend(run: Run, call: JournalledCall): Promise<SentCall> {
  checkpoint(run.stop);
  const number = run.ledger.journal.open(call);
  return { call, number, settlements: await settlementsOf(run, call) };
}

export function settleSent(run: Run, { number, settlements }: SentCall): 'settled' | 'split' {
  const { journal } = run.ledger;
  if (settlements === 'split') {
    journal.settle(number, []);
    return 'split';
  }
  journal.settle(number, settlements);
  for (const settlement of settlements) count(run, settlement);
  return 'settled';
}

/** Halves a batch that fails as a whole: at most 2·⌈log2 n⌉ more calls for one bad record. */
export async function halving<T>(
  batch: readonly T[],
  work: (batch: readonly T[]) => Promise<'settled' | 'split'>,
): Promise<void> {
  if ((await work(batch)) === 'settled') return;
  for (const half of halvesOf(batch)) await halving(half, work);
}

export function halvesOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)];
}

async function settlementsOf(run: Run, call: JournalledCall): Promise<readonly Settlement[] | 'split'> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const settlements = await call.send();
      run.failures.answered();
      run.refusals.taken(call.operation);
      return settlements;
    } catch (error) {
      if (error instanceof RefusedError) return refused(run, call, error);
      if (!(error instanceof AmbiguousError)) throw error;
      const found = await call.look();
      if (found !== null) return found;
      if (attempt >= triesOf(call, error)) return giveUp(run, call, error);
      await run.clock.sleep(backOffMs(attempt, BACK_OFF, Math.random()), run.stop);
    }
  }
}

function triesOf({ splits }: JournalledCall, { throttled }: AmbiguousError): number {
  if (throttled) return TRIES.throttled;
  return splits ? TRIES.batch : TRIES.single;
}

function refused(run: Run, call: JournalledCall, error: RefusedError): readonly Settlement[] | 'split' {
  if (error.unheard) run.failures.failed(call.items, error.message);
  else run.failures.answered();
  run.refusals.refused(call.operation, error.message);
  return call.splits ? 'split' : call.items.map((item) => failed(run, item, error.message));
}

/**
 * Gives up a call. For a batch, a read tells a bad record in it from a service that is down: if the read fails too,
 * it ends the run.
 */
async function giveUp(
  run: Run,
  { items, splits }: JournalledCall,
  { message, throttled }: AmbiguousError,
): Promise<readonly Settlement[] | 'split'> {
  run.failures.failed(items, message);
  if (!splits || throttled) return items.map((item) => doubt(run, item, message));
  await run.service.root(run.stop);
  return 'split';
}

export function failed(run: Run, record: Change | Item, reason: string): Settlement {
  return { is: 'failed', failure: failureOf(record, reason), at: run.clock.now() };
}

/**
 * Returns the settlement of a record that is neither done nor refused for certain: noted as failed, and read before
 * anything else is decided.
 */
export function doubt(run: Run, record: Change | Item, reason: string): Settlement {
  return { is: 'doubt', failure: failureOf(record, reason), at: run.clock.now() };
}

/** Settlements of steps: another call completes the change. */
const STEPS: ReadonlySet<Settlement['is']> = new Set(['enabled', 'modified', 'noted', 'swept', 'vanished']);

function count(run: Run, settlement: Settlement): void {
  if (!('failure' in settlement)) {
    if (!STEPS.has(settlement.is)) run.tally.applied += 1;
    return;
  }
  countFailed(run, settlement.failure);
}
