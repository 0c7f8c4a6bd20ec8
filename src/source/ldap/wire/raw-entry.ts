import { isUtf8 } from 'node:buffer';
import { Attribute, SearchEntry } from 'ldapts';
import { BerCursor, TAG } from './ber.ts';
import type { Control } from './controls.ts';

/**
 * One entry of a search as it came: its bytes were checked to be whole (RFC 4511, section 4.5.2), and nothing of
 * it was decoded. It keeps the piece of the answer that it came in (about 64 kB) in memory.
 */
export interface RawEntry {
  /** Name of the entry; decoded when it is asked for. */
  readonly dn: string;
  /**
   * Whether a list of values is only a part of it (`;range=`, Active Directory): such an entry has to be decoded
   * and read to its end (`readWhole`), and its fingerprint says nothing of the values that are missing here.
   */
  readonly isPartial: boolean;
  /** Where name and attributes stand. */
  readonly place: EntryPlace;
  /** Returns the value of a control that came with the entry (empty if it has none); `null`: no such control. */
  control(type: string): Buffer | null;
  /** Returns the entry as ldapts would have; the bytes of its values are those of the answer, not copied. */
  decode(): SearchEntry;
}

export class ReceivedEntry implements RawEntry {
  readonly place: EntryPlace;
  readonly isPartial: boolean;
  readonly #controls: readonly Control[];

  constructor(place: EntryPlace, isPartial: boolean, controls: readonly Control[]) {
    this.place = place;
    this.isPartial = isPartial;
    this.#controls = controls;
  }

  get dn(): string {
    const { bytes, dnStart, dnEnd } = this.place;
    return bytes.toString('utf8', dnStart, dnEnd);
  }

  control(type: string): Buffer | null {
    const control = this.#controls.find((one) => one.type === type);
    return control === undefined ? null : (control.value ?? Buffer.alloc(0));
  }

  decode(): SearchEntry {
    return decodeEntry(this);
  }
}

/** Returns an entry as ldapts decodes it, value for value. */
function decodeEntry({ dn, place }: RawEntry): SearchEntry {
  const { bytes, listStart, listEnd } = place;
  const cursor = new BerCursor(bytes, listStart);
  const attributes: Attribute[] = [];
  while (cursor.at < listEnd) {
    const end = cursor.enter(TAG.sequence, listEnd);
    attributes.push(attributeAt(cursor, end));
  }
  return new SearchEntry({ messageId: 0, name: dn, attributes });
}

function attributeAt(cursor: BerCursor, limit: number): Attribute {
  const attribute = new Attribute({ type: cursor.text(TAG.octets, limit) });
  const isBytes = /;binary$/iu.test(attribute.type);
  const values = attribute.values as (string | Buffer)[];
  const end = cursor.enter(TAG.set, limit);
  while (cursor.at < end) {
    const valueEnd = cursor.enter(TAG.octets, end);
    const bytes = cursor.bytes.subarray(cursor.at, valueEnd);
    attribute.parsedBuffers.push(bytes);
    values.push(isBytes || !isUtf8(bytes) ? bytes : textOf(bytes));
    cursor.at = valueEnd;
  }
  return attribute;
}

const BYTE_ORDER_MARK = 0xfeff;

/** Returns valid UTF-8 as text, without a byte order mark, as the decoder of the platform does. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

/**
 * Returns a copy of the first value of an attribute, without decoding the entry; `null`: it has none.
 * @param name in lower case, of ASCII
 */
export function valueOf({ bytes, listStart, listEnd }: EntryPlace, name: string): Buffer | null {
  const cursor = new BerCursor(bytes, listStart);
  while (cursor.at < listEnd) {
    const end = cursor.enter(TAG.sequence, listEnd);
    const nameEnd = cursor.enter(TAG.octets, end);
    const isIt =
      nameEnd - cursor.at === name.length &&
      bytes.toString('latin1', cursor.at, nameEnd).toLowerCase() === name;
    cursor.at = nameEnd;
    const valuesEnd = cursor.enter(TAG.set, end);
    if (isIt && cursor.at < valuesEnd) return cursor.octets(TAG.octets, valuesEnd);
    cursor.at = end;
  }
  return null;
}

/** Offsets of the parts of an entry in the bytes that it came in; each end is the first byte after the part. */
interface EntryPlace {
  readonly bytes: Buffer;
  readonly dnStart: number;
  readonly dnEnd: number;
  /** Content of its list of attributes: each a sequence of its description and the set of its values. */
  readonly listStart: number;
  readonly listEnd: number;
}
