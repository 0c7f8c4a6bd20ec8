import { hash } from 'node:crypto';

import type { Print } from '../../../domain/records/records.ts';
import type { RawEntry } from './raw-entry.ts';

/**
 * Number of characters in base64url. It is large enough that two entries share a print neither by chance nor
 * by intent.
 */
const CHARACTERS = 27;

/** Stands between the salt and the entry: the salt, a text, has no such byte. */
const END = Buffer.of(0);

/**
 * Returns a hash of the salt and the bytes of an entry as they came: its name and its attributes. If a server
 * sends the entry in another order, the hash differs, and the entry is decoded again. If an entry
 * `isPartial`, the hash covers only what came.
 *
 * It is SHA-256, cut. People may write parts of their own entries, and could make two entries with the same
 * SHA-1.
 * @param salt all else that decides about an entry
 */
export function fingerprint({ place: { bytes, dnStart, listEnd } }: RawEntry, salt: Buffer): Print {
  const all = Buffer.concat([salt, END, bytes.subarray(dnStart, listEnd)]);
  return hash('sha256', all, 'base64url').slice(0, CHARACTERS);
}
