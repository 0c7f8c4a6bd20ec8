import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto';
import { CallbackError, wrongSettings } from './callback-error.ts';
import {
  AES_MODES,
  DERIVATIONS,
  IVS,
  PADDINGS,
  type AesMode,
  type Derivation,
  type Iv,
  type Padding,
} from '../domain/settings.ts';

/** What section Events leaves open is a setting; the defaults are the scheme of @wecom/crypto. */
export interface CipherSettings {
  /** Text of the key, by default base64: 43 characters, or 44 with `=`. */
  readonly aesKey: string;
  /** The identifier that ends every frame. */
  readonly applicationId: string;
  /** Default: `aes-256-cbc`. */
  readonly mode?: AesMode | undefined;
  /** Default: `base64`. */
  readonly derivation?: Derivation | undefined;
  /** Default: `key`. A mode of ECB has none. */
  readonly iv?: Iv | undefined;
  /** Default: `pkcs7-32`. */
  readonly padding?: Padding | undefined;
}

type Complete = { readonly [Name in keyof CipherSettings]-?: NonNullable<CipherSettings[Name]> };

const BLOCK = 16;
/** Random bytes in front, and the length after them. */
const [RANDOM, LENGTH] = [16, 4];
const LARGEST_PAD: Readonly<Record<Padding, number>> = { 'pkcs7-32': 32, 'pkcs7-16': 16, none: 0 };

/** Throws a CallbackError `settings` where nothing could be decrypted with these settings. */
export function checkCipherSettings(settings: CipherSettings): void {
  const { mode, derivation, iv, padding, applicationId, aesKey } = complete(settings);
  requireOneOf('mode', mode, AES_MODES);
  requireOneOf('derivation', derivation, DERIVATIONS);
  requireOneOf('IV', iv, IVS);
  requireOneOf('padding', padding, PADDINGS);
  if (applicationId === '') {
    throw wrongSettings('the application id is empty, but every ciphertext ends with it. Enter it');
  }
  keyOf(aesKey, derivation, keyBytes(mode));
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
export function decrypt(settings: CipherSettings, encrypt: string): string {
  checkCipherSettings(settings);
  const all = complete(settings);
  const ciphertext = fromBase64(encrypt);
  const padded = ciphertext === null ? null : decipher(all, ciphertext);
  const frame = padded === null ? null : unpad(padded, LARGEST_PAD[all.padding]);
  if (frame === null) throw unopened('cut');
  return messageIn(frame, all.applicationId);
}

function complete(settings: CipherSettings): Complete {
  const { aesKey, applicationId, mode, derivation, iv, padding } = settings;
  return {
    aesKey,
    applicationId,
    mode: mode ?? 'aes-256-cbc',
    derivation: derivation ?? 'base64',
    iv: iv ?? 'key',
    padding: padding ?? 'pkcs7-32',
  };
}

function requireOneOf(name: string, value: string, known: readonly string[]): void {
  if (known.includes(value)) return;
  throw wrongSettings(`the ${name} is not known. Choose one of ${known.join(', ')}`);
}

/** 32 for `aes-256-cbc`. */
function keyBytes(mode: AesMode): number {
  return Number(mode.slice(4, 7)) / 8;
}

/** Returns `null` where a text is not the one way to write its bytes. */
function fromBase64(text: string): Buffer | null {
  const line = text.replaceAll(/[\r\n]/gu, '');
  const bytes = Buffer.from(line, 'base64');
  return bytes.toString('base64') === line ? bytes : null;
}

/** Returns `null` where the bytes are not whole blocks, or none. */
function decipher({ aesKey, mode, derivation, iv }: Complete, bytes: Buffer): Buffer | null {
  const key = keyOf(aesKey, derivation, keyBytes(mode));
  const hasPrefix = iv === 'prefix' && mode.endsWith('cbc');
  const blocks = hasPrefix ? bytes.subarray(BLOCK) : bytes;
  if (blocks.length === 0 || bytes.length % BLOCK !== 0) return null;
  const ivs = { key: key.subarray(0, BLOCK), zero: Buffer.alloc(BLOCK), prefix: bytes.subarray(0, BLOCK) };
  const aes = createDecipheriv(mode, key, mode.endsWith('ecb') ? null : ivs[iv]).setAutoPadding(false);
  return Buffer.concat([aes.update(blocks), aes.final()]);
}

/** Returns `null` where the padding is wrong: every byte of it has to be its length. */
function unpad(bytes: Buffer, largest: number): Buffer | null {
  if (largest === 0) return bytes;
  const pad = bytes.at(-1) ?? 0;
  if (pad < 1 || pad > largest || pad > bytes.length) return null;
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
      'settings are others than those of the service: compare the AES key and the application id, then mode, ' +
      'derivation, IV and padding.',
  );
}

/** Returns `null` where the text is not of this form. */
type Derive = (text: string) => Buffer | null;

const FROM: Readonly<Record<Derivation, Derive>> = {
  // Bits of the last character may be left over: 43 characters are 258 bits, the key is the first 256.
  base64: (text) => (isBase64(text) ? Buffer.from(text, 'base64') : null),
  hex: (text) => (/^(?:[\da-f]{2})+$/iu.test(text) ? Buffer.from(text, 'hex') : null),
  utf8: (text) => Buffer.from(text, 'utf8'),
  md5: (text) => createHash('md5').update(text, 'utf8').digest(),
  sha256: (text) => createHash('sha256').update(text, 'utf8').digest(),
};

/**
 * Returns the AES key that a text stands for. Throws a CallbackError `settings` where it is not a key of this length;
 * the sentence tells lengths only.
 * @param bytes length of the key: 16, 24 or 32
 */
function keyOf(text: string, derivation: Derivation, bytes: number): Buffer {
  if (text === '') {
    throw wrongSettings('the AES key is empty. Copy it from where the callback address is set up');
  }
  const key = FROM[derivation](text);
  if (key?.length === bytes) return key;
  const bits = bytes * 8;
  if (derivation === 'md5' || derivation === 'sha256') {
    throw wrongSettings(
      `AES-${bits} needs a key of ${bytes} bytes, which ${derivation} does not give. ` +
        'Choose md5 for AES-128, sha256 for AES-256, or another derivation',
    );
  }
  const given =
    derivation === 'utf8' ? `${Buffer.byteLength(text, 'utf8')} bytes` : `${text.length} characters`;
  throw wrongSettings(
    `the AES key (${given}) is not ${formOf(derivation, bytes)}, as AES-${bits} needs. ` +
      'Copy it again, or choose another mode or derivation',
  );
}

function formOf(derivation: 'base64' | 'hex' | 'utf8', bytes: number): string {
  if (derivation === 'utf8') return `${bytes} bytes of UTF-8`;
  if (derivation === 'hex') return `${bytes * 2} characters of hex`;
  const short = Math.ceil((bytes * 4) / 3);
  const ends = '='.repeat(-short & 3);
  return `${short} characters of base64${ends === '' ? '' : `, or ${short + ends.length} with \`${ends}\` at the end`}`;
}

/** With all of its `=`, or with none. */
function isBase64(text: string): boolean {
  const plain = text.replace(/={1,2}$/u, '');
  if (!/^[A-Za-z\d+/]+$/u.test(plain) || plain.length % 4 === 1) return false;
  return plain === text || text.length % 4 === 0;
}
