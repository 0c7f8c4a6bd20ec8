import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import type { CipherSettings } from '../../src/callback/cipher.ts';
import type { Padding } from '../../src/domain/settings.ts';

export type Complete = { readonly [Name in keyof CipherSettings]-?: NonNullable<CipherSettings[Name]> };

/** The tests' own reading of section Events, for what is encrypted here and decrypted by the module. */
export function frameOf(message: Uint8Array, applicationId: string, length = message.length): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(length);
  return Buffer.concat([randomBytes(16), size, message, Buffer.from(applicationId)]);
}

export function pad(frame: Buffer, padding: Padding): Buffer {
  const block = { 'pkcs7-32': 32, 'pkcs7-16': 16, none: 0 }[padding];
  const missing = block === 0 ? 0 : block - (frame.length % block);
  return Buffer.concat([frame, Buffer.alloc(missing, missing)]);
}

export function keyBytes({ aesKey, derivation }: Complete): Buffer {
  if (derivation === 'md5' || derivation === 'sha256') return createHash(derivation).update(aesKey).digest();
  return Buffer.from(aesKey, derivation);
}

/** Returns the ciphertext of bytes that are padded already. */
export function encryptBlocks(settings: Complete, padded: Buffer, prefix = randomBytes(16)): Buffer {
  const { mode, iv } = settings;
  const key = keyBytes(settings);
  if (mode.endsWith('ecb')) return run(createCipheriv(mode, key, null), padded);
  const ivBytes = { key: key.subarray(0, 16), zero: Buffer.alloc(16), prefix }[iv];
  const blocks = run(createCipheriv(mode, key, ivBytes), padded);
  return iv === 'prefix' ? Buffer.concat([prefix, blocks]) : blocks;
}

export function seal(settings: Complete, message: string): string {
  const frame = pad(frameOf(Buffer.from(message), settings.applicationId), settings.padding);
  return encryptBlocks(settings, frame).toString('base64');
}

function run(cipher: ReturnType<typeof createCipheriv>, padded: Buffer): Buffer {
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(padded), cipher.final()]);
}
