import { hash } from 'node:crypto';

const SMALLEST = 1 << 10;

/**
 * A set of texts (or their bytes) that holds 64 bits of each: a million ids take 16 MB. The chance that any two of a million
 * texts are taken for one is 1 in 30 million.
 */
export class KeySet {
  #slots = new BigUint64Array(SMALLEST);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a text; returns whether it is new. */
  add(text: string | Uint8Array): boolean {
    const key = keyOf(text);
    const slot = this.#find(key);
    if (this.#slots[slot] === key) return false;
    this.#slots[slot] = key;
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    return true;
  }

  has(text: string | Uint8Array): boolean {
    const key = keyOf(text);
    return this.#slots[this.#find(key)] === key;
  }

  /** Returns the slot of a key, or the free one where it belongs; 0 marks a free slot. */
  #find(key: bigint): number {
    const mask = this.#slots.length - 1;
    let slot = Number(key & BigInt(mask));
    while (this.#slots[slot] !== 0n && this.#slots[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const keys = this.#slots;
    this.#slots = new BigUint64Array(keys.length * 2);
    for (const key of keys) if (key !== 0n) this.#slots[this.#find(key)] = key;
  }
}

function keyOf(text: string | Uint8Array): bigint {
  // In one go: a million objects that hash would wait for the collector with memory that it does not see.
  // As text: bytes of its own for each hash cost three times as much.
  return BigInt(`0x${hash('sha256', text, 'hex').slice(0, 16)}`) || 1n;
}
