import { hash } from 'node:crypto';
import type { Print } from '../../../domain/records/records.ts';
import { BerCursor, TAG } from './ber.ts';
import type { EntryPlace, RawEntry } from './raw-entry.ts';

/** Bytes as they are. */
const EXACT = Uint8Array.from({ length: 256 }, (_, byte) => byte);
/** Bytes without case: descriptions of attributes are ASCII (RFC 4512, section 2.5). */
const CASELESS = EXACT.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));

/** Up to so many bytes are copied one by one, which is faster than a call. */
const SHORT = 200;
/** Largest memory that is kept for the entries to come, in bytes. */
const LARGEST_KEPT = 1_024 * 1_024;
/** Bytes of a number in the form. */
const NUMBER = 4;

/**
 * Writes entries in a form that is the same for all spellings of the same entry: salt, name, then the attributes
 * in the order of their descriptions in lower case, each with the number of its values and these in the order of
 * their bytes. Each part has its length before it, so that no two different entries have the same form.
 */
class CanonicalForm {
  #kept = Buffer.allocUnsafe(4_096);
  #to = this.#kept;
  #length = 0;
  readonly #cursor = new BerCursor(this.#kept);
  /** Bounds of the description and of the content of the set of values, for each attribute. */
  readonly #attributes: number[] = [];
  readonly #attributeOrder: number[] = [];
  readonly #values: number[] = [];
  readonly #valueOrder: number[] = [];

  /** Returns the form of an entry, which stays until the next call. */
  of({ bytes, dnStart, dnEnd, listStart, listEnd }: EntryPlace, salt: Buffer): Buffer {
    // A length takes at least 2 bytes there, and the number of values stands for the head of their set.
    this.#begin(salt.length + 4 * NUMBER + 2 * (listEnd - dnStart));
    this.#put(salt, 0, salt.length);
    this.#put(bytes, dnStart, dnEnd);
    this.#find(bytes, listStart, listEnd);
    for (const attribute of this.#attributeOrder) this.#putAttribute(bytes, attribute);
    return this.#to.subarray(0, this.#length);
  }

  #begin(size: number): void {
    this.#length = 0;
    this.#to = size <= this.#kept.length ? this.#kept : Buffer.allocUnsafe(2 * size);
    if (this.#to.length <= LARGEST_KEPT) this.#kept = this.#to;
  }

  /** Finds the attributes and their order. */
  #find(bytes: Buffer, start: number, limit: number): void {
    const cursor = this.#cursor;
    const bounds = this.#attributes;
    const order = this.#attributeOrder;
    cursor.bytes = bytes;
    cursor.at = start;
    bounds.length = 0;
    order.length = 0;
    while (cursor.at < limit) {
      const end = cursor.enter(TAG.sequence, limit);
      const nameEnd = cursor.enter(TAG.octets, end);
      order.push(bounds.length);
      bounds.push(cursor.at, nameEnd);
      cursor.at = nameEnd;
      const valuesEnd = cursor.enter(TAG.set, end);
      bounds.push(cursor.at, valuesEnd);
      cursor.at = end;
    }
    sortSpans(order, { bytes, bounds, letters: CASELESS });
  }

