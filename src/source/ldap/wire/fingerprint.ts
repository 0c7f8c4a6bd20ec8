import type { RawEntry } from './raw-entry.ts';

/**
 * Returns a hash (20 bytes) over the salt, the bytes of the entry's name and its attributes. It does not depend
 * on the order of attributes, of values within an attribute, nor on the case of descriptions; any other difference
 * changes it. Of an entry that `isPartial` it covers what came alone.
 * @param salt whatever else decides what becomes of an entry
 */
export function fingerprint(_entry: RawEntry, _salt: Buffer): Buffer {
  throw new Error('not built yet');
}
