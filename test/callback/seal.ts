import { createCipheriv, randomBytes } from 'node:crypto';
import type { CipherSettings } from '../../src/callback/cipher.ts';

/** The tests' own reading of section Events, for what is encrypted here and decrypted by the module. */
export function frameOf(message: Uint8Array, applicationId: string, length = message.length): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(length);
  return Buffer.concat([randomBytes(16), size, message, Buffer.from(applicationId)]);
}

export function pad(frame: Buffer, block = 32): Buffer {
  const missing = block - (frame.length % block);
  return Buffer.concat([frame, Buffer.alloc(missing, missing)]);
}

/** Returns the ciphertext, in Base64, of bytes that are padded already. */
export function encryptBlocks({ aesKey }: CipherSettings, padded: Buffer, iv?: Buffer): string {
  const key = Buffer.from(aesKey, 'base64');
  const cipher = createCipheriv('aes-256-cbc', key, iv ?? key.subarray(0, 16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(padded), cipher.final()]).toString('base64');
}

export function seal(settings: CipherSettings, message: string): string {
  return encryptBlocks(settings, pad(frameOf(Buffer.from(message), settings.applicationId)));
}
