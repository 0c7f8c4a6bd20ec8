import { createHash } from 'node:crypto';
import type { Derivation } from '../domain/callback-choices.ts';
import { wrongSettings } from './callback-error.ts';

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
export function keyOf(text: string, derivation: Derivation, bytes: number): Buffer {
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