  #putAttribute(bytes: Buffer, attribute: number): void {
    this.#putName(bytes, this.#attributes[attribute] ?? 0, this.#attributes[attribute + 1] ?? 0);
    const start = this.#attributes[attribute + 2] ?? 0;
    const valuesEnd = this.#attributes[attribute + 3] ?? 0;
    this.#cursor.at = start;
    // Most attributes have one value, which needs no order.
    if (start < valuesEnd && this.#cursor.enter(TAG.octets, valuesEnd) === valuesEnd) {
      this.#putNumber(1);
      this.#put(bytes, this.#cursor.at, valuesEnd);
    } else this.#putSorted(bytes, start, valuesEnd);
  }

  #putSorted(bytes: Buffer, start: number, valuesEnd: number): void {
    const cursor = this.#cursor;
    const bounds = this.#values;
    const order = this.#valueOrder;
    cursor.at = start;
    bounds.length = 0;
    order.length = 0;
    while (cursor.at < valuesEnd) {
      const end = cursor.enter(TAG.octets, valuesEnd);
      order.push(bounds.length);
      bounds.push(cursor.at, end);
      cursor.at = end;
    }
    sortSpans(order, { bytes, bounds, letters: EXACT });
    this.#putNumber(order.length);
    for (const value of order) this.#put(bytes, bounds[value] ?? 0, bounds[value + 1] ?? 0);
  }

  #putNumber(value: number): void {
    const form = this.#to;
    const at = this.#length;
    form[at] = value >>> 24;
    form[at + 1] = value >>> 16;
    form[at + 2] = value >>> 8;
    form[at + 3] = value;
    this.#length = at + NUMBER;
  }

  #putName(bytes: Buffer, start: number, end: number): void {
    this.#putNumber(end - start);
    const form = this.#to;
    let to = this.#length;
    for (let at = start; at < end; at += 1, to += 1) form[to] = CASELESS[bytes[at] ?? 0] ?? 0;
    this.#length = to;
  }

  #put(bytes: Buffer, start: number, end: number): void {
    this.#putNumber(end - start);
    const form = this.#to;
    let to = this.#length;
    if (end - start > SHORT) bytes.copy(form, to, start, end);
    else for (let at = start; at < end; at += 1, to += 1) form[to] = bytes[at] ?? 0;
    this.#length += end - start;
  }
}

/** Where like parts stand in the same bytes: for each its first byte and the one behind its last, in turn. */
interface Spans {
  readonly bytes: Buffer;
  readonly bounds: readonly number[];
  /** What counts as each byte when parts are compared: 256 of them. */
  readonly letters: Uint8Array;
}

/** Up to so many are put in order one by one, which is faster than what a long list needs. */
const FEW = 24;

/** Sorts places in `bounds` by the bytes of the parts that begin there; equal parts keep their order. */
function sortSpans(order: number[], spans: Spans): void {
  if (order.length > FEW) {
    order.sort((left, right) => compare(spans, left, right));
    return;
  }
  for (let from = 1; from < order.length; from += 1) insert(order, from, spans);
}

/** Moves one part to its place among those before it, which are in order. */
function insert(order: number[], from: number, spans: Spans): void {
  const moved = order[from] ?? 0;
  let to = from;
  for (; to > 0; to -= 1) {
    const before = order[to - 1] ?? 0;
    if (compare(spans, before, moved) <= 0) break;
    order[to] = before;
  }
  order[to] = moved;
}

/** Returns a negative number where the left part comes first; the beginning of a part comes before it. */
function compare({ bytes, bounds, letters }: Spans, left: number, right: number): number {
  let one = bounds[left] ?? 0;
  let other = bounds[right] ?? 0;
  const oneEnd = bounds[left + 1] ?? 0;
  const otherEnd = bounds[right + 1] ?? 0;
  for (; one < oneEnd && other < otherEnd; one += 1, other += 1) {
    const difference = (letters[bytes[one] ?? 0] ?? 0) - (letters[bytes[other] ?? 0] ?? 0);
    if (difference !== 0) return difference;
  }
  return oneEnd - one - (otherEnd - other);
}

/** Characters of base64url: no two entries have the same ones, neither by chance nor by anybody's effort. */
const CHARACTERS = 27;

/** Holds one entry at a time: nothing waits between its first byte and its hash. */
const form = new CanonicalForm();

/**
 * Returns a hash over the salt, the bytes of the entry's name and its attributes. It does not depend on the order
 * of attributes, of values within an attribute, nor on the case of descriptions; any other difference changes
 * it. Of an entry that `isPartial` it covers what came alone.
 *
 * It is SHA-256, cut: people may write parts of their own entries, and could make two that SHA-1 does not tell
 * apart, which would save a tenth of a microsecond.
 * @param salt whatever else decides what becomes of an entry
 */
export function fingerprint({ place }: RawEntry, salt: Buffer): Print {
  return hash('sha256', form.of(place, salt), 'base64url').slice(0, CHARACTERS);
}
