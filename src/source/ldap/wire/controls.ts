import { BerWriter, Control as LdaptsControl } from 'ldapts';
import { BerCursor, ProtocolError, TAG } from './ber.ts';

/** What goes along with a message (RFC 4511, section 4.1.11). */
export interface Control {
  readonly type: string;
  readonly value: Buffer | null;
}

/** Control of paged results (RFC 2696). */
const PAGED_RESULTS = '1.2.840.113556.1.4.319';

/** Returns the controls that stand at the cursor. Throws a `ProtocolError`. */
export function parseControls(cursor: BerCursor, tag: number, limit: number): readonly Control[] {
  const end = cursor.enter(tag, limit);
  const controls: Control[] = [];
  while (cursor.at < end) {
    const controlEnd = cursor.enter(TAG.sequence, end);
    const type = cursor.text(TAG.octets, controlEnd);
    if (cursor.tag(controlEnd) === TAG.boolean) cursor.skip(TAG.boolean, controlEnd);
    const value = cursor.tag(controlEnd) === TAG.octets ? cursor.octets(TAG.octets, controlEnd) : null;
    cursor.skipRest(controlEnd);
    controls.push({ type, value });
  }
  return controls;
}

/**
 * Returns the cookie of paged results, empty if the server has no more (RFC 2696, section 3); `null`: it does
 * not tell. Throws a `ProtocolError` if the control is not as it should be: that proves no end.
 */
export function cookieOf(controls: readonly Control[]): Buffer | null {
  const control = controls.find(({ type }) => type === PAGED_RESULTS);
  if (control === undefined) return null;
  return whole(control.value ?? Buffer.alloc(0), TAG.sequence, (cursor, end) => {
    cursor.integer(TAG.integer, end);
    return cursor.octets(TAG.octets, end);
  });
}

/** A control whose value is there already. It is critical: a server that does not know it has to refuse the request. */
export class PlainControl extends LdaptsControl {
  readonly #value: Buffer | null;

  /** @param value `null`: it has none */
  constructor(type: string, value: Buffer | null) {
    super(type, { critical: true });
    this.#value = value;
  }

  protected override writeControl(writer: BerWriter): void {
    if (this.#value !== null) writer.writeBuffer(this.#value, TAG.octets);
  }
}

/** Names of the controls and of the message of the content synchronization operation (RFC 4533, section 2). */
export const SYNC = {
  request: '1.3.6.1.4.1.4203.1.9.1.1',
  state: '1.3.6.1.4.1.4203.1.9.1.2',
  done: '1.3.6.1.4.1.4203.1.9.1.3',
  info: '1.3.6.1.4.1.4203.1.9.1.4',
} as const;

/** What an entry of the answer is (RFC 4533, section 2.3); a `present` one comes without attributes. */
interface SyncState {
  readonly state: 'present' | 'add' | 'modify' | 'delete';
  /** 16 bytes. */
  readonly uuid: Buffer;
}

/** How the answer ended (RFC 4533, section 2.4). */
interface SyncDone {
  /** Whether the server named what is gone; else all that it did not name is gone. */
  readonly refreshDeletes: boolean;
}

/**
 * A message within the answer (RFC 4533, section 2.5): a cookie alone, ids, or the end of a phase. One phase
 * names what is gone, the other what is there.
 */
type SyncInfo =
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
    cookieAt(cursor, end);
    return { refreshDeletes: booleanAt(cursor, end) ?? false };
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
  return whole(value, TAG.sequence, (cursor, end) => {
    const more = cursor.integer(TAG.integer, end);
    cursor.integer(TAG.integer, end);
    return { hasMore: more !== 0, cookie: cursor.octets(TAG.octets, end) };
  });
}
