import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkCipherSettings, decrypt, type CipherSettings } from '../../src/callback/cipher.ts';
import {
  AES_MODES,
  DERIVATIONS,
  IVS,
  PADDINGS,
  type AesMode,
  type Derivation,
} from '../../src/domain/settings.ts';
import { encryptBlocks, frameOf, pad, seal, type Complete } from './seal.ts';
import { AES_KEY, APPLICATION, ENCRYPT, ENCRYPT_ECB, MESSAGE, PASSPHRASE, refusal } from './vectors.ts';

const WECOM: CipherSettings = { aesKey: AES_KEY, applicationId: APPLICATION };
const FULL: Complete = {
  ...WECOM,
  mode: 'aes-256-cbc',
  derivation: 'base64',
  iv: 'key',
  padding: 'pkcs7-32',
};
const ECB: CipherSettings = {
  aesKey: PASSPHRASE,
  applicationId: APPLICATION,
  mode: 'aes-128-ecb',
  derivation: 'md5',
  padding: 'pkcs7-16',
};

const kindOf = (settings: CipherSettings, encrypt: string): string =>
  refusal(() => decrypt(settings, encrypt)).kind;

describe('golden', () => {
  test('the scheme of @wecom/crypto, where nothing else is set', () => {
    expect(decrypt(WECOM, ENCRYPT)).toBe(MESSAGE);
    expect(decrypt(FULL, ENCRYPT)).toBe(MESSAGE);
    expect(decrypt({ ...WECOM, aesKey: `${AES_KEY}=` }, ENCRYPT)).toBe(MESSAGE);
  });

  test('AES-128-ECB with the MD5 of a passphrase', () => {
    expect(decrypt(ECB, ENCRYPT_ECB)).toBe(MESSAGE);
    expect(decrypt({ ...ECB, padding: 'pkcs7-32' }, ENCRYPT_ECB)).toBe(MESSAGE);
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

/** A key text for each mode and derivation that can go together. */
function keyText(mode: AesMode, derivation: Derivation): string | null {
  const bytes = Number(mode.slice(4, 7)) / 8;
  const key = Buffer.from(Array.from({ length: bytes }, (_, index) => (index * 37 + 11) % 256));
  return {
    base64: key.toString('base64'),
    hex: key.toString('hex'),
    utf8: `ключ${'x'.repeat(bytes - 8)}`,
    md5: bytes === 16 ? PASSPHRASE : null,
    sha256: bytes === 32 ? PASSPHRASE : null,
  }[derivation];
}

const COMBINATIONS = AES_MODES.flatMap((mode) =>
  DERIVATIONS.flatMap((derivation) => {
    const aesKey = keyText(mode, derivation);
    return IVS.flatMap((iv) =>
      PADDINGS.flatMap((padding): readonly Complete[] =>
        aesKey === null ? [] : [{ aesKey, applicationId: APPLICATION, mode, derivation, iv, padding }],
      ),
    );
  }),
);

/** Fills the blocks, so that no padding is needed. */
const filled = (text: string): string =>
  text + ' '.repeat(-(20 + Buffer.byteLength(text) + APPLICATION.length) & 15);

test('every mode, derivation, IV and padding: what node:crypto encrypted', () => {
  expect(COMBINATIONS).toHaveLength(6 * 3 * 9 + 2 * 2 * 9);
  for (const settings of COMBINATIONS) {
    const message = settings.padding === 'none' ? filled(MESSAGE) : MESSAGE;
    const opened = decrypt(settings, seal(settings, message));
    expect({ ...settings, opened }).toEqual({ ...settings, opened: message });
  }
});

test('any message, any application id', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 });
  fc.assert(
    fc.property(text, text, (message, id) => {
      const settings = { ...FULL, applicationId: `a${id}` };
      expect(decrypt(settings, seal(settings, message))).toBe(message);
    }),
  );
});

test('another mode, derivation, IV of the first block, or key does not open', () => {
  const hex = { ...FULL, derivation: 'hex', aesKey: 'a1'.repeat(32) } as const;
  expect(kindOf({ ...hex, aesKey: 'a2'.repeat(32) }, seal(hex, MESSAGE))).toBe('cut');
  expect(kindOf({ ...hex, mode: 'aes-256-ecb' }, seal(hex, MESSAGE))).not.toBe('opened');
  expect(kindOf({ ...hex, iv: 'prefix' }, seal(hex, MESSAGE))).not.toBe('opened');
});

describe('cut', () => {
  const SETTINGS: readonly Complete[] = COMBINATIONS.filter(({ derivation }) => derivation === 'hex');

  test('after any byte, in every mode', () => {
    for (const settings of SETTINGS) {
      const whole = Buffer.from(seal(settings, filled(MESSAGE)), 'base64');
      for (let length = 0; length < whole.length; length += 1) {
        const kind = kindOf(settings, whole.subarray(0, length).toString('base64'));
        expect(['cut', 'notOurs'], `${length} of ${JSON.stringify(settings)}`).toContain(kind);
      }
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
const sealed = (padded: Buffer, settings = FULL): string =>
  encryptBlocks(settings, padded).toString('base64');

describe('the frame', () => {
  const bytes = Buffer.from(MESSAGE);
  const framed = (length: number, settings = FULL): string =>
    kindOf(settings, sealed(pad(frameOf(bytes, APPLICATION, length), settings.padding), settings));

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
    expect(decrypt(FULL, seal(FULL, ''))).toBe('');
  });

  test('shorter than its own head', () => {
    for (let length = 0; length < 20; length += 1) {
      expect(kindOf(FULL, sealed(pad(Buffer.alloc(length), 'pkcs7-32')))).toBe('cut');
    }
    const none = { ...FULL, padding: 'none' } as const;
    expect(kindOf(none, sealed(Buffer.alloc(16), none))).toBe('cut');
  });

  test.each(['app-7f3b', 'App-7f3a', 'app-7f3', 'app-7f3aa', '7f3a', ' app-7f3a', 'app-7f3a\0', ''])(
    'the application id %j is of another',
    (id) => {
      const encrypt = sealed(pad(frameOf(bytes, id), 'pkcs7-32'));
      expect(kindOf(FULL, encrypt)).toBe('notOurs');
    },
  );

  test('a message that is not UTF-8', () => {
    const broken = Buffer.from([0x7b, 0xff, 0xc3, 0x7d]);
    expect(kindOf(FULL, sealed(pad(frameOf(broken, APPLICATION), 'pkcs7-32')))).toBe('cut');
  });
});

/** 64 bytes: 20 of head, 4 of message, 8 of application id, 32 of padding. */
const withPad = (end: readonly number[]): string =>
  sealed(
    Buffer.concat([
      pad(frameOf(Buffer.from('text'), APPLICATION), 'pkcs7-32').subarray(0, 64 - end.length),
      Buffer.from(end),
    ]),
  );

describe('the padding', () => {
  const full = Array.from({ length: 32 }, () => 32);

  test('32 bytes of 32 are taken away', () => {
    expect(decrypt(FULL, withPad(full))).toBe('text');
  });

  test('every byte of it counts', () => {
    for (let at = 0; at < 32; at += 1) {
      expect(kindOf(FULL, withPad(full.with(at, 31))), `byte ${at}`).toBe('cut');
    }
  });

  test.each([0, 33, 48, 64, 255])('a last byte of %d', (last) => {
    expect(kindOf(FULL, withPad([last]))).toBe('cut');
    expect(kindOf(FULL, sealed(Buffer.alloc(64, last)))).toBe('cut');
  });

  test('more than 16 are wrong where 16 are set', () => {
    const sixteen = { ...FULL, padding: 'pkcs7-16' } as const;
    const frame = frameOf(Buffer.from('text'), APPLICATION);
    expect(decrypt(sixteen, sealed(pad(frame, 'pkcs7-16')))).toBe('text');
    expect(kindOf(sixteen, sealed(pad(frame, 'pkcs7-32')))).toBe('cut');
  });

  test('none is taken away where none is set', () => {
    const none = { ...FULL, padding: 'none' } as const;
    expect(kindOf(none, withPad(full))).toBe('notOurs');
    expect(decrypt(none, sealed(frameOf(Buffer.from('text'), APPLICATION), none))).toBe('text');
  });
});

test('one sentence, whichever step fails', () => {
  const bytes = Buffer.from(MESSAGE);
  const said = [
    '*',
    sealed(Buffer.alloc(64)),
    sealed(pad(frameOf(bytes, APPLICATION, 2 ** 31), 'pkcs7-32')),
    sealed(pad(frameOf(bytes, 'another'), 'pkcs7-32')),
  ].map((encrypt) => refusal(() => decrypt(FULL, encrypt)));
  expect(said.map(({ kind }) => kind)).toEqual(['cut', 'cut', 'cut', 'notOurs']);
  expect(new Set(said.map(({ sentence }) => sentence)).size).toBe(1);
  expect(said[0]!.sentence).toMatch(
    /^Callback body: `encrypt` does not open as a message to this application\. /u,
  );
});

const said = (settings: Partial<CipherSettings>): string => {
  const { kind, sentence } = refusal(() => checkCipherSettings({ ...WECOM, ...settings }));
  expect(kind).toBe('settings');
  expect(refusal(() => decrypt({ ...WECOM, ...settings }, ENCRYPT)).sentence).toBe(sentence);
  return sentence;
};

describe('settings', () => {
  test('that are right', () => {
    expect(refusal(() => checkCipherSettings(WECOM)).kind).toBe('opened');
    expect(refusal(() => checkCipherSettings(ECB)).kind).toBe('opened');
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
      `Callback settings: the AES key (${characters} characters) is not 43 characters of base64, or 44 with \`=\` ` +
        'at the end, as AES-256 needs. Copy it again, or choose another mode or derivation.',
    );
  });

  test.each<[AesMode, Derivation, string, string]>([
    ['aes-128-cbc', 'base64', AES_KEY, '(43 characters) is not 22 characters of base64, or 24 with `==`'],
    ['aes-192-cbc', 'base64', AES_KEY, '(43 characters) is not 32 characters of base64, as AES-192'],
    ['aes-256-cbc', 'hex', 'ab'.repeat(31), '(62 characters) is not 64 characters of hex, as AES-256'],
    ['aes-256-cbc', 'hex', `${'ab'.repeat(31)}a`, '(63 characters) is not 64 characters of hex, as AES-256'],
    ['aes-256-cbc', 'hex', `${'ab'.repeat(32)}a`, '(65 characters) is not 64 characters of hex, as AES-256'],
    ['aes-256-cbc', 'hex', `${'ab'.repeat(32)}xy`, '(66 characters) is not 64 characters of hex, as AES-256'],
    ['aes-256-cbc', 'hex', 'xy'.repeat(32), '(64 characters) is not 64 characters of hex, as AES-256'],
    ['aes-192-ecb', 'hex', 'ab'.repeat(32), '(64 characters) is not 48 characters of hex, as AES-192'],
    ['aes-128-cbc', 'utf8', 'ä'.repeat(16), '(32 bytes) is not 16 bytes of UTF-8, as AES-128'],
    [
      'aes-256-cbc',
      'md5',
      PASSPHRASE,
      'AES-256 needs a key of 32 bytes, which md5 does not give. Choose md5 for',
    ],
    ['aes-192-cbc', 'sha256', PASSPHRASE, 'AES-192 needs a key of 24 bytes, which sha256 does not give'],
  ])('a key of a wrong length: %s, %s', (mode, derivation, aesKey, sentence) => {
    expect(said({ mode, derivation, aesKey })).toContain(sentence);
  });

  test.each(DERIVATIONS)('no key, %s', (derivation) => {
    expect(said({ derivation, aesKey: '' })).toContain('the AES key is empty');
  });

  test('no application id', () => {
    expect(said({ applicationId: '' })).toContain('the application id is empty');
  });

  test('words that are not known', () => {
    expect(said({ mode: 'aes-256-gcm' as 'aes-256-cbc' })).toContain(
      'the mode is not known. Choose one of aes-256-cbc, ',
    );
    expect(said({ derivation: 'rot13' as 'hex' })).toContain('the derivation is not known');
    expect(said({ iv: 'one' as 'zero' })).toContain('the IV is not known');
    expect(said({ padding: 'zero' as 'none' })).toContain('the padding is not known');
  });
});
