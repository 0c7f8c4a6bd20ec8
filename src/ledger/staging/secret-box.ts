import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Fields } from '../../domain/records/fields.ts';

const IV = 12;
const TAG = 16;

/**
 * Seals the secrets of one run with a key that never leaves this process (AES-256-GCM): on disk they cannot be read.
 */
export class SecretBox {
  readonly #key = randomBytes(32);

  seal(secrets: Fields): Buffer {
    const iv = randomBytes(IV);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv);
    const body = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  }

  open(sealed: Buffer): Fields {
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, IV));
    decipher.setAuthTag(sealed.subarray(IV, IV + TAG));
    const body = Buffer.concat([decipher.update(sealed.subarray(IV + TAG)), decipher.final()]);
    return JSON.parse(body.toString('utf8')) as Fields;
  }
}
