import { describe, expect, test } from 'vitest';
import {
  checkCallbackSettings,
  openCallback,
  type CallbackRequest,
} from '../../src/callback/open-callback.ts';
import { sign } from '../../src/callback/signature.ts';
import { seal } from './seal.ts';
import {
  AES_KEY,
  APPLICATION,
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

type CallbackSettings = Parameters<typeof openCallback>[0];

const SETTINGS = { token: TOKEN, mode: 'safe', key: AES_KEY, applicationId: APPLICATION } as const;
const PLAIN = { token: TOKEN, mode: 'plain' } as const;
const COMPATIBLE = { ...SETTINGS, mode: 'compatible' } as const;
const NOW = 1_700_000_000_000;
const SIGNED = { signature: SHA1, signature256: SHA256, timestamp: TIMESTAMP, nonce: NONCE };
const PLAIN_SIGNED = { ...SIGNED, signature: PLAIN_SHA1, signature256: PLAIN_SHA256 };
const NOTHING = {
  fromUserName: null,
  fromDomain: null,
  msgType: null,
  content: null,
  event: null,
  eventKey: null,
};
const SAID = { ...NOTHING, msgType: 'text', fromUserName: 'ann', content: 'Grüße 🚀' };

const request = (query: Readonly<Record<string, string>>, body: unknown, now = NOW): CallbackRequest => ({
  query: new URLSearchParams(query),
  body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  now,
});
const kindOf = (one: CallbackRequest, settings: CallbackSettings = SETTINGS): string =>
  refusal(() => openCallback(settings, one)).kind;

/** Signs as the service does. */
function signed(
  echo: string,
  body: unknown,
  { timestamp = TIMESTAMP, nonce = NONCE, now = NOW } = {},
): CallbackRequest {
  const signature = sign('sha1', { token: TOKEN, timestamp, nonce, echo });
  return request({ signature, timestamp, nonce }, body, now);
}

describe('golden', () => {
  test('safe mode', () => {
    expect(openCallback(SETTINGS, request(SIGNED, { encrypt: ENCRYPT }))).toEqual({
      mode: 'safe',
      message: MESSAGE,
      fields: SAID,
    });
  });

  test('plaintext mode', () => {
    expect(openCallback(PLAIN, request(PLAIN_SIGNED, { message: MESSAGE }))).toEqual({
      mode: 'plain',
      message: MESSAGE,
      fields: SAID,
    });
  });

  test('compatible mode', () => {
    const opened = openCallback(COMPATIBLE, request(SIGNED, { encrypt: ENCRYPT, message: MESSAGE }));
    expect(opened).toMatchObject({ mode: 'compatible', message: MESSAGE, fields: SAID });
  });

  test('the body as bytes, with a byte order mark, with null for what is not there', () => {
    const json = `\uFEFF{"encrypt":"${ENCRYPT}","message":null,"event":""}`;
    expect(openCallback(SETTINGS, request(SIGNED, Buffer.from(json)))).toMatchObject({
      mode: 'safe',
      message: MESSAGE,
    });
  });

  test('signature256 left out, or empty', () => {
    for (const signature256 of [{}, { signature256: '' }]) {
      const { signature, timestamp, nonce } = SIGNED;
      const one = request({ signature, timestamp, nonce, ...signature256 }, { encrypt: ENCRYPT });
      expect(openCallback(SETTINGS, one).message).toBe(MESSAGE);
    }
  });
});

describe('fields', () => {
  test('every one that is read, as text; long numbers keep their digits', () => {
    const message =
      '{"from_user_name":9223372036854775807,"msg_type":"event","content":"c","event":"CLICK","event_key":"k",' +
      '"from_domain":"d1"}';
    expect(openCallback(PLAIN, signed(message, { message })).fields).toEqual({
      fromUserName: '9223372036854775807',
      fromDomain: 'd1',
      msgType: 'event',
      content: 'c',
      event: 'CLICK',
      eventKey: 'k',
    });
  });

  test('the content of a formatted message may stand in its body alone', () => {
    const inside = '{"content":null,"msg_body":{"content":"c"}}';
    expect(openCallback(PLAIN, signed(inside, { message: inside })).fields?.content).toBe('c');
    const both = '{"content":"a","msg_body":{"content":"c"}}';
    expect(openCallback(PLAIN, signed(both, { message: both })).fields?.content).toBe('a');
  });

  test('what is neither text nor number, or not its own, is not there', () => {
    const message = '{"content":{"a":1},"event":true,"event_key":[1],"__proto__":{"media_id":"m"}}';
    expect(openCallback(PLAIN, signed(message, { message })).fields).toEqual(NOTHING);
  });

  test.each(['hello', '[1]', '"text"', 'null', '17', '{"cut":'])('a message of %s has none', (message) => {
    expect(openCallback(PLAIN, signed(message, { message }))).toMatchObject({ message, fields: null });
  });
});

describe('compatible mode', () => {
  test('the plaintext beside the ciphertext is passed over', () => {
    const body = { encrypt: ENCRYPT, message: '{"from_user_name":"boss"}', from_user_name: 'boss' };
    const opened = openCallback(COMPATIBLE, request(SIGNED, body));
    expect(opened.message).toBe(MESSAGE);
    expect(opened.fields).toEqual(SAID);
    expect(JSON.stringify(opened)).not.toContain('boss');
  });

  test('a signature over the plaintext does not count', () => {
    expect(kindOf(request(PLAIN_SIGNED, { encrypt: ENCRYPT, message: MESSAGE }))).toBe('forged');
    expect(kindOf(request(PLAIN_SIGNED, { encrypt: 'AAAA', message: MESSAGE }))).toBe('forged');
  });

  test('the ciphertext taken out, another plaintext put in', () => {
    expect(kindOf(request(SIGNED, { message: MESSAGE }))).toBe('forged');
  });
});

describe('modes', () => {
  const plain = request(PLAIN_SIGNED, { message: MESSAGE });
  const safe = request(SIGNED, { encrypt: ENCRYPT });
  const both = request(SIGNED, { encrypt: ENCRYPT, message: MESSAGE });

  test.each([
    ['plain', plain, [safe, both]],
    ['safe', safe, [plain, both]],
    ['compatible', both, [plain, safe]],
  ] as const)('only %s is accepted where only that is set', (mode, right, others) => {
    const settings = { ...SETTINGS, mode };
    expect(openCallback(settings, right).mode).toBe(mode);
    for (const other of others) {
      expect(kindOf(other, settings)).toBe('settings');
    }
  });

  test('a mode that is off is not told to whoever cannot sign', () => {
    expect(kindOf(request(SIGNED, { message: MESSAGE }))).toBe('forged');
  });

  test('plaintext alone needs no key', () => {
    expect(openCallback(PLAIN, plain).message).toBe(MESSAGE);
  });
});

describe('forged', () => {
  test.each([
    ['the timestamp', { timestamp: '1700000001' }],
    ['the nonce', { nonce: '1320562133' }],
    ['signature', { signature: SHA1.replace('3', '4') }],
    ['signature256', { signature256: SHA256.replace('c', 'd') }],
    ['the one signature by the other mode’s', { signature: PLAIN_SHA1 }],
  ])('%s changed', (_, change) => {
    expect(kindOf(request({ ...SIGNED, ...change }, { encrypt: ENCRYPT }))).toBe('forged');
  });

  test('another token', () => {
    const settings = { ...SETTINGS, token: `${TOKEN}x` };
    expect(kindOf(request(SIGNED, { encrypt: ENCRYPT }), settings)).toBe('forged');
  });

  test('any character of the ciphertext or of the plaintext changed', () => {
    for (let at = 0; at < ENCRYPT.length; at += 1) {
      const encrypt = `${ENCRYPT.slice(0, at)}${ENCRYPT[at] === 'A' ? 'B' : 'A'}${ENCRYPT.slice(at + 1)}`;
      expect(kindOf(request(SIGNED, { encrypt }))).toBe('forged');
    }
    for (let at = 0; at < MESSAGE.length; at += 1) {
      const message = `${MESSAGE.slice(0, at)}~${MESSAGE.slice(at + 1)}`;
      expect(kindOf(request(PLAIN_SIGNED, { message }), PLAIN)).toBe('forged');
    }
  });

  test('nobody without the token gets as far as the ciphertext or the clock', () => {
    expect(kindOf(request(SIGNED, { encrypt: 'cut' }))).toBe('forged');
    expect(kindOf(request({ ...SIGNED, timestamp: '1' }, { encrypt: ENCRYPT }))).toBe('forged');
  });
});

describe('signed, but', () => {
  test('the ciphertext is cut, or to another application', () => {
    const cut = ENCRYPT.slice(0, 64);
    expect(kindOf(signed(cut, { encrypt: cut }))).toBe('cut');
    const other = { ...SETTINGS, applicationId: 'other' };
    const encrypt = seal(other, MESSAGE);
    expect(kindOf(signed(encrypt, { encrypt }))).toBe('cut');
    expect(openCallback(other, signed(encrypt, { encrypt })).message).toBe(MESSAGE);
  });

  test.each(['signature', 'timestamp', 'nonce'] as const)(
    'without, with an empty, with two of %s',
    (name) => {
      const { [name]: _, ...rest } = SIGNED;
      expect(kindOf(request(rest, { encrypt: ENCRYPT }))).toBe('unsigned');
      expect(kindOf(request({ ...SIGNED, [name]: '' }, { encrypt: ENCRYPT }))).toBe('unsigned');
      const twice = request(SIGNED, { encrypt: ENCRYPT });
      twice.query.append(name, SIGNED[name]);
      expect(kindOf(twice)).toBe('unsigned');
    },
  );

  test('with two of signature256', () => {
    const twice = request(SIGNED, { encrypt: ENCRYPT });
    twice.query.append('signature256', SHA256);
    expect(kindOf(twice)).toBe('unsigned');
  });
});

const atTime = (now: number, timestamp = TIMESTAMP): string =>
  kindOf(signed(MESSAGE, { message: MESSAGE }, { timestamp, now }), PLAIN);

describe('the timestamp', () => {
  test('may be 300 s before or after now, and no more', () => {
    expect(atTime(NOW + 300_000)).toBe('opened');
    expect(atTime(NOW - 300_000)).toBe('opened');
    expect(atTime(NOW + 300_001)).toBe('stale');
    expect(atTime(NOW - 300_001)).toBe('stale');
  });

  test('in milliseconds too', () => {
    expect(atTime(NOW + 300_500, '1700000000500')).toBe('opened');
    expect(atTime(NOW + 300_501, '1700000000500')).toBe('stale');
    expect(atTime(NOW - 299_500, '1700000000500')).toBe('opened');
    expect(atTime(NOW - 299_501, '1700000000500')).toBe('stale');
  });

  test.each([
    '170000000',
    '17000000000000',
    '1700000000.0',
    '1.7e9',
    ' 700000000',
    '１７００００００００',
    '0x6553f100',
  ])('%j is none', (timestamp) => {
    expect(atTime(NOW, timestamp)).toBe('stale');
  });

  test('a clock that tells nothing', () => {
    expect(atTime(Number.NaN)).toBe('stale');
  });
});

test.each<string | Uint8Array>([
  '',
  'null',
  '[]',
  '"x"',
  `{"encrypt":"${ENCRYPT}"`,
  `[{"encrypt":"${ENCRYPT}"}]`,
  Buffer.from(`{"encrypt":"${ENCRYPT}","content":"\xff"}`, 'latin1'),
  '{}',
  '{"encrypt":null,"message":""}',
  `{"__proto__":{"encrypt":"${ENCRYPT}"}}`,
  '{"message":{"from_user_name":"x"}}',
  '{"encrypt":17}',
  `{"encrypt":"${ENCRYPT}","message":false}`,
])('the body %s is none', (body) => {
  expect(kindOf(request(SIGNED, body))).toBe('notJson');
});

test('what the refusals say', async () => {
  const sentences = [
    () => openCallback(PLAIN, request(SIGNED, { encrypt: ENCRYPT })),
    () => openCallback(SETTINGS, request({}, { encrypt: ENCRYPT })),
    () => openCallback(SETTINGS, request({ ...SIGNED, nonce: '1' }, { encrypt: ENCRYPT })),
    ...[NOW + 400_000, NOW - 400_500].map(
      (now) => () => openCallback(PLAIN, signed(MESSAGE, { message: MESSAGE }, { now })),
    ),
    ...['[]', '{}', '{"encrypt":17}'].map((body) => () => openCallback(SETTINGS, request(SIGNED, body))),
    ...[{ token: '' }, { token: ' \t' }, { key: undefined }, { mode: 'plain', key: 'short' } as const].map(
      (change) => () => checkCallbackSettings({ ...SETTINGS, ...change }),
    ),
  ].map((act) => {
    const { kind, sentence } = refusal(act);
    return `${kind}: ${sentence}\n`;
  });
  checkCallbackSettings(SETTINGS);
  await expect(sentences.join('')).toMatchFileSnapshot('refusals.txt');
});
