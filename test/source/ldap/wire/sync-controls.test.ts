import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { ProtocolError } from '../../../../src/source/ldap/wire/ber.ts';
import {
  parseDirsync,
  parseSyncDone,
  parseSyncInfo,
  parseSyncState,
} from '../../../../src/source/ldap/wire/controls.ts';

/** BER by hand, each length in the shortest form. */
function tlv(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}

const octets = (content: Buffer | string): Buffer => tlv(0x04, Buffer.from(content));
const truth = (value: boolean): Buffer => tlv(0x01, Buffer.from([value ? 0xff : 0]));
const joined = (...parts: readonly (Buffer | null)[]): Buffer =>
  Buffer.concat(parts.filter((part) => part !== null));

function outcomeOf(parse: () => object): string {
  try {
    return typeof parse() === 'object' ? 'value' : 'nothing';
  } catch (error) {
    return error instanceof ProtocolError ? 'refusal' : String(error);
  }
}

describe('what a server tells of a synchronization', () => {
  test('is refused where it is cut off, where bytes are left, where an id is no UUID, or a length lies', () => {
    const id = octets(Buffer.alloc(16));
    const whole = tlv(0xa3, joined(octets('c'), truth(true), tlv(0x31, id)));
    for (let length = 0; length < whole.length; length += 1)
      expect(() => parseSyncInfo(whole.subarray(0, length))).toThrow(ProtocolError);
    const wrong = [
      Buffer.concat([whole, Buffer.from([0])]),
      tlv(0xa3, tlv(0x31, octets(Buffer.alloc(15)))),
      tlv(0xa3, joined(tlv(0x31, id), truth(true))),
      tlv(0xa4, tlv(0x31, id)),
      Buffer.from([0xa3, 0x84, 0x7f, 0xff, 0xff, 0xff]),
      Buffer.from([0xa3, 0x80, 0x00, 0x00]),
      Buffer.from([0xa3, 0x89, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
      tlv(0xa3, joined(tlv(0x01, Buffer.alloc(2)), tlv(0x31, id))),
    ];
    for (const value of wrong) expect(() => parseSyncInfo(value)).toThrow(ProtocolError);
    expect(() => parseSyncState(tlv(0x30, joined(tlv(0x0a, Buffer.from([4])), id)))).toThrow(ProtocolError);
    expect(() => parseSyncDone(tlv(0x30, joined(truth(true), octets('c'))))).toThrow(ProtocolError);
  });

  test('never ends otherwise than with a value or a refusal, whatever bytes come', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        for (const parse of [parseSyncInfo, parseSyncState, parseSyncDone, parseDirsync])
          expect(outcomeOf(() => parse(Buffer.from(bytes)))).toMatch(/^(?:value|refusal)$/u);
      }),
    );
  });
});
