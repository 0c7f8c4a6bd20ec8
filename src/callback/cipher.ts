import { createDecipheriv } from 'node:crypto';
import { CallbackError, wrongSettings } from './callback-error.ts';

/** With what a ciphertext of the service opens. */
export interface CipherSettings {
  /** Text of the key of 32, 24 or 16 bytes: in base64, in hex, or as it is. */
  readonly key: string;
  /** The identifier that ends every frame. */
  readonly applicationId: string;
}

const BLOCK = 16;
/** Random bytes in front, and the length after them. */
const [RANDOM, LENGTH] = [16, 4];
const LARGEST_PAD = 32;
const KEY_BYTES: ReadonlySet<number> = new Set([32, 24, 16]);
const KEY = '32, 24 or 16 bytes, in base64 (43 characters for 32 bytes), in hex or as plain text';

/** Throws a CallbackError `settings` where nothing could be decrypted with these settings. */
export function checkCipherSettings({ key, applicationId }: CipherSettings): void {
  if (applicationId === '') {
    throw wrongSettings('the application id is empty, but every ciphertext ends with it. Enter it');
  }
  if (keysOf(key).length > 0) return;
  throw wrongSettings(`the AES key (${key.length} characters) is not ${KEY}. Copy it again`);
}

/**
 * Returns the message in a callback's `encrypt` (section Events): Base64, AES, then 16 random bytes, the
 * message's length in 4 bytes of network byte order, the message in UTF-8, the application id, padding. Call
 * it only after the signature was verified: else an attacker could try ciphertexts and learn from the
 * answers.
 *
 * The document leaves open the mode, the IV, the padding and how the key comes from its text. An IV changes
 * only the first block, which is random. A frame shows by its length and its end whether it is one, so every
 * result that opens counts.
 *
 * Throws a CallbackError `cut` if nothing opens as a message to this application.
 * @param encrypt strict Base64; line breaks are passed over
 */
export function decrypt({ key, applicationId }: CipherSettings, encrypt: string): string {
  const bytes = fromBase64(encrypt);
  for (const one of bytes.length % BLOCK === 0 ? keysOf(key) : []) {
    for (const mode of ['cbc', 'ecb']) {
      const plain = decipher(`aes-${one.length * 8}-${mode}`, one, bytes);
      // Where the IV comes in front of the ciphertext, the frame begins with the second block.
      const message = messageIn(plain, applicationId) ?? messageIn(plain.subarray(BLOCK), applicationId);
      if (message !== null) return message;
    }
  }
  throw new CallbackError(
    'cut',
    'Callback body: `encrypt` does not open as a message to this application. It was cut or changed, or the ' +
      'settings are others than those of the service: compare the AES key and the application id.',
  );
}

function fromBase64(text: string): Buffer {
  const line = text.replaceAll(/[\r\n]/gu, '');
  const bytes = Buffer.from(line, 'base64');
  return bytes.toString('base64') === line ? bytes : Buffer.alloc(0);
}

function decipher(algorithm: string, key: Buffer, bytes: Buffer): Buffer {
  const iv = algorithm.endsWith('ecb') ? null : key.subarray(0, BLOCK);
  const aes = createDecipheriv(algorithm, key, iv).setAutoPadding(false);
  return Buffer.concat([aes.update(bytes), aes.final()]);
}

/** Returns the message of a frame; `null` for what is no frame of this application. */
function messageIn(frame: Buffer, applicationId: string): string | null {
  const start = RANDOM + LENGTH;
  if (frame.length < start) return null;
  const end = start + frame.readUInt32BE(RANDOM);
  const id = Buffer.from(applicationId, 'utf8');
  const pad = frame.subarray(end + id.length);
  if (!frame.subarray(end, end + id.length).equals(id) || !isPad(pad)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(frame.subarray(start, end));
  } catch {
    return null;
  }
}

/** PKCS#7 to blocks of 32 bytes, as @wecom/crypto pads, or of 16; nothing where the frame fills the blocks. */
function isPad(bytes: Buffer): boolean {
  return bytes.length <= LARGEST_PAD && bytes.every((byte) => byte === bytes.length);
}

function keysOf(text: string): readonly Buffer[] {
  const base64 = /^[A-Za-z\d+/]+={0,2}$/u.test(text) ? [Buffer.from(text, 'base64')] : [];
  const hex = /^(?:[\da-f]{2})+$/iu.test(text) ? [Buffer.from(text, 'hex')] : [];
  return [...base64, ...hex, Buffer.from(text, 'utf8')].filter(({ length }) => KEY_BYTES.has(length));
}
