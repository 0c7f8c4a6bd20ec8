import { BerCursor, ProtocolError, TAG } from './ber.ts';
import { controlsAt, type Controls } from './controls.ts';
import { entryAt, type RawEntry } from './entry.ts';

/** How an operation ended (RFC 4511, section 4.1.9). */
export interface LdapResult {
  /** Result code; 0: success. */
  readonly code: number;
  /** What the server says to it. */
  readonly text: string;
  /** Addresses of other servers. */
  readonly referrals: readonly string[];
  readonly controls: Controls;
}

/** What a server sends during a search besides entries (RFC 4511, section 4.13). */
export interface Intermediate {
  readonly name: string | undefined;
  readonly value: Buffer | null;
}

/** One message of a server (RFC 4511, section 4.2). One with the id 0 answers no request. */
export type Message = { readonly id: number } & (
  | { readonly kind: 'entry'; readonly entry: RawEntry }
  | { readonly kind: 'reference'; readonly uris: readonly string[] }
  | ({ readonly kind: 'intermediate' } & Intermediate)
  | {
      readonly kind: 'result';
      /** Tag of what it is the result of. */
      readonly operation: number;
      /** Of an extended operation. */
      readonly name: string | undefined;
      readonly result: LdapResult;
    }
);

/** Tags of the operations of a server. */
export const OPERATION = {
  bind: 0x61,
  entry: 0x64,
  search: 0x65,
  reference: 0x73,
  extended: 0x78,
  intermediate: 0x79,
} as const;
const PART = { referral: 0xa3, extendedName: 0x8a, name: 0x80, value: 0x81 } as const;

/** Returns a message that stands whole at a place. Throws a `ProtocolError` if it is none that answers. */
export function parseMessage(bytes: Buffer, start: number, limit: number): Message {
  const cursor = new BerCursor(bytes, start);
  const end = cursor.enter(TAG.sequence, limit);
  const id = cursor.integer(TAG.integer, end);
  if (id < 0) throw new ProtocolError(`it has the number ${id}`);
  const tag = bytes[cursor.at];
  if (tag === OPERATION.entry)
    return { id, kind: 'entry', entry: entryAt(cursor, end, () => controlsAt(cursor, end)) };
  if (tag === OPERATION.reference) return { id, kind: 'reference', uris: textsIn(cursor.content(tag, end)) };
  if (tag === OPERATION.intermediate) {
    const parts = new BerCursor(cursor.content(tag, end));
    return {
      id,
      kind: 'intermediate',
      name: parts.maybe(PART.name)?.toString(),
      value: parts.maybe(PART.value),
    };
  }
  if (tag === OPERATION.search || tag === OPERATION.bind || tag === OPERATION.extended)
    return { id, kind: 'result', operation: tag, ...resultAt(cursor, tag, end) };
  throw new ProtocolError(`it has the operation 0x${(tag ?? 0).toString(16)}, which answers nothing`);
}

function resultAt(
  cursor: BerCursor,
  operation: number,
  limit: number,
): { readonly result: LdapResult; readonly name: string | undefined } {
  const parts = new BerCursor(cursor.content(operation, limit));
  const code = parts.integer(TAG.enumerated);
  // The name of the nearest entry there is.
  parts.content(TAG.octets);
  const text = parts.content(TAG.octets).toString();
  const referrals = textsIn(parts.maybe(PART.referral));
  const name = parts.maybe(PART.extendedName)?.toString();
  return { name, result: { code, text, referrals, controls: controlsAt(cursor, limit) } };
}

function textsIn(content: Buffer | null): readonly string[] {
  const texts: string[] = [];
  const cursor = new BerCursor(content ?? NOTHING);
  while (cursor.at < cursor.bytes.length) texts.push(cursor.content(TAG.octets).toString());
  return texts;
}

const NOTHING = Buffer.alloc(0);
