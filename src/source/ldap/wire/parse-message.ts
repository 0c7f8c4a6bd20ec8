import { BerCursor, ProtocolError, TAG } from './ber.ts';
import { ReceivedEntry, type RawEntry } from './raw-entry.ts';
import { parseControls, type Control } from './controls.ts';

/** How an operation ended (RFC 4511, section 4.1.9). */
export interface LdapResult {
  /** Result code; 0: success. */
  readonly code: number;
  /** What the server says to it. */
  readonly text: string;
  /** Addresses of other servers. */
  readonly referrals: readonly string[];
  readonly controls: readonly Control[];
}

/** What a server sends during a search besides entries (RFC 4511, section 4.13). */
export interface Intermediate {
  readonly name: string | null;
  readonly value: Buffer | null;
}

/**
 * One message of a server (RFC 4511, section 4.2). Messages with id 0 are notices of the server and answer no
 * request.
 */
export type Message = { readonly id: number } & (
  | { readonly kind: 'entry'; readonly entry: RawEntry }
  | { readonly kind: 'reference'; readonly uris: readonly string[] }
  | { readonly kind: 'intermediate'; readonly body: Intermediate }
  | { readonly kind: 'done'; readonly result: LdapResult }
  | { readonly kind: 'notice'; readonly name: string | null; readonly result: LdapResult }
);

/** Tags of the operations that answer a search, and of their parts. */
const OPERATION = { entry: 0x64, done: 0x65, reference: 0x73, extended: 0x78, intermediate: 0x79 } as const;
const PART = {
  controls: 0xa0,
  referral: 0xa3,
  extendedName: 0x8a,
  response: { name: 0x80, value: 0x81 },
} as const;

/**
 * Returns a message that stands whole at a place. Throws a `ProtocolError` if it is none, or none that can
 * answer a search.
 */
export function parseMessage(bytes: Buffer, start: number, limit: number): Message {
  const cursor = new BerCursor(bytes, start);
  const end = cursor.enter(TAG.sequence, limit);
  const id = cursor.integer(TAG.integer, end);
  if (id < 0) throw new ProtocolError(`it has the number ${id}`);
  const tag = cursor.tag(end);
  if (tag === OPERATION.entry) return { id, kind: 'entry', entry: entryOf(cursor, end) };
  if (tag === OPERATION.done) return { id, kind: 'done', result: resultOf(cursor, tag, end).result };
  if (tag === OPERATION.reference) return { id, kind: 'reference', uris: urisOf(cursor, tag, end) };
  if (tag === OPERATION.intermediate) return { id, kind: 'intermediate', body: intermediateOf(cursor, end) };
  if (tag === OPERATION.extended) return { id, kind: 'notice', ...resultOf(cursor, tag, end) };
  throw new ProtocolError(`it has the operation 0x${Math.max(tag, 0).toString(16)}, which answers no search`);
}

function entryOf(cursor: BerCursor, limit: number): RawEntry {
  const { bytes } = cursor;
  const end = cursor.enter(OPERATION.entry, limit);
  const dnEnd = cursor.enter(TAG.octets, end);
  const dnStart = cursor.at;
  cursor.at = dnEnd;
  const listEnd = cursor.enter(TAG.sequence, end);
  const listStart = cursor.at;
  const isPartial = checkAttributes(cursor, listEnd);
  cursor.atEnd(end);
  return new ReceivedEntry(
    { bytes, dnStart, dnEnd, listStart, listEnd },
    isPartial,
    controlsOf(cursor, limit),
  );
}

/** Checks that a list of attributes is whole; returns whether one of them is only a part (`;range=`). */
function checkAttributes(cursor: BerCursor, limit: number): boolean {
  let isPartial = false;
  while (cursor.at < limit) {
    const end = cursor.enter(TAG.sequence, limit);
    const nameEnd = cursor.enter(TAG.octets, end);
    if (isRange(cursor.bytes, cursor.at, nameEnd)) isPartial = true;
    cursor.at = nameEnd;
    const valuesEnd = cursor.enter(TAG.set, end);
    while (cursor.at < valuesEnd) cursor.skip(TAG.octets, valuesEnd);
    cursor.atEnd(end);
  }
  return isPartial;
}

const SEMICOLON = 0x3b;

/** Returns whether the description of an attribute has the option `range`. */
function isRange(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1)
    if (bytes[at] === SEMICOLON) return /;range=/iu.test(bytes.toString('latin1', at, end));
  return false;
}

function resultOf(
  cursor: BerCursor,
  tag: number,
  limit: number,
): { readonly result: LdapResult; readonly name: string | null } {
  const end = cursor.enter(tag, limit);
  const code = cursor.integer(TAG.enumerated, end);
  // The name of the nearest entry there is.
  cursor.skip(TAG.octets, end);
  const text = cursor.text(TAG.octets, end);
  const referrals = cursor.tag(end) === PART.referral ? urisOf(cursor, PART.referral, end) : [];
  const name = cursor.tag(end) === PART.extendedName ? cursor.text(PART.extendedName, end) : null;
  cursor.skipRest(end);
  return { name, result: { code, text, referrals, controls: controlsOf(cursor, limit) } };
}

function urisOf(cursor: BerCursor, tag: number, limit: number): readonly string[] {
  const end = cursor.enter(tag, limit);
  const uris: string[] = [];
  while (cursor.at < end) uris.push(cursor.text(TAG.octets, end));
  return uris;
}

function intermediateOf(cursor: BerCursor, limit: number): Intermediate {
  const end = cursor.enter(OPERATION.intermediate, limit);
  const name = cursor.tag(end) === PART.response.name ? cursor.text(PART.response.name, end) : null;
  const value = cursor.tag(end) === PART.response.value ? cursor.octets(PART.response.value, end) : null;
  cursor.skipRest(end);
  return { name, value };
}

function controlsOf(cursor: BerCursor, limit: number): readonly Control[] {
  const controls = cursor.tag(limit) === PART.controls ? parseControls(cursor, PART.controls, limit) : NONE;
  cursor.skipRest(limit);
  return controls;
}

const NONE: readonly Control[] = [];
