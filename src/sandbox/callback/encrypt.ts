import { createCipheriv, createHash, randomBytes } from 'node:crypto';

/** Interface, Events: what the sandbox and the developer have agreed on. */
export interface CallbackSecrets {
  readonly token: string;
  /** 43 characters of base64, which with `=` are the 32 bytes of the AES key. */
  readonly key: string;
  readonly applicationId: string;
}

const BLOCK = 32;

/**
 * Returns Base64(AES-256-CBC(16 random bytes, length in network byte order, message, application identifier)), with
 * the first 16 bytes of the key as the IV and PKCS#7 up to 32 bytes: one reading of what the interface leaves open.
 */
export function encrypt(
  message: string,
  { key, applicationId }: Pick<CallbackSecrets, 'key' | 'applicationId'>,
): string {
  const secret = Buffer.from(`${key}=`, 'base64');
  const text = Buffer.from(message);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  const plain = Buffer.concat([randomBytes(16), length, text, Buffer.from(applicationId)]);
  const missing = BLOCK - (plain.length % BLOCK);
  const padded = Buffer.concat([plain, Buffer.alloc(missing, missing)]);
  const cipher = createCipheriv('aes-256-cbc', secret, secret.subarray(0, 16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(padded), cipher.final()]).toString('base64');
}

/** Returns a signature: the hash of the four strings in ascending order (interface: Events, Signing rules). */
export function signature(hash: 'sha1' | 'sha256', parts: readonly string[]): string {
  return createHash(hash)
    .update(parts.toSorted((one, other) => (one < other ? -1 : 1)).join(''))
    .digest('hex');
}
