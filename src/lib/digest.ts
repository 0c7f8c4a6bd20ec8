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

/** Tells equal collections of texts from others, in whatever order the texts come, also of those that come twice. */
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

/** Returns what tells a name from others without showing it. */
export const hashedName = (name: string): string => digest(`name ${name}`);
