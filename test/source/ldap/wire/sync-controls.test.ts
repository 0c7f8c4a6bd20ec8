import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { ProtocolError } from '../../../../src/source/ldap/wire/ber.ts';
import {
  parseDirsync,
  parseSyncDone,
  parseSyncInfo,
  parseSyncState,
} from '../../../../src/source/ldap/wire/controls.ts';

/** BER by hand, each length in the shortest form. */
const tlv = (tag: number, ...content: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([tag, Buffer.concat(content).length]), ...content]);
const octets = (content: Buffer | string): Buffer => tlv(0x04, Buffer.from(content));

const ID = octets(Buffer.alloc(16));
const TRUE = Buffer.from([0x01, 0x01, 0xff]);
const WHOLE = tlv(0xa3, octets('c'), TRUE, tlv(0x31, ID));
const isRefused = (parse: () => unknown): boolean => {
  try {
    parse();
    return false;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return true;
  }
};

test('what a server tells of a synchronization is refused where it is cut off', () => {
  for (let length = 0; length < WHOLE.length; length += 1)
    expect(isRefused(() => parseSyncInfo(WHOLE.subarray(0, length)))).toBe(true);
});

test.each([
  ['bytes are left', parseSyncInfo, Buffer.concat([WHOLE, Buffer.from([0])])],
  ['an id is no UUID', parseSyncInfo, tlv(0xa3, tlv(0x31, octets(Buffer.alloc(15))))],
  ['the order is another', parseSyncInfo, tlv(0xa3, tlv(0x31, ID), TRUE)],
  ['the kind is not known', parseSyncInfo, tlv(0xa4, tlv(0x31, ID))],
  ['a length lies', parseSyncInfo, Buffer.from([0xa3, 0x84, 0x7f, 0xff, 0xff, 0xff])],
  ['a length is not definite', parseSyncInfo, Buffer.from([0xa3, 0x80, 0x00, 0x00])],
  ['a truth value has two bytes', parseSyncInfo, tlv(0xa3, tlv(0x01, Buffer.alloc(2)), tlv(0x31, ID))],
  ['the state is not known', parseSyncState, tlv(0x30, tlv(0x0a, Buffer.from([4])), ID)],
  ['the end is in another order', parseSyncDone, tlv(0x30, TRUE, octets('c'))],
])('it is refused where %s', (_, parse, value) => {
  expect(isRefused(() => parse(value))).toBe(true);
});

test('it never ends otherwise than with a value or a refusal, whatever bytes come', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      for (const parse of [parseSyncInfo, parseSyncState, parseSyncDone, parseDirsync])
        expect([true, false]).toContain(isRefused(() => parse(Buffer.from(bytes))));
    }),
  );
});
