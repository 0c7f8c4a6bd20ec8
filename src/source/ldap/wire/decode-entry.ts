import { isUtf8 } from 'node:buffer';

import { Attribute, SearchEntry } from 'ldapts';

import { BerCursor, TAG } from '../ber/ber.ts';
import type { RawEntry } from './raw-entry.ts';

/** Returns an entry as ldapts decodes it, value for value. */
export function decodeEntry({ dn, place }: RawEntry): SearchEntry {
  const { bytes, listStart, listEnd } = place;
  const cursor = new BerCursor(bytes, listStart);
  const attributes: Attribute[] = [];
  while (cursor.at < listEnd) {
    const end = cursor.enter(TAG.sequence, listEnd);
    attributes.push(attributeAt(cursor, end));
  }
  return new SearchEntry({ messageId: 0, name: dn, attributes });
}

function attributeAt(cursor: BerCursor, limit: number): Attribute {
  const attribute = new Attribute({ type: cursor.text(TAG.octets, limit) });
  const isBytes = /;binary$/iu.test(attribute.type);
  const values = attribute.values as (string | Buffer)[];
  const end = cursor.enter(TAG.set, limit);
  while (cursor.at < end) {
    const valueEnd = cursor.enter(TAG.octets, end);
    const bytes = cursor.bytes.subarray(cursor.at, valueEnd);
    attribute.parsedBuffers.push(bytes);
    values.push(isBytes || !isUtf8(bytes) ? bytes : textOf(bytes));
    cursor.at = valueEnd;
  }
  return attribute;
}

const BYTE_ORDER_MARK = 0xfeff;

/** Returns valid UTF-8 as text, without a byte order mark, as the decoder of the platform does. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}
