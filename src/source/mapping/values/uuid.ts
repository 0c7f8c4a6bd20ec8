/** Returns the text of a UUID's 16 bytes (RFC 4122, section 3). */
export function uuidText(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}

const REVERSED = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];

/**
 * Returns the 16 bytes of a UUID that Microsoft's software writes, in the order of its text, or the other way
 * round: the first three groups are little-endian ([MS-DTYP], 2.3.4).
 */
export function reordered(bytes: Buffer): Buffer {
  return Buffer.from(REVERSED.map((index) => bytes[index] ?? 0));
}
