import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkCipherSettings, decrypt, type CipherSettings } from '../../src/callback/cipher.ts';
import { encryptBlocks, frameOf, pad, seal } from './seal.ts';
import { AES_KEY, APPLICATION, ENCRYPT, MESSAGE, refusal } from './vectors.ts';

const WECOM: CipherSettings = { key: AES_KEY, applicationId: APPLICATION };
const KEY = Buffer.from(AES_KEY, 'base64');
const bytes = Buffer.from(MESSAGE);

const kindOf = (encrypt: string, settings = WECOM): string => refusal(() => decrypt(settings, encrypt)).kind;

describe('golden: the scheme of @wecom/crypto', () => {
  test.each([AES_KEY, `${AES_KEY}=`, `${AES_KEY.slice(0, -1)}D`, KEY.toString('hex')])(
    'the key as %s',
    (key) => {
      expect(decrypt({ ...WECOM, key }, ENCRYPT)).toBe(MESSAGE);
    },
  );

  test('Base64 in lines', () => {
    expect(decrypt(WECOM, `${ENCRYPT.slice(0, 76)}\r\n${ENCRYPT.slice(76)}\n`)).toBe(MESSAGE);
  });

  test('another key does not open', () => {
    expect(kindOf(ENCRYPT, { ...WECOM, key: `${AES_KEY.slice(0, -1)}G` })).toBe('cut');
  });
});

const KEYS = [32, 24, 16].map((size) =>
  Buffer.from(Array.from({ length: size }, (_, index) => 97 + (index % 26))),
);

test('what the document leaves open is found out: length and form of the key, mode, IV, padding', () => {
  for (const key of KEYS)
    for (const form of ['base64', 'hex', 'utf8'] as const)
      for (const mode of ['cbc', 'ecb'] as const)
        for (const iv of ['key', 'zero', 'prefix'] as const)
          for (const block of [32, 16] as const) {
            const encrypt = encryptBlocks(key, pad(frameOf(bytes, APPLICATION), block), { mode, iv });
            expect(decrypt({ ...WECOM, key: key.toString(form) }, encrypt), `${form} ${mode} ${iv}`).toBe(
              MESSAGE,
            );
          }
  const filled = MESSAGE + ' '.repeat(-(20 + bytes.length + APPLICATION.length) & 15);
  expect(decrypt(WECOM, encryptBlocks(KEY, frameOf(Buffer.from(filled), APPLICATION)))).toBe(filled);
});

test('any message, any application id', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 });
  fc.assert(
    fc.property(text, text, (message, id) => {
      const settings = { ...WECOM, applicationId: `a${id}` };
      expect(decrypt(settings, seal(settings, message))).toBe(message);
    }),
  );
});

describe('cut', () => {
  const whole = Buffer.from(ENCRYPT, 'base64');

  test('after any byte, after any character of the Base64, or in front', () => {
    for (let length = 0; length < whole.length; length += 1)
      expect(kindOf(whole.subarray(0, length).toString('base64'))).toBe('cut');
    for (let length = 0; length < ENCRYPT.length; length += 1)
      expect(kindOf(ENCRYPT.slice(0, length))).toBe('cut');
    // Without its first block it is what an IV in front would leave out.
    for (let from = 17; from <= whole.length; from += 1)
      expect(kindOf(whole.subarray(from).toString('base64'))).toBe('cut');
  });

  test.each([
    ['lengthened by a block', Buffer.concat([whole, Buffer.alloc(16)]).toString('base64')],
    ['lengthened by a byte', Buffer.concat([whole, Buffer.alloc(1)]).toString('base64')],
    ['what is no Base64', `${ENCRYPT.slice(0, 40)}*${ENCRYPT.slice(41)}`],
    ['a space', `${ENCRYPT.slice(0, 40)} ${ENCRYPT.slice(40)}`],
    ['the alphabet for addresses', ENCRYPT.replaceAll('+', '-').replaceAll('/', '_')],
    ['bits beyond the last byte', ENCRYPT.replace(/w==$/u, 'x==')],
    ['something behind the end', `${ENCRYPT}AAAA`],
  ])('%s', (_, encrypt) => {
    expect(encrypt).not.toBe(ENCRYPT);
    expect(kindOf(encrypt)).toBe('cut');
  });
});

