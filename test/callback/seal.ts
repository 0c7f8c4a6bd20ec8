import { createCipheriv, randomBytes } from 'node:crypto';
import type { CipherSettings } from '../../src/callback/cipher.ts';

/** How the service may encrypt; without anything, as @wecom/crypto does. */
export interface Scheme {
  readonly mode?: 'cbc' | 'ecb';
  readonly iv?: 'key' | 'zero' | 'prefix';
  readonly block?: 32 | 16;
}

/** The tests' own reading of section Events, for what is encrypted here and decrypted by the module. */
export function frameOf(message: Uint8Array, applicationId: string, length = message.length): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(length);
  return Buffer.concat([randomBytes(16), size, message, Buffer.from(applicationId)]);
}

export function pad(frame: Buffer, block: 32 | 16 = 32): Buffer {
  const missing = block - (frame.length % block);
  return Buffer.concat([frame, Buffer.alloc(missing, missing)]);
}

/** Returns the ciphertext, in Base64, of bytes that are padded already. */
export function encryptBlocks(
  key: Buffer,
  padded: Buffer,
  { mode = 'cbc', iv = 'key' }: Scheme = {},
): string {
  const prefix = randomBytes(16);
  const first = { key: key.subarray(0, 16), zero: Buffer.alloc(16), prefix }[iv];
  const cipher = createCipheriv(`aes-${key.length * 8}-${mode}`, key, mode === 'ecb' ? null : first);
  const blocks = [cipher.setAutoPadding(false).update(padded), cipher.final()];
  return Buffer.concat(iv === 'prefix' ? [prefix, ...blocks] : blocks).toString('base64');
}

/** @param key as in the settings, in base64 */
export function seal({ key, applicationId }: CipherSettings, message: string): string {
  return encryptBlocks(Buffer.from(key, 'base64'), pad(frameOf(Buffer.from(message), applicationId)));
}
