import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { ProtocolError } from '../../../../src/source/ldap/wire/ber.ts';
import {
  dirsyncValue,
  parseDirsync,
  parseSyncDone,
  parseSyncInfo,
  parseSyncState,
  syncRequestValue,
} from '../../../../src/source/ldap/wire/controls.ts';

/** An encoder of its own: X.690 by hand, each length in the shortest form, or in one of several bytes. */
function tlv(tag: number, content: Buffer, isLong = false): Buffer {
  const { length } = content;
  if (length < 0x80 && !isLong) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return Buffer.concat([Buffer.from([tag, 0x84]), bytes, content]);
}

const octets = (content: Buffer | string): Buffer => tlv(0x04, Buffer.from(content));
const truth = (value: boolean): Buffer => tlv(0x01, Buffer.from([value ? 0xff : 0]));
const joined = (...parts: readonly (Buffer | null)[]): Buffer =>
  Buffer.concat(parts.filter((part) => part !== null));

const uuid = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes));
const cookie = fc.option(fc.string({ unit: 'grapheme', maxLength: 300 }));
const flag = fc.option(fc.boolean());
const isLong = fc.boolean();

const cookieOf = (text: string | null): Buffer | null => (text === null ? null : octets(text));
const flagOf = (value: boolean | null): Buffer | null => (value === null ? null : truth(value));

function outcomeOf(parse: () => object): string {
  try {
    return typeof parse() === 'object' ? 'value' : 'nothing';
  } catch (error) {
    return error instanceof ProtocolError ? 'refusal' : String(error);
  }
}

describe('what a server tells of a synchronization', () => {
  test('is read as another encoder wrote it: the state of an entry', () => {
    fc.assert(
      fc.property(fc.nat(3), uuid, cookie, isLong, (state, id, text, long) => {
        const value = tlv(0x30, joined(tlv(0x0a, Buffer.from([state])), octets(id), cookieOf(text)), long);
        expect(parseSyncState(value)).toEqual({
          state: ['present', 'add', 'modify', 'delete'][state],
          uuid: id,
        });
      }),
    );
  });

  test('is read as another encoder wrote it: its end', () => {
    fc.assert(
      fc.property(cookie, flag, isLong, (text, deletes, long) => {
        const value = tlv(0x30, joined(cookieOf(text), flagOf(deletes)), long);
        expect(parseSyncDone(value)).toEqual({ cookie: text, refreshDeletes: deletes ?? false });
      }),
    );
  });

  test('is read as another encoder wrote it: lists of ids, phases and cookies', () => {
    fc.assert(
      fc.property(fc.array(uuid, { maxLength: 40 }), cookie, flag, isLong, (uuids, text, areGone, long) => {
        const set = tlv(0x31, Buffer.concat(uuids.map(octets)), long);
        const ids = tlv(0xa3, joined(cookieOf(text), flagOf(areGone), set), long);
        expect(parseSyncInfo(ids)).toEqual({ kind: 'ids', areGone: areGone ?? false, uuids });
        const phase = (tag: number): Buffer => tlv(tag, joined(cookieOf(text), flagOf(areGone)), long);
        expect(parseSyncInfo(phase(0xa1))).toEqual({ kind: 'deletes' });
        expect(parseSyncInfo(phase(0xa2))).toEqual({ kind: 'presents' });
        expect(parseSyncInfo(tlv(0x80, Buffer.from(text ?? ''), long))).toEqual({ kind: 'cookie' });
      }),
    );
  });

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

describe('what is asked of a server', () => {
  test('is written as another encoder writes it', () => {
    const short = fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{0,100}$/u), short, (text, bytes) => {
        const sync = tlv(0x30, joined(tlv(0x0a, Buffer.from([1])), octets(text), truth(false)));
        expect(syncRequestValue(text)).toEqual(sync);
        const flags = tlv(0x02, Buffer.from([0x80, 0, 0, 0]));
        const most = tlv(0x02, Buffer.from([0x0f, 0x42, 0x40]));
        expect(dirsyncValue(bytes)).toEqual(tlv(0x30, joined(flags, most, octets(bytes))));
      }),
    );
  });

  test('an answer of DirSync is read as another encoder wrote it', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.uint8Array({ maxLength: 300 }), isLong, (more, bytes, long) => {
        const numbers = [more ? 1 : 0, 0].map((one) => tlv(0x02, Buffer.from([one])));
        const value = tlv(0x30, joined(...numbers, octets(Buffer.from(bytes))), long);
        expect(parseDirsync(value)).toEqual({ hasMore: more, cookie: Buffer.from(bytes) });
      }),
    );
  });
});
