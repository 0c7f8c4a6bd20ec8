import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkCipherSettings, decrypt, type CipherSettings } from '../../src/callback/cipher.ts';
import { encryptBlocks, frameOf, pad, seal } from './seal.ts';
import { AES_KEY, APPLICATION, ENCRYPT, MESSAGE, refusal } from './vectors.ts';

const WECOM: CipherSettings = { aesKey: AES_KEY, applicationId: APPLICATION };

const kindOf = (settings: CipherSettings, encrypt: string): string =>
  refusal(() => decrypt(settings, encrypt)).kind;

describe('golden', () => {
  test('the scheme of @wecom/crypto', () => {
    expect(decrypt(WECOM, ENCRYPT)).toBe(MESSAGE);
    expect(decrypt({ ...WECOM, aesKey: `${AES_KEY}=` }, ENCRYPT)).toBe(MESSAGE);
  });

  test('bits that are left over in the last character of the key do not matter', () => {
    expect(AES_KEY.endsWith('C')).toBe(true);
    expect(decrypt({ ...WECOM, aesKey: `${AES_KEY.slice(0, -1)}D` }, ENCRYPT)).toBe(MESSAGE);
    expect(kindOf({ ...WECOM, aesKey: `${AES_KEY.slice(0, -1)}G` }, ENCRYPT)).not.toBe('opened');
  });

  test('Base64 in lines', () => {
    expect(decrypt(WECOM, `${ENCRYPT.slice(0, 76)}\r\n${ENCRYPT.slice(76)}\n`)).toBe(MESSAGE);
  });
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

test('another key does not open', () => {
  expect(kindOf({ ...WECOM, aesKey: 'A'.repeat(43) }, ENCRYPT)).toBe('cut');
});

test('an IV of zeros or a padding to 16 bytes opens as well', () => {
  const frame = frameOf(Buffer.from(MESSAGE), APPLICATION);
  expect(decrypt(WECOM, encryptBlocks(WECOM, pad(frame), Buffer.alloc(16)))).toBe(MESSAGE);
  expect(decrypt(WECOM, encryptBlocks(WECOM, pad(frame, 16)))).toBe(MESSAGE);
});

describe('cut', () => {
  test('after any byte', () => {
    const whole = Buffer.from(ENCRYPT, 'base64');
    for (let length = 0; length < whole.length; length += 1) {
      expect(kindOf(WECOM, whole.subarray(0, length).toString('base64'))).toBe('cut');
    }
  });

  test('after any character of the Base64', () => {
    for (let length = 0; length < ENCRYPT.length; length += 1) {
      expect(kindOf(WECOM, ENCRYPT.slice(0, length))).toBe('cut');
    }
  });

  test('in front, by any number of bytes', () => {
    const whole = Buffer.from(ENCRYPT, 'base64');
    for (let from = 1; from <= whole.length; from += 1) {
      expect(kindOf(WECOM, whole.subarray(from).toString('base64'))).toBe('cut');
    }
  });

  test('lengthened by a block, or by a byte', () => {
    const whole = Buffer.from(ENCRYPT, 'base64');
    expect(kindOf(WECOM, Buffer.concat([whole, Buffer.alloc(16)]).toString('base64'))).toBe('cut');
    expect(kindOf(WECOM, Buffer.concat([whole, Buffer.alloc(1)]).toString('base64'))).toBe('cut');
  });

  test.each([
    ['what is no Base64', `${ENCRYPT.slice(0, 40)}*${ENCRYPT.slice(41)}`],
    ['a space', `${ENCRYPT.slice(0, 40)} ${ENCRYPT.slice(40)}`],
    ['the alphabet for addresses', ENCRYPT.replaceAll('+', '-').replaceAll('/', '_')],
    ['bits beyond the last byte', ENCRYPT.replace(/w==$/u, 'x==')],
    ['something behind the end', `${ENCRYPT}AAAA`],
  ])('%s', (_, encrypt) => {
    expect(encrypt).not.toBe(ENCRYPT);
    expect(kindOf(WECOM, encrypt)).toBe('cut');
  });
});

/** Encrypts what is no proper frame, or no proper padding. */
const sealed = (padded: Buffer): string => encryptBlocks(WECOM, padded);

describe('the frame', () => {
  const bytes = Buffer.from(MESSAGE);
  const framed = (length: number): string => kindOf(WECOM, sealed(pad(frameOf(bytes, APPLICATION, length))));

  test('opens with the one right length', () => {
    expect(framed(bytes.length)).toBe('opened');
    for (let length = 0; length <= bytes.length + APPLICATION.length + 40; length += 1) {
      if (length === bytes.length) continue;
      const isWithin = length <= bytes.length + APPLICATION.length;
      expect(framed(length), `length ${length}`).toBe(isWithin ? 'notOurs' : 'cut');
    }
  });

  test.each([2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32 - 20, 2 ** 24])(
    'a length of %d, negative for whoever reads a sign',
    (length) => {
      expect(framed(length)).toBe('cut');
    },
  );

  test('the length in the other byte order', () => {
    expect(framed(bytes.length * 2 ** 24)).toBe('cut');
  });

  test('an empty message is one', () => {
    expect(decrypt(WECOM, seal(WECOM, ''))).toBe('');
  });

  test('shorter than its own head', () => {
    for (let length = 0; length < 20; length += 1) {
      expect(kindOf(WECOM, sealed(pad(Buffer.alloc(length))))).toBe('cut');
    }
  });

  test.each(['app-7f3b', 'App-7f3a', 'app-7f3', 'app-7f3aa', '7f3a', ' app-7f3a', 'app-7f3a\0', ''])(
    'the application id %j is of another',
    (id) => {
      const encrypt = sealed(pad(frameOf(bytes, id)));
      expect(kindOf(WECOM, encrypt)).toBe('notOurs');
    },
  );

  test('a message that is not UTF-8', () => {
    const broken = Buffer.from([0x7b, 0xff, 0xc3, 0x7d]);
    expect(kindOf(WECOM, sealed(pad(frameOf(broken, APPLICATION))))).toBe('cut');
  });
});

/** 64 bytes: 20 of head, 4 of message, 8 of application id, 32 of padding. */
const withPad = (end: readonly number[]): string =>
  sealed(
    Buffer.concat([
      pad(frameOf(Buffer.from('text'), APPLICATION)).subarray(0, 64 - end.length),
      Buffer.from(end),
    ]),
  );

describe('the padding', () => {
  const full = Array.from({ length: 32 }, () => 32);

  test('32 bytes of 32 are taken away', () => {
    expect(decrypt(WECOM, withPad(full))).toBe('text');
  });

  test('every byte of it counts', () => {
    for (let at = 0; at < 32; at += 1) {
      expect(kindOf(WECOM, withPad(full.with(at, 31))), `byte ${at}`).toBe('cut');
    }
  });

  test.each([0, 33, 48, 64, 255])('a last byte of %d', (last) => {
    expect(kindOf(WECOM, withPad([last]))).toBe('cut');
    expect(kindOf(WECOM, sealed(Buffer.alloc(64, last)))).toBe('cut');
  });
});

test('one sentence, whichever step fails', () => {
  const bytes = Buffer.from(MESSAGE);
  const said = [
    '*',
    sealed(Buffer.alloc(64)),
    sealed(pad(frameOf(bytes, APPLICATION, 2 ** 31))),
    sealed(pad(frameOf(bytes, 'another'))),
  ].map((encrypt) => refusal(() => decrypt(WECOM, encrypt)));
  expect(said.map(({ kind }) => kind)).toEqual(['cut', 'cut', 'cut', 'notOurs']);
  expect(new Set(said.map(({ sentence }) => sentence)).size).toBe(1);
  expect(said[0]!.sentence).toMatch(
    /^Callback body: `encrypt` does not open as a message to this application\. /u,
  );
});

const said = (settings: Partial<CipherSettings>): string => {
  const { kind, sentence } = refusal(() => checkCipherSettings({ ...WECOM, ...settings }));
  expect(kind).toBe('settings');
  return sentence;
};

describe('settings', () => {
  test('that are right', () => {
    expect(refusal(() => checkCipherSettings(WECOM)).kind).toBe('opened');
  });

  test.each([
    ['one short', AES_KEY.slice(1), 42],
    ['one more', `${AES_KEY}A`, 44],
    ['a second =', `${AES_KEY}==`, 45],
    ['a sign that base64 does not have', `${AES_KEY.slice(1)}-`, 43],
    ['a space in front', ` ${AES_KEY}`, 44],
    ['an = within', `${AES_KEY.slice(0, 20)}=${AES_KEY.slice(21)}`, 43],
    ['a key of AES-128', 'MDEyMzQ1Njc4OWFiY2RlZg==', 24],
  ])('a key in base64 with %s', (_, aesKey, characters) => {
    expect(said({ aesKey })).toBe(
      `Callback settings: the AES key (${characters} characters) is not 43 characters of base64, or 44 with \`=\` at the end. Copy it again.`,
    );
  });

  test('no key', () => {
    expect(said({ aesKey: '' })).toContain('the AES key is empty');
  });

  test('no application id', () => {
    expect(said({ applicationId: '' })).toContain('the application id is empty');
  });
});
