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
