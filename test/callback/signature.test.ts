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

test('both hold, or the one that was given', () => {
  expect(verify(TEXT, { signature: SHA1, signature256: SHA256 }, true)).toEqual(['sha1', 'sha256']);
  expect(verify(TEXT, { signature: SHA1, signature256: SHA256 }, false)).toEqual(['sha1', 'sha256']);
  expect(verify(TEXT, { signature: SHA1, signature256: null }, false)).toEqual(['sha1']);
});

test('hex in capitals', () => {
  const given = { signature: SHA1.toUpperCase(), signature256: SHA256.toUpperCase() };
  expect(verify(TEXT, given, true)).toEqual(['sha1', 'sha256']);
});

test('one that is missing and wanted', () => {
  const none = refusal(() => verify(TEXT, { signature: null, signature256: SHA256 }, false));
  expect(none).toMatchObject({ kind: 'unsigned' });
  expect(none.sentence).toContain('`signature` is missing');
  const one = refusal(() => verify(TEXT, { signature: SHA1, signature256: null }, true));
  expect(one).toMatchObject({ kind: 'unsigned' });
  expect(one.sentence).toContain('`signature256` is missing, and the settings want it');
});

const changed = (hex: string, at: number): string =>
  hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1);

test('a digest that differs in any one digit is forged, whatever the other says', () => {
  for (let at = 0; at < 40; at += 1) {
    const given = { signature: changed(SHA1, at), signature256: SHA256 };
    expect(refusal(() => verify(TEXT, given, false)).kind).toBe('forged');
  }
  for (let at = 0; at < 64; at += 1) {
    const given = { signature: SHA1, signature256: changed(SHA256, at) };
    expect(refusal(() => verify(TEXT, given, false)).kind).toBe('forged');
  }
});

const said = (signature: string, signature256: string): string =>
  refusal(() => verify(TEXT, { signature, signature256 }, false)).sentence;

test('the sentence names the one that does not fit', () => {
  const [no1, no256] = [changed(SHA1, 0), changed(SHA256, 0)];
  expect(said(no1, SHA256)).toContain(': `signature` does not fit');
  expect(said(SHA1, no256)).toContain(': `signature256` does not fit');
  expect(said(no1, no256)).toContain(': `signature` and `signature256` do not fit');
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
  expect(refusal(() => verify(TEXT, { signature, signature256: null }, false)).kind).toBe('forged');
});

test.each(['token', 'timestamp', 'nonce', 'echo'] as const)('covers the %s', (name) => {
  const text = { ...TEXT, [name]: `${TEXT[name]}0` };
  expect(refusal(() => verify(text, { signature: SHA1, signature256: null }, false)).kind).toBe('forged');
});
