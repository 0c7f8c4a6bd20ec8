import { endingOf } from './picture-kind.ts';

/** How much of a text is looked at, to tell whether it begins as a picture; a multiple of 4. */
const LOOKED_AT = 24;
/** No path is so long and has no dot. */
const LONGER_THAN_PATHS = 512;

const DATA_URL = /^data:image\/[\w.+-]+;base64,/iu;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/u;

/**
 * Returns the bytes that a value is itself, not the path of: sources deliver bytes as base64. `null`: the value is a
 * path or an address.
 */
export function inlineBytes(text: string): Buffer | null {
  const prefix = DATA_URL.exec(text)?.[0];
  if (prefix !== undefined) return Buffer.from(text.slice(prefix.length), 'base64');
  const isPicture = endingOf(Buffer.from(text.slice(0, LOOKED_AT), 'base64')) !== null;
  if (!isPicture && text.length < LONGER_THAN_PATHS) return null;
  return BASE64.test(text) ? Buffer.from(text, 'base64') : null;
}

/** Returns a value as it may be shown: the bytes of a picture are only counted. */
export function showReference(text: string): string {
  const bytes = inlineBytes(text);
  return bytes === null ? text : `(${bytes.length.toLocaleString('en')} bytes)`;
}
