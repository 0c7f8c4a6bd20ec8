import { createHash, hash } from 'node:crypto';

/** SHA-256 of a text, base64url without padding (43 characters). */
export function digest(text: string): string {
  return hash('sha256', text, 'base64url');
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
