import { hash } from 'node:crypto';

import type { Print } from '../../../domain/records/records.ts';
import type { RawEntry } from './raw-entry.ts';

/** Characters of base64url: no two entries have the same ones, neither by chance nor by anybody's effort. */
const CHARACTERS = 27;

/** Stands between the salt and the entry: the salt, a text, has no such byte. */
const END = Buffer.of(0);

/**
 * Returns a hash over the salt and the bytes of an entry as they came: its name and its attributes. An entry that a
 * server sends in another order has another one, and is decoded once more. Of an entry that `isPartial` it covers what
 * came alone.
 *
 * It is SHA-256, cut: people may write parts of their own entries, and could make two that SHA-1 does not tell apart.
 * @param salt whatever else decides what becomes of an entry
 */
export function fingerprint({ place: { bytes, dnStart, listEnd } }: RawEntry, salt: Buffer): Print {
  const all = Buffer.concat([salt, END, bytes.subarray(dnStart, listEnd)]);
  return hash('sha256', all, 'base64url').slice(0, CHARACTERS);
}
