import { BerWriter, Control } from 'ldapts';
import { BerCursor, isTrue, ProtocolError, TAG } from './ber.ts';

/** What came along with a message: values by the name of their control, empty if it has none (RFC 4511, 4.1.11). */
export type Controls = ReadonlyMap<string, Buffer>;

const CONTROLS = 0xa0;
const NOTHING = Buffer.alloc(0);
const NONE: Controls = new Map();

/** Returns the controls that stand at the cursor. All here that read throw a `ProtocolError`. */
export function controlsAt(cursor: BerCursor, limit: number): Controls {
  const all = cursor.maybe(CONTROLS, limit);
  if (all === null) return NONE;
  const controls = new Map<string, Buffer>();
  const list = new BerCursor(all);
  while (list.at < all.length) {
    const control = new BerCursor(list.content(TAG.sequence));
    const type = control.content(TAG.octets).toString();
    isTrue(control.maybe(TAG.boolean));
    controls.set(type, control.maybe(TAG.octets) ?? NOTHING);
  }
  return controls;
}

/** Control of paged results (RFC 2696). */
const PAGED_RESULTS = '1.2.840.113556.1.4.319';

/**
 * Returns the cookie of paged results, empty if the server has no more (RFC 2696, section 3); `null`: it does
 * not tell. A control that is not as it should be proves no end.
 */
export function cookieOf(controls: Controls): Buffer | null {
  const value = controls.get(PAGED_RESULTS);
  if (value === undefined) return null;
  const parts = BerCursor.within(value, TAG.sequence);
  parts.integer(TAG.integer);
  const cookie = parts.content(TAG.octets);
  parts.atEnd();
  return cookie;
}

/** A control with this value. It is critical: a server that does not know it has to refuse the request. */
class ValueControl extends Control {
  readonly #value: Buffer;

  constructor(type: string, value: Buffer) {
    super(type, { critical: true });
    this.#value = value;
  }

  protected override writeControl(writer: BerWriter): void {
    writer.writeBuffer(this.#value, TAG.octets);
  }
}

/** Names of the controls and of the message of the content synchronization operation (RFC 4533, section 2). */
export const SYNC = {
  request: '1.3.6.1.4.1.4203.1.9.1.1',
  state: '1.3.6.1.4.1.4203.1.9.1.2',
  done: '1.3.6.1.4.1.4203.1.9.1.3',
  info: '1.3.6.1.4.1.4203.1.9.1.4',
} as const;

/** Returns the control that asks for what changed since a cookie. */
export function syncRequest(cookie: string): Control {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeEnumeration(1); // refreshOnly
  writer.writeString(cookie);
  writer.writeBoolean(false);
  writer.endSequence();
  return new ValueControl(SYNC.request, writer.buffer);
}

const STATES = ['present', 'add', 'modify', 'delete'] as const;
const UUID_BYTES = 16;
const INFO = { cookie: 0x80, refreshDelete: 0xa1, refreshPresent: 0xa2, ids: 0xa3 } as const;

/** Returns what an entry of the answer is, and its id (RFC 4533, section 2.3). */
export function parseSyncState(value: Buffer): {
  readonly state: (typeof STATES)[number];
  readonly uuid: Buffer;
} {
  const parts = BerCursor.within(value, TAG.sequence);
  const state = STATES[parts.integer(TAG.enumerated)];
  if (state === undefined) throw new ProtocolError('it has an entry in a state that is not known');
  const uuid = uuidAt(parts);
  parts.maybe(TAG.octets);
  parts.atEnd();
  return { state, uuid };
}

/** Returns whether the server named what is gone (RFC 4533, section 2.4); else all that it did not name is gone. */
export function parseSyncDone(value: Buffer): boolean {
  const parts = BerCursor.within(value, TAG.sequence);
  parts.maybe(TAG.octets);
  const refreshDeletes = isTrue(parts.maybe(TAG.boolean));
  parts.atEnd();
  return refreshDeletes;
}

/**
 * Returns the ids that a message within the answer says are gone (RFC 4533, section 2.5); `null`: it begins the phase that
 * names what is there instead.
 */
export function parseSyncInfo(value: Buffer): readonly Buffer[] | null {
  const tag = value[0] ?? -1;
  const parts = BerCursor.within(value, tag);
  if (tag === INFO.cookie) return [];
  if (tag !== INFO.refreshDelete && tag !== INFO.refreshPresent && tag !== INFO.ids)
    throw new ProtocolError('it tells of a synchronization what is not known');
  parts.maybe(TAG.octets);
  const flag = isTrue(parts.maybe(TAG.boolean));
  const uuids: Buffer[] = [];
  if (tag === INFO.ids) {
    const ids = new BerCursor(parts.content(TAG.set));
    while (ids.at < ids.bytes.length) uuids.push(uuidAt(ids));
  }
  parts.atEnd();
  return tag === INFO.refreshPresent || (tag === INFO.ids && !flag) ? null : uuids;
}

function uuidAt(cursor: BerCursor): Buffer {
  const uuid = cursor.content(TAG.octets);
  if (uuid.length !== UUID_BYTES) throw new ProtocolError(`it has an id of ${uuid.length} bytes`);
  return uuid;
}

/** Control that asks for what changed since a cookie ([MS-ADTS], 3.1.1.3.4.1.3). */
export const DIRSYNC = '1.2.840.113556.1.4.841';
/** Of a list of values those that changed, rather than all (LDAP_DIRSYNC_INCREMENTAL_VALUES). */
const INCREMENTAL_VALUES = -0x8000_0000;
/** Bytes that an answer should have at most. */
const ANSWER_BYTES = 1_000_000;

/** Returns the control; an empty cookie asks for all there is. */
export function dirsyncRequest(cookie: Buffer): Control {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(INCREMENTAL_VALUES);
  writer.writeInt(ANSWER_BYTES);
  writer.writeBuffer(cookie, TAG.octets);
  writer.endSequence();
  return new ValueControl(DIRSYNC, writer.buffer);
}

/** Returns whether more is to be asked for, and with which cookie. */
export function parseDirsync(value: Buffer): { readonly hasMore: boolean; readonly cookie: Buffer } {
  const parts = BerCursor.within(value, TAG.sequence);
  const hasMore = parts.integer(TAG.integer) !== 0;
  parts.content(TAG.integer);
  const cookie = parts.content(TAG.octets);
  parts.atEnd();
  return { hasMore, cookie };
}
