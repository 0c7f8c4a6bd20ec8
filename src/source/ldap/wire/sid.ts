/**
 * Returns Microsoft's security identifier as text: revision, count, 48-bit authority, 32-bit parts
 * ([MS-DTYP], 2.4.2). Bytes that are none come as base64.
 */
export function sidText(bytes: Buffer): string {
  const count = bytes[1] ?? 0;
  if (bytes.length !== 8 + 4 * count) return bytes.toString('base64');
  const parts = Array.from({ length: count }, (_, index) => bytes.readUInt32LE(8 + 4 * index));
  return ['S', bytes[0], bytes.readUIntBE(2, 6), ...parts].join('-');
}