const framed = (length: number): string =>
  kindOf(encryptBlocks(KEY, pad(frameOf(bytes, APPLICATION, length))));

describe('the frame', () => {
  test('opens with the one right length', () => {
    const wrong = [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32 - 20, bytes.length * 2 ** 24];
    for (let length = 0; length <= bytes.length + APPLICATION.length + 40; length += 1)
      if (length !== bytes.length) wrong.push(length);
    for (const length of wrong) expect(framed(length), `length ${length}`).toBe('cut');
    expect(framed(bytes.length)).toBe('opened');
    expect(decrypt(WECOM, seal(WECOM, ''))).toBe('');
  });

  test('shorter than its own head, or with a message that is not UTF-8', () => {
    for (let length = 0; length < 20; length += 1)
      expect(kindOf(encryptBlocks(KEY, pad(Buffer.alloc(length))))).toBe('cut');
    const broken = Buffer.from([0x7b, 0xff, 0xc3, 0x7d]);
    expect(kindOf(encryptBlocks(KEY, pad(frameOf(broken, APPLICATION))))).toBe('cut');
  });

  test.each(['app-7f3b', 'App-7f3a', 'app-7f3', 'app-7f3aa', '7f3a', ' app-7f3a', 'app-7f3a\0', ''])(
    'the application id %j is of another',
    (id) => {
      expect(kindOf(encryptBlocks(KEY, pad(frameOf(bytes, id))))).toBe('cut');
    },
  );
});

/** 64 bytes: 20 of head, 4 of message, 8 of application id, 32 of padding. */
const withPad = (end: readonly number[]): string => {
  const frame = pad(frameOf(Buffer.from('text'), APPLICATION)).subarray(0, 64 - end.length);
  return encryptBlocks(KEY, Buffer.concat([frame, Buffer.from(end)]));
};

test('of the padding every byte counts', () => {
  const full = Array.from({ length: 32 }, () => 32);
  expect(decrypt(WECOM, withPad(full))).toBe('text');
  for (let at = 0; at < 32; at += 1) expect(kindOf(withPad(full.with(at, 31))), `byte ${at}`).toBe('cut');
  for (const last of [0, 33, 48, 64, 255]) {
    expect(kindOf(withPad([last]))).toBe('cut');
    expect(kindOf(encryptBlocks(KEY, Buffer.alloc(64, last)))).toBe('cut');
  }
});

test('one sentence, whichever step fails', () => {
  const said = [
    '*',
    encryptBlocks(KEY, Buffer.alloc(64)),
    encryptBlocks(KEY, pad(frameOf(bytes, 'another'))),
  ];
  const sentences = said.map((encrypt) => refusal(() => decrypt(WECOM, encrypt)).sentence);
  expect(new Set(sentences).size).toBe(1);
  expect(sentences[0]).toMatch(
    /^Callback body: `encrypt` does not open as a message to this application\. /u,
  );
});

test.each([
  [
    'a key that is one short',
    { key: AES_KEY.slice(1) },
    'the AES key (42 characters) is not 32, 24 or 16 bytes',
  ],
  ['a key with one more', { key: `${AES_KEY}A` }, 'the AES key (44 characters)'],
  ['a space in front of the key', { key: ` ${AES_KEY}` }, 'the AES key (44 characters)'],
  ['no key', { key: '' }, 'the AES key (0 characters)'],
  ['no application id', { applicationId: '' }, 'the application id is empty'],
])('settings with %s', (_, change, words) => {
  const { kind, sentence } = refusal(() => checkCipherSettings({ ...WECOM, ...change }));
  expect([kind, sentence]).toEqual(['settings', expect.stringContaining(words)]);
});
