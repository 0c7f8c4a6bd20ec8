import { isUtf8 } from 'node:buffer';

import type { CsvEncoding } from '../../domain/source-choices.ts';

/** An encoding of files. A line end in it is never a part of another character. */
export interface Encoding {
  /** Bytes of one unit: two in UTF-16. */
  readonly width: 1 | 2;
  /** Returns whole lines as UTF-8; `null`: bytes in them stand for no character. */
  readonly toUtf8: (lines: Buffer) => Buffer | null;
  /** If a file is valid UTF-8 and has a byte from this one on, it is UTF-8 and not in this encoding; absent: it cannot be told. */
  readonly utf8From?: number;
}

/** First bytes in UTF-8 of characters of two bytes, and of three: two Chinese bytes may pass for the former. */
const [OF_TWO, OF_THREE] = [0xc2, 0xe0];

export const ENCODINGS: Readonly<Record<CsvEncoding, Encoding>> = {
  'utf-8': { width: 1, toUtf8: (lines) => (isUtf8(lines) ? lines : null) },
  gbk: { width: 1, toUtf8: chinese('gbk'), utf8From: OF_THREE },
  gb18030: { width: 1, toUtf8: chinese('gb18030'), utf8From: OF_THREE },
  latin1: { width: 1, toUtf8: fromLatin1, utf8From: OF_TWO },
  'utf-16le': { width: 2, toUtf8: (lines) => decoded('utf-16le', lines) },
};

function decoded(label: string, lines: Buffer): Buffer | null {
  try {
    return Buffer.from(new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(lines));
  } catch {
    return null;
  }
}

/** Returns a decoder for GBK or GB18030. ICU makes a private character of the byte FF, which neither has. */
function chinese(label: 'gbk' | 'gb18030'): Encoding['toUtf8'] {
  return (lines) => (lines.includes(0xff) ? null : decoded(label, lines));
}

/**
 * Characters of the bytes 80 to 9F on Windows, which calls its own encoding Latin-1 too; a space: none. Node's
 * TextDecoder makes control characters of them.
 */
const WINDOWS = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
const IN_WINDOWS = /[\x80-\x9f]/gu;

function fromLatin1(lines: Buffer): Buffer | null {
  const text = lines.toString('latin1');
  let isWhole = true;
  const shown = text.replaceAll(IN_WINDOWS, (character) => {
    const known = WINDOWS[character.charCodeAt(0) - 0x80] ?? ' ';
    if (known === ' ') isWhole = false;
    return known;
  });
  return isWhole ? Buffer.from(shown) : null;
}

const MARKS = [
  { name: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { name: 'utf-16le', bytes: [0xff, 0xfe] },
  { name: 'utf-16be', bytes: [0xfe, 0xff] },
  { name: 'gb18030', bytes: [0x84, 0x31, 0x95, 0x33] },
] as const;

export const LONGEST_MARK = 4;

/** Returns the encoding that the first bytes of a file name, and the number of those bytes; `null`: none. */
export function markOf(start: Buffer): { readonly name: string; readonly length: number } | null {
  const mark = MARKS.find(({ bytes }) => bytes.every((byte, index) => start[index] === byte));
  return mark === undefined ? null : { name: mark.name, length: mark.bytes.length };
}

const LF = 0x0a;
const CR = 0x0d;

/** Returns where the last line that has ended in these bytes ends; 0: none has. */
export function endOfLines(bytes: Buffer, width: Encoding['width'], before = bytes.length): number {
  for (let at = before - (before % width) - width; at >= 0; at -= width) {
    const isEnd = bytes[at] === LF || bytes[at] === CR;
    if (isEnd && (width === 1 || bytes[at + 1] === 0)) return at + width;
  }
  return 0;
}
