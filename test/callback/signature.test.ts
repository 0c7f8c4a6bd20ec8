import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sign, verify, type SignedText } from '../../src/callback/signature.ts';
import {
  ENCRYPT,
  MESSAGE,
  NONCE,
  PLAIN_SHA1,
  PLAIN_SHA256,
  refusal,
  SHA1,
  SHA256,
  TIMESTAMP,
  TOKEN,
} from './vectors.ts';

const TEXT: SignedText = { token: TOKEN, timestamp: TIMESTAMP, nonce: NONCE, echo: ENCRYPT };

test('golden: the digests that openssl computed', () => {
  expect(sign('sha1', TEXT)).toBe(SHA1);
  expect(sign('sha256', TEXT)).toBe(SHA256);
  expect(sign('sha1', { ...TEXT, echo: MESSAGE })).toBe(PLAIN_SHA1);
  expect(sign('sha256', { ...TEXT, echo: MESSAGE })).toBe(PLAIN_SHA256);
});

test.each<[string, readonly [string, string, string, string], string]>([
  ['digits, capitals, small letters', ['b', 'B', '1', '_'], '1B_b'],
  ['not as numbers', ['10', '9', '100', '1'], '1101009'],
  ['a beginning before the whole', ['abc', 'ab', 'a', ''], 'aababc'],
  ['equal strings', ['x', 'x', 'a', 'x'], 'axxx'],
  ['not as a dictionary does', ['ä', 'z', 'Z', 'a'], 'Zazä'],
  ['base64 signs', ['/', '+', '=', '0'], '+/0='],
  ['code units: half of a pair comes before U+FF5E', ['～', '🚀', 'a', 'b'], 'ab🚀～'],
])('sorted: %s', (_, [token, timestamp, nonce, echo], joined) => {
  const digest = createHash('sha1').update(joined).digest('hex');
  expect(sign('sha1', { token, timestamp, nonce, echo })).toBe(digest);
  expect(sign('sha1', { token: echo, timestamp: nonce, nonce: timestamp, echo: token })).toBe(digest);
});

test('hex in capitals', () => {
  const given = { signature: SHA1.toUpperCase(), signature256: SHA256.toUpperCase() };
  expect(refusal(() => verify(TEXT, given)).kind).toBe('opened');
});

const changed = (hex: string, at: number): string =>
  hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1);

test('a digest that differs in any one digit is forged, whatever the other says', () => {
  for (let at = 0; at < 40; at += 1) {
    const given = { signature: changed(SHA1, at), signature256: SHA256 };
    expect(refusal(() => verify(TEXT, given)).kind).toBe('forged');
  }
  for (let at = 0; at < 64; at += 1) {
    const given = { signature: SHA1, signature256: changed(SHA256, at) };
    expect(refusal(() => verify(TEXT, given)).kind).toBe('forged');
  }
});

const said = (signature: string, signature256: string): string =>
  refusal(() => verify(TEXT, { signature, signature256 })).sentence;

test('the sentence names the one that does not fit', () => {
  expect(said(changed(SHA1, 0), SHA256)).toContain(': `signature` does not fit');
  expect(said(SHA1, changed(SHA256, 0))).toContain(': `signature256` does not fit');
});

test.each([
  ['cut', SHA1.slice(0, -1)],
  ['cut to nothing', ''],
  ['longer', `${SHA1}0`],
  ['longer by what is no hex', `${SHA1}zz`],
  ['no hex', 'z'.repeat(40)],
  ['characters of two bytes', 'ä'.repeat(20)],
  ['the other digest', SHA256],
])('a signature that is %s is forged', (_, signature) => {
  expect(refusal(() => verify(TEXT, { signature, signature256: null })).kind).toBe('forged');
});

test.each(['token', 'timestamp', 'nonce', 'echo'] as const)('covers the %s', (name) => {
  const text = { ...TEXT, [name]: `${TEXT[name]}0` };
  expect(refusal(() => verify(text, { signature: SHA1, signature256: null })).kind).toBe('forged');
});
