import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { LARGEST_MESSAGE, ProtocolError } from '../../../../src/source/ldap/wire/ber.ts';
import { cookieOf } from '../../../../src/source/ldap/wire/controls.ts';
import type { Message } from '../../../../src/source/ldap/wire/parse-message.ts';
import {
  entries,
  entryMessage,
  message,
  pieces,
  read,
  readByLdapts,
  readEntry,
  referenceMessage,
  resultMessage,
  valuesOf,
  type GivenEntry,
  tlv,
} from './messages.ts';

function plain(one: Message): object {
  if (one.kind === 'entry') return valuesOf(one.entry.decode());
  if (one.kind === 'reference') return { uris: one.uris };
  return one.kind === 'done' ? { code: one.result.code, text: one.result.text } : one;
}

const answers = fc
  .array(
    fc.oneof(
      entries.map((entry) => entryMessage(entry)),
      fc.array(fc.webUrl(), { minLength: 1, maxLength: 3 }).map((uris) => referenceMessage(uris)),
    ),
    { maxLength: 6 },
  )
  .map((messages) => Buffer.concat([...messages, resultMessage(0, 'fine', Buffer.from('cookie'))]));

const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 5_000 })), {
  minLength: 1,
  maxLength: 6,
});

const SMALL: GivenEntry = {
  dn: 'uid=a,dc=example',
  attributes: [
    { type: 'cn', values: [Buffer.from('Ann'), Buffer.from('A')] },
    { type: 'mail', values: [Buffer.alloc(200, 0x62)] },
    { type: 'photo', values: [] },
  ],
};
const ANSWER = Buffer.concat([
  entryMessage(SMALL),
  referenceMessage(['ldap://b/dc=c']),
  resultMessage(0, '', null),
]);

/** Returns what the reader makes of it; a string: it refuses it. */
function outcome(chunks: readonly Buffer[]): readonly object[] | string {
  try {
    return read(chunks).map(plain);
  } catch (error) {
    if (error instanceof ProtocolError) return 'refused';
    throw error;
  }
}

const text = (words: string): Buffer => tlv(0x04, Buffer.from(words));

function cookieFrom(bytes: Buffer): Buffer | null {
  const [done] = read([bytes]);
  if (done?.kind !== 'done') throw new Error('no result came');
  return cookieOf(done.result.controls);
}

describe('the reader of answers', () => {
  test('reads what ldapts reads, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(answers, sizes, (bytes, cut) => {
        const ours = read(pieces(bytes, cut)).map(plain);
        expect(ours).toEqual(readByLdapts([bytes]));
      }),
    );
  });

  test.each([65_535, 65_536, 5_000_000])('reads a value of %i bytes', (size) => {
    const values = [Buffer.alloc(size, 0x62), Buffer.from('b')];
    const bytes = Buffer.concat([
      entryMessage({ ...SMALL, attributes: [{ type: 'photo', values }] }),
      ANSWER,
    ]);
    expect(read(pieces(bytes, [65_536])).map(plain)).toEqual(readByLdapts([bytes]));
  });

  test('waits for the rest of an answer that is cut anywhere, and makes nothing up', () => {
    const whole = read([ANSWER]).map(plain);
    for (let length = 0; length < ANSWER.length; length += 1) {
      const part = read([ANSWER.subarray(0, length)]).map(plain);
      expect(part).toEqual(whole.slice(0, part.length));
      expect(part.length).toBeLessThan(whole.length);
    }
  });

  test('refuses garbage or waits, whatever came', () => {
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc
        .array(fc.tuple(fc.nat(ANSWER.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
        .map((changes) => {
          const bytes = Buffer.from(ANSWER);
          for (const [at, byte] of changes) bytes[at] = byte;
          return bytes;
        }),
    );
    fc.assert(
      fc.property(garbage, sizes, (bytes, cut) => {
        expect(outcome(pieces(bytes, cut))).toEqual(outcome([bytes]));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['another tag', '04021234', /0x04 where 0x30 belongs/u],
    ['a length that is not definite', '30800201', /not definite/u],
    ['a message that is too large', '3084ffffffff', /announces a message of 4294967295 bytes/u],
    ['a negative number', '30030201ff', /the number -1/u],
    ['an operation that answers no search', '30050201016100', /operation 0x61/u],
    [
      'an attribute with something behind its values',
      '3014020107640f040161300a3008040163310004017a',
      /unknown part/u,
    ],
    ['an element beyond its end', '30080201076404040561', /beyond its end/u],
  ])('refuses %s', (_, hex, words) => {
    const bytes = Buffer.from(hex, 'hex');
    expect(() => read([bytes])).toThrow(words);
    expect(() => read(pieces(bytes, [1]))).toThrow(words);
  });

  test('takes a message of the largest size, and none above', () => {
    const head = Buffer.from('308400000000', 'hex');
    head.writeUInt32BE(LARGEST_MESSAGE, 2);
    expect(read([head])).toEqual([]);
    head.writeUInt32BE(LARGEST_MESSAGE + 1, 2);
    expect(() => read([head])).toThrow(ProtocolError);
  });

  test('takes lengths as Active Directory writes them, in four bytes each', () => {
    const attribute = tlv(0x30, text('cn'), tlv(0x31, text('Ann')));
    const entry = tlv(0x64, text('cn=a'), tlv(0x30, attribute));
    const [first] = read([tlv(0x30, Buffer.from('020107', 'hex'), entry)]).map(plain);
    expect(first).toEqual({ name: 'cn=a', attributes: [['cn', ['Ann'], ['416e6e']]] });
  });

  test('tells what a server tells beside, and refuses nothing that later versions may add', () => {
    const told = message(7, (writer) => {
      writer.startSequence(0x79);
      writer.writeString('1.3.6.1.4.1.4203.1.9.1.4', 0x80);
      writer.writeString('state', 0x81);
      writer.writeString('of a later version', 0x85);
      writer.endSequence();
    });
    const state = { name: '1.3.6.1.4.1.4203.1.9.1.4', value: Buffer.from('state') };
    expect(read([told])).toEqual([{ id: 7, kind: 'intermediate', body: state }]);
  });

  test.each([
    ['cn', false],
    ['member;range=0-1499', true],
    ['member;lang-de;Range=0-*', true],
    ['range;lang-de', false],
  ])('calls an entry with %s a part of it: %s', (type, isPartial) => {
    expect(readEntry({ ...SMALL, attributes: [{ type, values: [] }] }).isPartial).toBe(isPartial);
  });
});

describe('the cookie of a page', () => {
  test('is what the server sent, empty at the end, and none where there is no control', () => {
    expect(cookieFrom(resultMessage(0, '', Buffer.from([0, 1, 255])))).toEqual(Buffer.from([0, 1, 255]));
    expect(cookieFrom(resultMessage(0, '', Buffer.alloc(0)))).toEqual(Buffer.alloc(0));
    expect(cookieFrom(resultMessage(0, '', null))).toBeNull();
  });

  test.each(['', '3000', '30070201000401', '3005020100040000'])(
    'that is garbage (%s) proves no end',
    (hex) => {
      const controls = [{ type: '1.2.840.113556.1.4.319', value: Buffer.from(hex, 'hex') }];
      expect(() => cookieOf(controls)).toThrow(ProtocolError);
    },
  );
});
