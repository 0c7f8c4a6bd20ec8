import type { RateLimiterRes, RateLimiterStoreAbstract } from 'rate-limiter-flexible';
import { ServiceError, wordsOf } from '../../domain/errors.ts';
import { abortable, type Clock } from '../../lib/clock.ts';
import { LONGEST_PAUSE_MS, PauseTooLong, type Turns } from '../../lib/pace.ts';
import { serviceProblem } from '../wire/problems.ts';

/** A store that does not answer is asked again for so long. Nothing is sent meanwhile: the limit is a promise. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 500;
/** For so long after a failure, other callers fail at once instead of waiting again. */
const REMEMBERED_MS = 10_000;

interface Deps {
  readonly open: OpenStore;
  readonly window: TurnWindow;
  /** What the processes have in common: those with the same name share one limit. */
  readonly name: string;
  /** Address of the store, without user and password. */
  readonly place: string;
  readonly clock: Clock;
  /** How long a store that does not answer is asked again, ms; 30 s without. */
  readonly patienceMs?: number | undefined;
}

/** What the limiters reject with if no turn is left. */
const isLimitReached = (error: unknown): error is Pick<RateLimiterRes, 'msBeforeNext'> =>
  typeof error === 'object' && error !== null && 'msBeforeNext' in error;

/** Turns that several processes take from one store. Connects with the first turn, and again after each failure. */
export class SharedTurns implements Turns {
  readonly #deps: Deps;
  #store: Promise<SharedStore> | null = null;
  #unreachable: { readonly at: number; readonly error: ServiceError } | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Waits for a turn. Throws a ServiceError if the store does not answer, and PauseTooLong. */
  async take(signal: AbortSignal): Promise<void> {
    const { clock, patienceMs = PATIENCE_MS } = this.#deps;
    const startedAt = clock.now();
    const failure = this.#unreachable;
    if (failure !== null && Math.abs(startedAt - failure.at) < REMEMBERED_MS) throw failure.error;
    for (;;) {
      const answer = await this.#ask((store) => store.limiter.consume(this.#deps.name));
      if (answer === 'done') return;
      if ('error' in answer && clock.now() >= startedAt + patienceMs) throw this.#giveUp(answer.error);
      const wait = 'error' in answer ? RETRY_MS : Math.max(1, answer.waitMs);
      if (wait > LONGEST_PAUSE_MS) throw new PauseTooLong(wait);
      await clock.sleep(wait, signal);
    }
  }

  async pause(ms: number): Promise<void> {
    await this.#ask((store) => store.limiter.block(this.#deps.name, Math.ceil(ms / 1000)));
  }

  async close(): Promise<void> {
    const store = this.#store;
    this.#store = null;
    await (await store?.catch(() => null))?.close();
  }

  async #ask(
    question: (store: SharedStore) => Promise<unknown>,
  ): Promise<'done' | { readonly waitMs: number } | { readonly error: unknown }> {
    try {
      this.#store ??= this.#deps.open(this.#deps.window);
      await abortable(this.#store.then(question), AbortSignal.timeout(ANSWER_WITHIN_MS));
      return 'done';
    } catch (error) {
      if (isLimitReached(error)) return { waitMs: error.msBeforeNext };
      void this.close().catch(() => undefined);
      return { error };
    }
  }

  #giveUp(reason: unknown): ServiceError {
    const error = serviceProblem('service-no-shared-pace', {
      place: this.#deps.place,
      reason: wordsOf(reason),
    });
    this.#unreachable = { at: this.#deps.clock.now(), error };
    return error;
  }
}

/** How turns are handed out: at most `points` of them in `ms` milliseconds. */
export interface TurnWindow {
  readonly points: number;
  readonly ms: number;
}

/** A store that several processes take their turns from. */
export interface SharedStore {
  readonly limiter: RateLimiterStoreAbstract;
  close(): Promise<void>;
}

/** Opens the store. Rejects with what the driver says if it cannot be reached. */
type OpenStore = (window: TurnWindow) => Promise<SharedStore>;

/** How long one question to the store may take, ms. */
export const ANSWER_WITHIN_MS = 5_000;

const WINDOWS_A_SECOND = 10;

/**
 * Returns windows of a tenth of a second, or of one turn if the rate is lower: no second sees more than the rate and
 * one window more.
 */
export function windowOf(requestsPerSecond: number): TurnWindow {
  const points = Math.max(1, Math.floor(requestsPerSecond / WINDOWS_A_SECOND));
  let ms = Math.ceil((points * 1000) / requestsPerSecond);
  // The limiters take seconds, and make whole milliseconds of them again.
  while ((ms / 1000) * 1000 !== ms) ms += 1;
  return { points, ms };
}
