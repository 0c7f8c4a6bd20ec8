import { createHash, hash } from 'node:crypto';

/**
 * Returns the first 132 bits of a text's SHA-256 as base64url: 22 characters, for telling whether something
 * changed.
 */
export function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/** SHA-256 over many lines, as hex. */
export class LinesDigest {
  readonly #hash = createHash('sha256');

  add(line: string): void {
    this.#hash.update(line).update('\n');
  }

  hex(length: number): string {
    return this.#hash.digest('hex').slice(0, length);
  }
}

/**
 * Computes a digest of a collection of texts. Their order does not matter, but a text that comes twice counts
 * twice.
 */
export class ContentDigest {
  readonly #sums = new Uint32Array(8);
  #count = 0;

  add(text: string): void {
    const bytes = Buffer.from(hash('sha256', text, 'binary'), 'binary');
    // A sum, not XOR: what comes twice would be as if it had not come.
    for (let n = 0; n < this.#sums.length; n += 1)
      this.#sums[n] = (this.#sums[n] ?? 0) + bytes.readUInt32LE(n * 4);
    this.#count += 1;
  }

  get text(): string {
    return `${this.#count}:${this.#sums.join('.')}`;
  }
}

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
