import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const NONCE = 12;
const TAG = 16;

/** Encrypts what a process keeps in temporary files, with a key that never leaves it (AES-256-GCM): on disk it cannot be read. */
export class Sealer {
  readonly #key = randomBytes(32);

  seal(text: string): Buffer {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  }

  /** Returns what only equal texts have in common: without the key nothing can be found by trying. */
  mark(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64');
  }

  open(sealed: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, NONCE));
    decipher.setAuthTag(sealed.subarray(-TAG));
    return decipher.update(sealed.subarray(NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8');
  }
}
