import { SandboxOptionError } from './readings.ts';

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

interface FaultSpec {
  readonly seed: number;
  /** Share of the calls that fail, 0 to 1. */
  readonly rate: number;
  readonly kinds: readonly FaultKind[];
  readonly slowMs: number;
  /** Names of operations that fail; empty: all. */
  readonly ops: readonly string[];
  /** Maximum number of faults. */
  readonly max: number;
}

const DEFAULTS: FaultSpec = { seed: 1, rate: 0.1, kinds: FAULT_KINDS, slowMs: 50, ops: [], max: Infinity };
const NO_FAULTS: FaultSpec = { ...DEFAULTS, rate: 0 };

const PARSERS: Readonly<Record<keyof FaultSpec, (text: string) => unknown>> = {
  seed: (text) => number(text, /^\d{1,9}$/),
  rate: (text) => number(text, /^(?:0|1|0?\.\d+|1\.0+)$/),
  kinds: (text) => oneOf(text.split('+')),
  slowMs: (text) => number(text, /^\d{1,6}$/),
  ops: (text) => text.split('+'),
  max: (text) => number(text, /^\d{1,9}$/),
};

/**
 * Plans faults from a spec such as `seed=7,rate=0.2,kinds=429+cut,slowMs=50,ops=importEmployees,max=3`; the
 * same spec and calls give the same faults.
 */
export class FaultPlan {
  readonly #spec: FaultSpec;
  readonly #random: () => number;
  #remaining: number;

  constructor(spec: string | undefined) {
    this.#spec = spec === undefined ? NO_FAULTS : parseSpec(spec);
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

function parseSpec(text: string): FaultSpec {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return { ...DEFAULTS, ...Object.fromEntries(parts.map(parsePart)) };
}

function parsePart(part: string): readonly [string, unknown] {
  const [name = '', value = ''] = part.trim().split('=', 2);
  const parse = Object.entries(PARSERS).find(([known]) => known === name)?.[1];
  if (parse === undefined) {
    throw new SandboxOptionError(
      `Fault setting ${name} does not exist; there are ${Object.keys(PARSERS).join(', ')}.`,
    );
  }
  const parsed = parse(value);
  if (parsed !== undefined) return [name, parsed];
  const kinds = name === 'kinds' ? `; there are ${FAULT_KINDS.join('+')}` : '';
  throw new SandboxOptionError(`Fault setting ${name} cannot be "${value}"${kinds}.`);
}

function number(text: string, pattern: RegExp): number | undefined {
  return pattern.test(text) ? Number(text) : undefined;
}

function oneOf(names: readonly string[]): readonly FaultKind[] | undefined {
  const kinds = names.map((name) => FAULT_KINDS.find((kind) => kind === name));
  return kinds.every((kind) => kind !== undefined) ? kinds : undefined;
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
