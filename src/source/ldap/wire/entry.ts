import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Print } from '../../../domain/records/records.ts';
import { BerCursor, TAG } from './ber.ts';
import type { Controls } from './controls.ts';

/** An attribute of an entry, with its values as they came. */
export interface Attribute {
  /** Its name, perhaps with options: `cn;lang-de`. */
  readonly type: string;
  readonly values: readonly Buffer[];
}

/** An entry of a directory. Its values share the memory of the answer (about 64 kB). */
export interface Entry {
  readonly dn: string;
  readonly attributes: readonly Attribute[];
}

/** Returns the values of an attribute, by its name in any case. */
export function bytesIn({ attributes }: Entry, name: string): readonly Buffer[] {
  const wanted = name.toLowerCase();
  return attributes.flatMap(({ type, values }) => (type.toLowerCase() === wanted ? values : []));
}

/** As `bytesIn`, as text. */
export const valuesIn = (entry: Entry, name: string): readonly string[] =>
  bytesIn(entry, name).map((bytes) => textOf(bytes));

const BYTE_ORDER_MARK = 0xfeff;

/** Returns a value as text without a byte order mark; base64: it is no text in UTF-8. */
export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) return bytes.toString('base64');
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

/** Offsets in the bytes that an entry came in; each end is the first byte after the part. */
interface EntryPlace {
  readonly dnStart: number;
  readonly dnEnd: number;
  /** Content of the list of attributes: each a sequence of its description and the set of its values. */
  readonly listStart: number;
  readonly listEnd: number;
}

/** One entry of a search as it came: checked to be whole (RFC 4511, section 4.5.2), and not decoded. */
export class RawEntry {
  /**
   * Whether a list of values is only a part of it (`;range=`, Active Directory): such an entry has to be read to
   * its end (`readWhole`), and its fingerprint says nothing of the values that are missing here.
   */
  readonly isPartial: boolean;
  readonly controls: Controls;
  readonly #bytes: Buffer;
  readonly #place: EntryPlace;

  constructor(
    bytes: Buffer,
    place: EntryPlace,
    { isPartial, controls }: Pick<RawEntry, 'isPartial' | 'controls'>,
  ) {
    this.#bytes = bytes;
    this.#place = place;
    this.isPartial = isPartial;
    this.controls = controls;
  }

  get dn(): string {
    return this.dnBytes.toString('utf8');
  }

  get dnBytes(): Buffer {
    return this.#bytes.subarray(this.#place.dnStart, this.#place.dnEnd);
  }

  decode(): Entry {
    const attributes: Attribute[] = [];
    const cursor = this.#attributes();
    while (cursor.at < this.#place.listEnd) {
      const end = cursor.enter(TAG.sequence);
      const type = cursor.content(TAG.octets).toString();
      const values: Buffer[] = [];
      cursor.enter(TAG.set);
      while (cursor.at < end) values.push(cursor.content(TAG.octets));
      attributes.push({ type, values });
    }
    return { dn: this.dn, attributes };
  }

  /**
   * Returns a copy of the first value of an attribute, without decoding the entry; `null`: it has none.
   * @param name in lower case, of ASCII
   */
  first(name: string): Buffer | null {
    const cursor = this.#attributes();
    while (cursor.at < this.#place.listEnd) {
      const end = cursor.enter(TAG.sequence);
      const nameEnd = cursor.enter(TAG.octets);
      const isIt =
        nameEnd - cursor.at === name.length &&
        this.#bytes.toString('latin1', cursor.at, nameEnd).toLowerCase() === name;
      cursor.at = nameEnd;
      cursor.enter(TAG.set);
      if (isIt && cursor.at < end) return Buffer.from(cursor.content(TAG.octets));
      cursor.at = end;
    }
    return null;
  }

  /**
   * Returns a hash of the salt and of the name and attributes as they came. If a server sends them in another order, the
   * hash differs, and the entry is decoded again. It is SHA-256, cut: people may write parts of their own entries, and
   * could make two entries with the same SHA-1.
   *
   * @param salt all else that decides about an entry
   */
  fingerprint(salt: Buffer): Print {
    const { dnStart, listEnd } = this.#place;
    const all = Buffer.concat([salt, END, this.#bytes.subarray(dnStart, listEnd)]);
    return hash('sha256', all, 'base64url').slice(0, CHARACTERS);
  }

  #attributes(): BerCursor {
    return new BerCursor(this.#bytes, this.#place.listStart);
  }
}

/** Characters of base64url: two entries share a print neither by chance nor by intent. */
const CHARACTERS = 27;
/** Stands between the salt and the entry: the salt, a text, has no such byte. */
const END = Buffer.of(0);

const ENTRY = 0x64;

/** Returns the entry at the cursor, and goes behind it. Throws a `ProtocolError` if it is not whole. */
export function entryAt(cursor: BerCursor, limit: number, controls: () => Controls): RawEntry {
  const end = cursor.enter(ENTRY, limit);
  const dnEnd = cursor.enter(TAG.octets, end);
  const dnStart = cursor.at;
  cursor.at = dnEnd;
  const listEnd = cursor.enter(TAG.sequence, end);
  const listStart = cursor.at;
  const isPartial = checkAttributes(cursor, listEnd);
  cursor.atEnd(end);
  return new RawEntry(
    cursor.bytes,
    { dnStart, dnEnd, listStart, listEnd },
    { isPartial, controls: controls() },
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
    while (cursor.at < valuesEnd) cursor.at = cursor.enter(TAG.octets, valuesEnd);
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
