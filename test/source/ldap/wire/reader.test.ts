import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { LARGEST_MESSAGE, ProtocolError } from '../../../../src/source/ldap/wire/ber.ts';
import { cookieOf } from '../../../../src/source/ldap/wire/controls.ts';
import type { Message } from '../../../../src/source/ldap/wire/message.ts';
import {
  entries,
  entryMessage,
  message,
  pieces,
  read,
  readByLdapts,
  readEntry,
  referenceMessage,
  resultOf,
  valuesOf,
  type GivenEntry,
} from './messages.ts';

function plain(one: Message): object {
  if (one.kind === 'entry') {
    const { dn, attributes } = one.entry.decode();
    return valuesOf(dn, attributes);
  }
  if (one.kind === 'reference') return { uris: one.uris };
  return one.kind === 'result' ? { code: one.result.code, text: one.result.text } : one;
}

const answers = fc
  .array(
    fc.oneof(
      entries.map((entry) => entryMessage(entry)),
      fc.array(fc.webUrl(), { minLength: 1, maxLength: 3 }).map((uris) => referenceMessage(uris)),
    ),
    { maxLength: 6 },
  )
  .map((messages) =>
    Buffer.concat([...messages, resultOf(7, { text: 'fine', cookie: Buffer.from('cookie') })]),
  );

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
const ANSWER = Buffer.concat([entryMessage(SMALL), referenceMessage(['ldap://b/dc=c']), resultOf(7)]);

/** Returns what the reader makes of it; a string: it refuses it. */
function outcome(chunks: readonly Buffer[]): readonly object[] | string {
  try {
    return read(chunks).map(plain);
  } catch (error) {
    if (error instanceof ProtocolError) return 'refused';
    throw error;
  }
}

const meaning = (entry: GivenEntry): string => JSON.stringify(valuesOf(entry.dn, entry.attributes));

describe('the reader of answers', () => {
  test('reads what ldapts reads, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(answers, sizes, (bytes, cut) => {
        expect(read(pieces(bytes, cut)).map(plain)).toEqual(readByLdapts([bytes]));
      }),
    );
  });

  test.each([65_535, 65_536, 5_000_000])('reads a value of %i bytes', (size) => {
    const values = [Buffer.alloc(size, 0x62), Buffer.from('b')];
    const long = entryMessage({ ...SMALL, attributes: [{ type: 'photo', values }] });
    const bytes = Buffer.concat([long, ANSWER]);
    expect(read(pieces(bytes, [65_536])).map(plain)).toEqual(readByLdapts([bytes]));
  });

  test('refuses garbage or waits, whatever came', () => {
    const changed = fc
      .array(fc.tuple(fc.nat(ANSWER.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
      .map((changes) => {
        const bytes = Buffer.from(ANSWER);
        for (const [at, byte] of changes) bytes[at] = byte;
        return bytes;
      });
    const garbage = fc.oneof(
      changed,
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(garbage, sizes, (bytes, cut) => {
        expect(outcome(pieces(bytes, cut))).toEqual(outcome([bytes]));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['another tag', '04021234'],
    ['a length that is not definite', '30800201'],
    ['a message that is too large', '3084ffffffff'],
    ['a negative number', '30030201ff'],
    ['an operation of a client', '30050201016000'],
    ['an attribute with something behind its values', '3014020107640f040161300a3008040163310004017a'],
    ['an element beyond its end', '30080201076404040561'],
    ['a text that is a byte longer than its answer', '300c02010765070a010004000401'],
  ])('refuses %s', (_, hex) => {
    const bytes = Buffer.from(hex, 'hex');
    expect(outcome([bytes])).toBe('refused');
    expect(outcome(pieces(bytes, [1]))).toBe('refused');
  });

  test('takes a message of the largest size, and none above', () => {
    const head = Buffer.from('308400000000', 'hex');
    head.writeUInt32BE(LARGEST_MESSAGE, 2);
    expect(outcome([head])).toEqual([]);
    head.writeUInt32BE(LARGEST_MESSAGE + 1, 2);
    expect(outcome([head])).toBe('refused');
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
    expect(read([told])).toEqual([{ id: 7, kind: 'intermediate', ...state }]);
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
  test.each([Buffer.from([0, 1, 255]), Buffer.alloc(0), null])('is what the server sent: %j', (cookie) => {
    const [done] = read([resultOf(7, { cookie })]);
    expect(done?.kind === 'result' && cookieOf(done.result.controls)).toEqual(cookie);
  });

  test.each(['', '3000', '30070201000401', '3005020100040000'])(
    'that is garbage (%s) proves no end',
    (hex) => {
      const controls = new Map([['1.2.840.113556.1.4.319', Buffer.from(hex, 'hex')]]);
      expect(() => cookieOf(controls)).toThrow(ProtocolError);
    },
  );
});

describe('the fingerprint of an entry', () => {
  const SALT = Buffer.from('salt');
  const of = (entry: GivenEntry, salt = SALT): string => readEntry(entry).fingerprint(salt);
  /** Entries of few letters, so that many pairs are almost the same. */
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\u0000', '\u0004'), maxLength: 3 });
  const values = fc.array(
    letters.map((text) => Buffer.from(text)),
    { maxLength: 3 },
  );
  const type = fc.string({ unit: fc.constantFrom('a', 'b', 'A'), maxLength: 2 });
  const attributes = fc.uniqueArray(fc.record({ type, values }), {
    maxLength: 3,
    selector: (one) => one.type.toLowerCase(),
  });
  const near: fc.Arbitrary<GivenEntry> = fc.record({ dn: letters, attributes });

  test('is the same for two entries if and only if they mean the same', () => {
    fc.assert(
      fc.property(near, near, (one, other) => {
        expect(of(one) === of(other)).toBe(meaning(one) === meaning(other));
      }),
      { numRuns: 5_000 },
    );
  });

  test('depends on the salt, whose end is its own', () => {
    expect(of(SMALL, Buffer.from('a'))).not.toBe(of(SMALL, Buffer.from('b')));
    expect(of({ ...SMALL, dn: 'c' }, Buffer.from('ab'))).not.toBe(
      of({ ...SMALL, dn: 'bc' }, Buffer.from('a')),
    );
  });
});
