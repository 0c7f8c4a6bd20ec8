import { hash } from 'node:crypto';

import type { Print } from '../../../domain/records/records.ts';
import { CanonicalForm } from '../ber/canonical-form.ts';
import type { RawEntry } from './raw-entry.ts';

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
