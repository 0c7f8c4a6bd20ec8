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

/**
 * Returns the number of bytes of the message that begins at a place, its head included; 0: too little of it came
 * to tell. Throws a `ProtocolError` if none can begin.
 */
function messageSize(bytes: Buffer, at: number): number {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag !== undefined && tag !== TAG.sequence) throw unexpected(TAG.sequence, tag);
  if (first === undefined) return 0;
  if (first < 0x80) return 2 + first;
  const count = lengthBytes(first);
  if (bytes.length < at + 2 + count) return 0;
  const size = bytes.readUIntBE(at + 2, count);
  if (size > LARGEST_MESSAGE) throw new ProtocolError(`it announces a message of ${size} bytes`);
  return 2 + count + size;
}

/** Returns how many bytes a length takes after its first one, which says so. */
function lengthBytes(first: number): number {
  const count = first & 0x7f;
  if (count === 0) throw new ProtocolError('it has a length that is not definite');
  if (count > LONGEST_LENGTH) throw new ProtocolError(`it has a length of ${count} bytes`);
  return count;
}

/**
 * Walks over the elements of a message (BER, RFC 4511, section 5.1) without making anything of them. Each
 * method takes the end of the element that surrounds; all throw a `ProtocolError` if an element reaches
 * beyond it or has another tag.
 */
export class BerCursor {
  bytes: Buffer;
  /** Offset of the next element. */
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Returns the tag of the next element; -1: there is none. */
  tag(limit: number): number {
    return this.at < limit ? (this.bytes[this.at] ?? -1) : -1;
  }

  /** Goes to the content of the next element; returns the end of it. */
  enter(tag: number, limit: number): number {
    const { bytes, at } = this;
    if (at + 2 > limit) throw new ProtocolError('an element of it is cut off');
    if (bytes[at] !== tag) throw unexpected(tag, bytes[at]);
    const first = bytes[at + 1] ?? 0;
    this.at = at + 2;
    const end = first < 0x80 ? this.at + first : this.#longEnd(first, limit);
    if (end > limit) throw new ProtocolError('an element of it reaches beyond its end');
    return end;
  }

  /** Goes behind the next element. */
  skip(tag: number, limit: number): void {
    this.at = this.enter(tag, limit);
  }

  /** Goes behind the elements that are left, which a later version of the protocol may have added. */
  skipRest(limit: number): void {
    while (this.at < limit) {
      const tag = this.tag(limit);
      if ((tag & 0x1f) === 0x1f) throw new ProtocolError('it has a tag of several bytes');
      this.skip(tag, limit);
    }
  }

  /** Throws if an element has something behind its known content. */
  atEnd(end: number): void {
    if (this.at !== end) throw new ProtocolError('an element of it has an unknown part');
  }

  /** Returns a number of 32 bits. */
  integer(tag: number, limit: number): number {
    const end = this.enter(tag, limit);
    const size = end - this.at;
    if (size === 0 || size > 4) throw new ProtocolError(`it has a number of ${size} bytes`);
    const value = this.bytes.readIntBE(this.at, size);
    this.at = end;
    return value;
  }

  /** Returns a truth value; anything but 0 is true (X.690, section 8.2). */
  boolean(tag: number, limit: number): boolean {
    const end = this.enter(tag, limit);
    if (end - this.at !== 1) throw new ProtocolError(`it has a truth value of ${end - this.at} bytes`);
    const value = this.bytes[this.at] !== 0;
    this.at = end;
    return value;
  }

  /** Returns the text of an element; bytes that are no UTF-8 turn into U+FFFD. */
  text(tag: number, limit: number): string {
    const end = this.enter(tag, limit);
    const text = this.bytes.toString('utf8', this.at, end);
    this.at = end;
    return text;
  }

  /** Returns a copy of the content of an element. */
  octets(tag: number, limit: number): Buffer {
    const end = this.enter(tag, limit);
    const octets = Buffer.from(this.bytes.subarray(this.at, end));
    this.at = end;
    return octets;
  }

  #longEnd(first: number, limit: number): number {
    const count = lengthBytes(first);
    if (this.at + count > limit) throw new ProtocolError('an element of it is cut off');
    let length = 0;
    for (let left = count; left > 0; left -= 1, this.at += 1)
      length = length * 256 + (this.bytes[this.at] ?? 0);
    return this.at + length;
  }
}

function unexpected(wanted: number, tag: number | undefined): ProtocolError {
  const [was, should] = [tag ?? 0, wanted].map((one) => `0x${one.toString(16).padStart(2, '0')}`);
  return new ProtocolError(`it has ${was} where ${should} belongs`);
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
  /** Bytes that this message has; 0: not known yet. */
  #size = 0;

  constructor(onMessage: OnMessage) {
    this.#onMessage = onMessage;
  }

  /** Takes the next piece. Throws a `ProtocolError`, after which nothing may be read any more. */
  push(chunk: Buffer): void {
    const rest = this.#held === 0 ? 0 : this.#finish(chunk);
    if (rest < chunk.length) this.#cut(chunk, rest);
  }

  /** Adds to the message that is not whole; returns how much of the piece belongs to it. */
  #finish(chunk: Buffer): number {
    if (this.#size === 0) return this.#join(chunk);
    const missing = this.#size - this.#held;
    this.#keep(chunk.subarray(0, missing));
    if (missing > chunk.length) return chunk.length;
    const message = Buffer.concat(this.#pieces, this.#size);
    this.#clear();
    this.#onMessage(message, 0, message.length);
    return missing;
  }

  /** Completes a head, of which less than 6 bytes came. */
  #join(chunk: Buffer): number {
    const joined = Buffer.concat([...this.#pieces, chunk]);
    this.#clear();
    this.#cut(joined, 0);
    return chunk.length;
  }

  #cut(bytes: Buffer, from: number): void {
    let at = from;
    while (at < bytes.length) {
      const size = messageSize(bytes, at);
      if (size === 0 || at + size > bytes.length) {
        this.#keep(bytes.subarray(at));
        this.#size = size;
        return;
      }
      this.#onMessage(bytes, at, at + size);
      at += size;
    }
  }

  #keep(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#held += piece.length;
  }

  #clear(): void {
    this.#pieces = [];
    this.#held = 0;
    this.#size = 0;
  }
}
