import { createDecipheriv, timingSafeEqual } from 'node:crypto';
import { CallbackError, wrongSettings } from './callback-error.ts';

/** What a message is encrypted with, in the scheme of @wecom/crypto: section Events leaves it open. */
export interface CipherSettings {
  /** The key of AES-256-CBC in base64: 43 characters, or 44 with `=`. */
  readonly aesKey: string;
  /** The identifier that ends every frame. */
  readonly applicationId: string;
}

const BLOCK = 16;
/** Random bytes in front, and the length after them. */
const [RANDOM, LENGTH] = [16, 4];
/** PKCS#7 to blocks of 32 bytes, which also opens what was padded to 16. */
const LARGEST_PAD = 32;

/** Throws a CallbackError `settings` where nothing could be decrypted with these settings. */
export function checkCipherSettings({ aesKey, applicationId }: CipherSettings): void {
  if (applicationId === '') {
    throw wrongSettings('the application id is empty, but every ciphertext ends with it. Enter it');
  }
  keyOf(aesKey);
}

/**
 * Returns the message in a callback's `encrypt` (section Events): Base64, AES, then 16 random bytes, the message's
 * length in 4 bytes of network byte order, the message in UTF-8, the application id. To be called only after the
 * signature was verified: without one, whoever may try ciphertexts learns from the answers.
 *
 * Throws a CallbackError `cut` where it does not open, `notOurs` where it opens and ends with another application id,
 * both with one sentence; `settings` where the settings are wrong.
 * @param encrypt strict Base64; line breaks are passed over
 */
export function decrypt({ aesKey, applicationId }: CipherSettings, encrypt: string): string {
  const ciphertext = fromBase64(encrypt);
  const frame = ciphertext === null ? null : unpad(decipher(keyOf(aesKey), ciphertext));
  if (frame === null) throw unopened('cut');
  return messageIn(frame, applicationId);
}

/** Returns `null` where a text is not the one way to write its bytes, or they are not whole blocks, or none. */
function fromBase64(text: string): Buffer | null {
  const line = text.replaceAll(/[\r\n]/gu, '');
  const bytes = Buffer.from(line, 'base64');
  const isWhole = bytes.length > 0 && bytes.length % BLOCK === 0;
  return isWhole && bytes.toString('base64') === line ? bytes : null;
}

/** The IV changes only the first block, which are the 16 random bytes. */
function decipher(key: Buffer, bytes: Buffer): Buffer {
  const aes = createDecipheriv('aes-256-cbc', key, key.subarray(0, BLOCK)).setAutoPadding(false);
  return Buffer.concat([aes.update(bytes), aes.final()]);
}

/** Returns `null` where the padding is wrong: every byte of it has to be its length. */
function unpad(bytes: Buffer): Buffer | null {
  const pad = bytes.at(-1) ?? 0;
  if (pad < 1 || pad > LARGEST_PAD || pad > bytes.length) return null;
  const end = bytes.length - pad;
  return timingSafeEqual(bytes.subarray(end), Buffer.alloc(pad, pad)) ? bytes.subarray(0, end) : null;
}

function messageIn(frame: Buffer, applicationId: string): string {
  const start = RANDOM + LENGTH;
  if (frame.length < start) throw unopened('cut');
  const end = start + frame.readUInt32BE(RANDOM);
  if (end > frame.length) throw unopened('cut');
  const [given, own] = [frame.subarray(end), Buffer.from(applicationId, 'utf8')];
  if (given.length !== own.length || !timingSafeEqual(given, own)) throw unopened('notOurs');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(frame.subarray(start, end));
  } catch {
    throw unopened('cut');
  }
}

/** One sentence, whichever step failed. */
function unopened(kind: 'cut' | 'notOurs'): CallbackError {
  return new CallbackError(
    kind,
    'Callback body: `encrypt` does not open as a message to this application. It was cut or changed, or the ' +
      'settings are others than those of the service: compare the AES key and the application id.',
  );
}

/** Returns the AES key that a text stands for. Throws a CallbackError `settings`, which tells lengths only. */
function keyOf(text: string): Buffer {
  if (text === '') {
    throw wrongSettings('the AES key is empty. Copy it from where the callback address is set up');
  }
  // Bits of the last character may be left over: 43 characters are 258 bits, the key is the first 256.
  if (/^[A-Za-z\d+/]{43}=?$/u.test(text)) return Buffer.from(text, 'base64');
  throw wrongSettings(
    `the AES key (${text.length} characters) is not 43 characters of base64, or 44 with \`=\` at the end. Copy it again`,
  );
}
