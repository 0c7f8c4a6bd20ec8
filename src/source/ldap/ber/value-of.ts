import { BerCursor, TAG } from './ber.ts';
import type { EntryPlace } from './entry-place.ts';

const LOWER = 0x20;
const [FIRST_CAPITAL, LAST_CAPITAL] = [0x41, 0x5a];

/**
 * Returns a copy of the first value of an attribute, without decoding the entry; `null`: it has none.
 * @param name in lower case
 */
export function valueOf({ bytes, listStart, listEnd }: EntryPlace, name: Buffer): Buffer | null {
  const cursor = new BerCursor(bytes, listStart);
  while (cursor.at < listEnd) {
    const end = cursor.enter(TAG.sequence, listEnd);
    const nameEnd = cursor.enter(TAG.octets, end);
    const isIt = isSameName(bytes, { at: cursor.at, end: nameEnd }, name);
    cursor.at = nameEnd;
    const valuesEnd = cursor.enter(TAG.set, end);
    if (isIt && cursor.at < valuesEnd) return cursor.octets(TAG.octets, valuesEnd);
    cursor.at = end;
  }
  return null;
}

function isSameName(
  bytes: Buffer,
  { at, end }: { readonly at: number; readonly end: number },
  name: Buffer,
): boolean {
  if (end - at !== name.length) return false;
  for (let n = 0; n < name.length; n += 1) {
    const byte = bytes[at + n] ?? 0;
    const folded = byte >= FIRST_CAPITAL && byte <= LAST_CAPITAL ? byte + LOWER : byte;
    if (folded !== name[n]) return false;
  }
  return true;
}
