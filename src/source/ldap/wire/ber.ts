/** Tags of the universal types that LDAP uses (X.690). */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  octets: 0x04,
  enumerated: 0x0a,
  sequence: 0x30,
  set: 0x31,
} as const;

/** What came is no LDAP, or no answer to what was asked. The message ends a sentence that names the server. */
export class ProtocolError extends Error {}

/**
 * Largest message that is taken, in bytes: a group of 500,000 members with long names fits, and a length that
 * is garbage does not make the process wait for gigabytes.
 */
export const LARGEST_MESSAGE = 64 * 1_024 * 1_024;

/** A length may take so many bytes; longer ones could not be represented by a message that is taken. */
const LONGEST_LENGTH = 4;

/** Returns how many bytes a length takes after its first one, which says so. */
function lengthBytes(first: number): number {
  if (first < 0x80) return 0;
  const count = first & 0x7f;
  if (count === 0 || count > LONGEST_LENGTH)
    throw new ProtocolError(`it has a length of ${count === 0 ? 'no' : count} bytes`);
  return count;
}

/**
 * Walks over the elements of a message (BER, RFC 4511, section 5.1). Each method takes the end of the element
 * that surrounds; all throw a `ProtocolError` if an element reaches beyond it or has another tag.
 */
export class BerCursor {
  readonly bytes: Buffer;
  /** Offset of the next element. */
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Returns what walks over the content of a value that is one element, with nothing behind it. */
  static within(value: Buffer, tag: number): BerCursor {
    const outer = new BerCursor(value);
    const inner = new BerCursor(outer.content(tag));
    outer.atEnd();
    return inner;
  }

  /** Goes to the content of the next element; returns the end of it. */
  enter(tag: number, limit = this.bytes.length): number {
    const { bytes, at } = this;
    if (at + 2 > limit) throw new ProtocolError('an element of it is cut off');
    if (bytes[at] !== tag) throw unexpected(tag, bytes[at]);
    const first = bytes[at + 1] ?? 0;
    const count = lengthBytes(first);
    this.at = at + 2 + count;
    if (this.at > limit) throw new ProtocolError('an element of it is cut off');
    const end = this.at + (count === 0 ? first : bytes.readUIntBE(at + 2, count));
    if (end > limit) throw new ProtocolError('an element of it reaches beyond its end');
    return end;
  }

  /** Goes behind the next element; returns its content, which shares the memory of the message. */
  content(tag: number, limit?: number): Buffer {
    const end = this.enter(tag, limit);
    const content = this.bytes.subarray(this.at, end);
    this.at = end;
    return content;
  }

  /** Goes behind the next element, which is a number of 32 bits; returns it. */
  integer(tag: number, limit?: number): number {
    const end = this.enter(tag, limit);
    const size = end - this.at;
    if (size === 0 || size > 4) throw new ProtocolError(`it has a number of ${size} bytes`);
    const value = this.bytes.readIntBE(this.at, size);
    this.at = end;
    return value;
  }

  /** As `content`; `null`: there is no such element next. */
  maybe(tag: number, limit = this.bytes.length): Buffer | null {
    return this.at < limit && this.bytes[this.at] === tag ? this.content(tag, limit) : null;
  }

  /** Throws if something is behind the known content. */
  atEnd(end = this.bytes.length): void {
    if (this.at !== end) throw new ProtocolError('an element of it has an unknown part');
  }
}

/** Returns a truth value; anything but 0 is true (X.690, section 8.2); `null`: it is absent. */
export function isTrue(content: Buffer | null): boolean {
  if (content !== null && content.length !== 1)
    throw new ProtocolError(`it has a truth value of ${content.length} bytes`);
  return (content?.[0] ?? 0) !== 0;
}

function unexpected(wanted: number, tag: number | undefined): ProtocolError {
  const [was, should] = [tag ?? 0, wanted].map((one) => `0x${one.toString(16).padStart(2, '0')}`);
  return new ProtocolError(`it has ${was} where ${should} belongs`);
}

/**
 * Returns the number of bytes of the message that begins at a place, its head included; 0: too little of it came
 * to tell. Throws a `ProtocolError` if none can begin.
 */
function messageSize(bytes: Buffer, at: number): number {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag !== undefined && tag !== TAG.sequence) throw unexpected(TAG.sequence, tag);
  if (first === undefined) return 0;
  const count = lengthBytes(first);
  if (bytes.length < at + 2 + count) return 0;
  const size = count === 0 ? first : bytes.readUIntBE(at + 2, count);
  if (size > LARGEST_MESSAGE) throw new ProtocolError(`it announces a message of ${size} bytes`);
  return 2 + count + size;
}

/** Gets the place of one whole message. */
type OnMessage = (bytes: Buffer, start: number, end: number) => void;

/**
 * Cuts what comes from a server into its messages. Only a message that came in several pieces is copied, once,
 * when its end is there.
 */
export class MessageReader {
  readonly #onMessage: OnMessage;
  /** Pieces of a message of which the end is missing. */
  #pieces: Buffer[] = [];
  #held = 0;
  /** Bytes that have to be there before the pieces are looked at again. */
  #wanted = 0;

  constructor(onMessage: OnMessage) {
    this.#onMessage = onMessage;
  }

  /** Takes the next piece. Throws a `ProtocolError`, after which nothing may be read any more. */
  push(chunk: Buffer): void {
    const before = this.#held;
    this.#pieces.push(chunk);
    this.#held += chunk.length;
    if (this.#held < this.#wanted) return;
    // Without the size of the message all is joined, else the message alone.
    const isCut = before > 0 && this.#wanted > 0;
    if (isCut) this.#onMessage(Buffer.concat(this.#pieces, this.#wanted), 0, this.#wanted);
    const bytes = before > 0 && !isCut ? Buffer.concat(this.#pieces) : chunk;
    let [at, size] = [isCut ? this.#wanted - before : 0, 0];
    while (at < bytes.length) {
      size = messageSize(bytes, at);
      if (size === 0 || at + size > bytes.length) break;
      this.#onMessage(bytes, at, at + size);
      at += size;
    }
    this.#pieces = at < bytes.length ? [bytes.subarray(at)] : [];
    this.#held = bytes.length - at;
    this.#wanted = at < bytes.length ? size : 0;
  }
}
