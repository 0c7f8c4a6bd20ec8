/** Numbers in one piece of litter; 64 KB, small enough for V8's young generation. */
const LITTER = 8_192;

/** Keeps the litter from being optimized away. */
const litter: { last: readonly number[] } = { last: [] };

/**
 * Makes V8 collect its young generation soon; called for each piece of a file that went through memory. The
 * pieces lie outside V8's heap, and it lets some 60 MB of them come together before it frees any. A collection
 * of the young generation frees them too, takes less than a millisecond, and comes with every few MB of
 * litter in the heap itself.
 */
export function collectSoon(): void {
  litter.last = Array<number>(LITTER).fill(0);
}
