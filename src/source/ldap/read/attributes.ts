import type { Attribute } from 'ldapts';

import type { Cell } from '../../mapping/values/raw-record.ts';

type Decoder = (bytes: Buffer) => string;

/**
 * Attributes whose bytes may by chance be valid UTF-8, so that the value does not show what it is. Keys in
 * lower case. Any other attribute is text, or base64 where it is not UTF-8 and the schema calls it bytes, or tells
 * nothing of it and the configuration uses it where bytes make sense.
 */
const BINARY: ReadonlyMap<string, Decoder> = new Map([
  ['objectguid', guidText],
  ['ms-ds-consistencyguid', guidText],
  ['msexchmailboxguid', guidText],
  ['objectsid', sidText],
  ...[
    'jpegphoto',
    'photo',
    'audio',
    'thumbnailphoto',
    'usercertificate',
    'cacertificate',
    'usersmimecertificate',
  ].map((name) => [name, base64] as const),
]);

export function decoderOf(type: string): Decoder | null {
  const name = type.toLowerCase();
  return BINARY.get(name) ?? (name.endsWith(';binary') ? base64 : null);
}

/**
 * Returns the values of an attribute. ldapts keeps the bytes beside its attempt at text; neither is kept
 * here, because a small Buffer keeps a whole page in memory.
 */
export function cellOf(attribute: Attribute, decoder: Decoder | null): Cell {
  const values = decoder === null ? attribute.values.map(asText) : attribute.parsedBuffers.map(decoder);
  return values.length <= 1 ? values[0] : values;
}

/** Returns whether a value is no UTF-8; ldapts then leaves its bytes as they are. */
export function hasOtherBytes({ values }: Attribute): boolean {
  return values.some((value) => typeof value !== 'string');
}

function asText(value: string | Buffer): string {
  return typeof value === 'string' ? value : base64(value);
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}

/** Returns Microsoft's GUID as text: the first three groups are little-endian ([MS-DTYP], 2.3.4). */
export function guidText(bytes: Buffer): string {
  if (bytes.length !== 16) return base64(bytes);
  const order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
  const hex = Buffer.from(order.map((index) => bytes.readUInt8(index))).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * Returns Microsoft's security identifier as text: revision, count, 48-bit authority, 32-bit parts
 * ([MS-DTYP], 2.4.2).
 */
export function sidText(bytes: Buffer): string {
  const count = bytes[1] ?? 0;
  if (bytes.length !== 8 + 4 * count) return base64(bytes);
  const parts = Array.from({ length: count }, (_, index) => bytes.readUInt32LE(8 + 4 * index));
  return ['S', bytes[0], bytes.readUIntBE(2, 6), ...parts].join('-');
}
