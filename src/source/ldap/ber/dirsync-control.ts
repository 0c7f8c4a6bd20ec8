import { BerWriter } from 'ldapts';

import { BerCursor, TAG } from './ber.ts';

/** Control that asks for what changed since a cookie ([MS-ADTS], 3.1.1.3.4.1.3). */
export const DIRSYNC = '1.2.840.113556.1.4.841';

export interface DirsyncDone {
  /** Whether more is to be asked for with the new cookie. */
  readonly hasMore: boolean;
  readonly cookie: Buffer;
}

/** Of a list of values those that changed, rather than all (LDAP_DIRSYNC_INCREMENTAL_VALUES). */
const INCREMENTAL_VALUES = -0x8000_0000;
/** Bytes that an answer should have at most. */
const ANSWER_BYTES = 1_000_000;

/** Returns the value of the control; an empty cookie asks for all there is. */
export function dirsyncValue(cookie: Buffer): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(INCREMENTAL_VALUES);
  writer.writeInt(ANSWER_BYTES);
  writer.writeBuffer(cookie, TAG.octets);
  writer.endSequence();
  return writer.buffer;
}

/** Throws a `ProtocolError`. */
export function parseDirsync(value: Buffer): DirsyncDone {
  const cursor = new BerCursor(value);
  const end = cursor.enter(TAG.sequence, value.length);
  const more = cursor.integer(TAG.integer, end);
  cursor.integer(TAG.integer, end);
  const cookie = cursor.octets(TAG.octets, end);
  cursor.atEnd(end);
  cursor.atEnd(value.length);
  return { hasMore: more !== 0, cookie };
}
