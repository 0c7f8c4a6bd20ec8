import { BerWriter } from 'ldapts';

import { BerCursor, ProtocolError, TAG } from './ber.ts';

/** Names of the controls and of the message of the content synchronization operation (RFC 4533, section 2). */
export const SYNC = {
  request: '1.3.6.1.4.1.4203.1.9.1.1',
  state: '1.3.6.1.4.1.4203.1.9.1.2',
  done: '1.3.6.1.4.1.4203.1.9.1.3',
  info: '1.3.6.1.4.1.4203.1.9.1.4',
} as const;

/** What an entry of the answer is (RFC 4533, section 2.3); a `present` one comes without attributes. */
export interface SyncState {
  readonly state: 'present' | 'add' | 'modify' | 'delete';
  /** 16 bytes. */
  readonly uuid: Buffer;
}

/** How the answer ended (RFC 4533, section 2.4). */
export interface SyncDone {
  readonly cookie: string | null;
  /** Whether what is gone was told; else all that was not told is gone. */
  readonly refreshDeletes: boolean;
}

/**
 * A message within the answer (RFC 4533, section 2.5): a cookie alone, the end of the phase that tells what is gone or of
 * the one that tells what is there, or ids.
 */
export type SyncInfo =
  | { readonly kind: 'cookie' | 'deletes' | 'presents' }
  | { readonly kind: 'ids'; readonly areGone: boolean; readonly uuids: readonly Buffer[] };

const REFRESH_ONLY = 1;
const STATES = ['present', 'add', 'modify', 'delete'] as const;
const UUID_BYTES = 16;
const INFO = { cookie: 0x80, refreshDelete: 0xa1, refreshPresent: 0xa2, ids: 0xa3 } as const;

/** Returns the value of the control that asks for what changed since a cookie. */
export function syncRequestValue(cookie: string): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeEnumeration(REFRESH_ONLY);
  writer.writeString(cookie);
  writer.writeBoolean(false);
  writer.endSequence();
  return writer.buffer;
}

/** Throws a `ProtocolError`, as the others here do. */
export function parseSyncState(value: Buffer): SyncState {
  return whole(value, TAG.sequence, (cursor, end) => {
    const state = STATES[cursor.integer(TAG.enumerated, end)];
    if (state === undefined) throw new ProtocolError('it has an entry in a state that is not known');
    const uuid = uuidAt(cursor, end);
    cookieAt(cursor, end);
    return { state, uuid };
  });
}

export function parseSyncDone(value: Buffer): SyncDone {
  return whole(value, TAG.sequence, (cursor, end) => {
    const cookie = cookieAt(cursor, end);
    return { cookie, refreshDeletes: booleanAt(cursor, end) ?? false };
  });
}

export function parseSyncInfo(value: Buffer): SyncInfo {
  const tag = value[0] ?? -1;
  return whole(value, tag, (cursor, end): SyncInfo => {
    if (tag === INFO.cookie) {
      cursor.at = end;
      return { kind: 'cookie' };
    }
    if (tag !== INFO.refreshDelete && tag !== INFO.refreshPresent && tag !== INFO.ids)
      throw new ProtocolError('it tells of a synchronization what is not known');
    cookieAt(cursor, end);
    const flag = booleanAt(cursor, end);
    if (tag === INFO.ids) return idsAt(cursor, end, flag ?? false);
    return { kind: tag === INFO.refreshDelete ? 'deletes' : 'presents' };
  });
}

function idsAt(cursor: BerCursor, limit: number, areGone: boolean): SyncInfo {
  const end = cursor.enter(TAG.set, limit);
  const uuids: Buffer[] = [];
  while (cursor.at < end) uuids.push(uuidAt(cursor, end));
  return { kind: 'ids', areGone, uuids };
}

/** Reads a value that is one element; what is behind it, or in it behind what is known, is refused. */
function whole<T>(value: Buffer, tag: number, read: (cursor: BerCursor, end: number) => T): T {
  const cursor = new BerCursor(value);
  const end = cursor.enter(tag, value.length);
  const result = read(cursor, end);
  cursor.atEnd(end);
  cursor.atEnd(value.length);
  return result;
}

const cookieAt = (cursor: BerCursor, end: number): string | null =>
  cursor.tag(end) === TAG.octets ? cursor.text(TAG.octets, end) : null;

const booleanAt = (cursor: BerCursor, end: number): boolean | null =>
  cursor.tag(end) === TAG.boolean ? cursor.boolean(TAG.boolean, end) : null;

function uuidAt(cursor: BerCursor, limit: number): Buffer {
  const uuid = cursor.octets(TAG.octets, limit);
  if (uuid.length !== UUID_BYTES) throw new ProtocolError(`it has an id of ${uuid.length} bytes`);
  return uuid;
}
