import { parseSettings, quantity, type Setting, type ValuesOf } from './settings.ts';

/**
 * Faults that are made on purpose. With 429, 500, dropBefore and html nothing is done; with dropAfter, cut
 * and slow the work is done and only the answer is spoilt.
 */
export const FAULT_KINDS = ['429', '500', 'dropBefore', 'html', 'dropAfter', 'cut', 'slow'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  readonly slowMs: number;
  /** Seconds for `Retry-After`; a 429 comes with or without it. */
  readonly retryAfter?: number;
}

const SETTINGS = {
  seed: quantity('other faults for the same calls', 1),
  /** Share of the calls that fail, 0 to 1. */
  rate: {
    values: '0.1',
    byDefault: 0.1,
    about: 'share of the calls that fail',
    parse: (text) => (/^(?:0|1|0?\.\d+|1\.0+)$/.test(text) ? Number(text) : undefined),
  } satisfies Setting<number>,
  kinds: {
    values: FAULT_KINDS.join('+'),
    byDefault: FAULT_KINDS,
    about: 'kinds of faults',
    parse: kindsIn,
  } satisfies Setting<readonly FaultKind[]>,
  slowMs: quantity('milliseconds that a slow call takes', 50),
  ops: {
    values: 'OPERATION+OPERATION',
    byDefault: [],
    about: 'operations that fail; none: all',
    parse: (text) => text.split('+'),
  } satisfies Setting<readonly string[]>,
  max: quantity('most faults', Infinity),
};

function kindsIn(text: string): readonly FaultKind[] | undefined {
  const kinds = text.split('+').map((name) => FAULT_KINDS.find((kind) => kind === name));
  return kinds.every((kind) => kind !== undefined) ? kinds : undefined;
}

/**
 * Plans faults from a spec such as `seed=7,rate=0.2,kinds=429+cut,slowMs=50,ops=importEmployees,max=3`; the
 * same spec and calls give the same faults.
 */
export class FaultPlan {
  readonly #spec: ValuesOf<typeof SETTINGS>;
  readonly #random: () => number;
  #remaining: number;

  constructor(spec: string | undefined) {
    const parts = spec?.split(',').map((part) => part.trim()) ?? ['rate=0'];
    this.#spec = parseSettings(
      'Fault setting',
      SETTINGS,
      parts.filter((part) => part !== ''),
    );
    this.#random = mulberry32(this.#spec.seed);
    this.#remaining = this.#spec.max;
  }

  /**
   * Draws a fault, or none, for the next call. The number of draws is always the same, so that one outcome
   * does not shift the others.
   */
  next(operation: string): Fault | undefined {
    const { rate, kinds, ops, slowMs } = this.#spec;
    const [hit, which, after] = [this.#random(), this.#random(), this.#random()];
    const applies = ops.length === 0 || ops.includes(operation);
    const kind = kinds[Math.floor(which * kinds.length)];
    if (!applies || hit >= rate || kind === undefined || this.#remaining <= 0) return undefined;
    this.#remaining -= 1;
    return { kind, slowMs, ...(after < 0.5 ? { retryAfter: 1 } : {}) };
  }
}

/** Returns a seeded generator of random numbers, since Math.random cannot be repeated. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
