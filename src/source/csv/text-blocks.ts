import { isUtf8 } from 'node:buffer';
import type { CsvEncoding } from '../../domain/source-choices.ts';
import { csvProblem, systemError } from './csv-problems.ts';
import { named, type CsvFile } from './csv-files.ts';

const BLOCK = 65_536;
/** Longest line, and longest row: a quote that is never closed would otherwise take all memory. */
export const LONGEST_ROW = 16 * 1024 * 1024;

/**
 * Yields a file as UTF-8 in blocks of whole lines, up to `end`, without a byte order mark. Throws if bytes
 * stand for no character, and at the end if the file is UTF-8 throughout and another encoding is set.
 */
export async function* textBlocks(file: CsvFile, name: CsvEncoding, end: number): AsyncGenerator<Buffer> {
  const encoding = ENCODINGS[name];
  let at = markLength(await readAt(file, 0, LONGEST_MARK), name, file);
  let rest: Buffer = Buffer.alloc(0);
  let lines = 0;
  const from = encoding.utf8From;
  let [seemsUtf8, hasUtf8] = [from !== undefined, false];
  while (at < end) {
    const read = await readAt(file, at, Math.min(BLOCK, end - at));
    if (read.length === 0) throw csvProblem('csv-changed', named(file), { isPassing: true });
    at += read.length;
    const bytes = rest.length === 0 ? read : Buffer.concat([rest, read]);
    const cut = at < end ? endOfLines(bytes, encoding.width) : bytes.length;
    rest = bytes.subarray(cut);
    if (rest.length > LONGEST_ROW)
      throw csvProblem('csv-row', { ...named(file), line: lines + 1, what: 'it is longer than 16 MB' });
    if (cut === 0) continue;
    const block = bytes.subarray(0, cut);
    seemsUtf8 &&= isUtf8(block);
    hasUtf8 ||= seemsUtf8 && block.some((byte) => byte >= (from ?? 0));
    yield toText(block, { file, name, encoding, lines });
    lines += linesIn(block, encoding.width);
  }
  if (seemsUtf8 && hasUtf8)
    throw csvProblem('csv-encoding', {
      ...named(file),
      what: `is UTF-8 throughout, and source.encoding is ${name}`,
    });
}

async function readAt(file: CsvFile, at: number, length: number): Promise<Buffer> {
  try {
    const bytes = Buffer.allocUnsafe(length);
    const { bytesRead } = await file.handle.read(bytes, 0, length, at);
    return bytes.subarray(0, bytesRead);
  } catch (error) {
    throw systemError(file, error);
  }
}

function markLength(start: Buffer, name: CsvEncoding, file: CsvFile): number {
  const mark = markOf(start);
  if (mark === null) return 0;
  if (mark.name === name) return mark.length;
  const what = `begins with the byte order mark of ${mark.name}, and source.encoding is ${name}`;
  throw csvProblem('csv-encoding', { ...named(file), what });
}

interface Where {
  readonly file: CsvFile;
  readonly name: CsvEncoding;
  readonly encoding: Encoding;
  /** Lines before the block. */
  readonly lines: number;
}

function toText(block: Buffer, where: Where): Buffer {
  const { toUtf8 } = where.encoding;
  const text = toUtf8(block);
  if (text === null) {
    const what = `bytes that are no character in ${where.name}`;
    throw badLine(block, where, { what, isBad: (line) => toUtf8(line) === null });
  }
  if (text.includes(0)) {
    const what = 'zero bytes, as a half-written file or one in UTF-16 has';
    throw badLine(block, where, { what, isBad: (line) => toUtf8(line)?.includes(0) !== false });
  }
  return text;
}

interface Bad {
  readonly what: string;
  readonly isBad: (line: Buffer) => boolean;
}

/** Returns the error about the first bad line. */
function badLine(block: Buffer, { file, encoding, lines }: Where, { what, isBad }: Bad): Error {
  let number = lines + 1;
  for (let start = 0; start < block.length; number += 1) {
    const end = start + firstLine(block.subarray(start), encoding.width);
    if (isBad(block.subarray(start, end))) break;
    start = end;
  }
  return csvProblem('csv-encoding', { ...named(file), what: `has on line ${number} ${what}` });
}

/** Returns the length of the first line; a carriage return is the end of one only without a line feed. */
function firstLine(bytes: Buffer, width: Encoding['width']): number {
  for (let at = 0; at < bytes.length; at += width) {
    if (bytes[at] === 0x0a && (width === 1 || bytes[at + 1] === 0)) return at + width;
  }
  return bytes.length;
}

function linesIn(block: Buffer, width: Encoding['width']): number {
  let lines = 0;
  for (let at = block.indexOf(0x0a); at >= 0; at = block.indexOf(0x0a, at + 1)) {
    if (width === 1 || (at % 2 === 0 && block[at + 1] === 0)) lines += 1;
  }
  return lines;
}

/** An encoding of files. A line end in it is never a part of another character. */
export interface Encoding {
  /** Bytes of one unit: two in UTF-16. */
  readonly width: 1 | 2;
  /** Returns whole lines as UTF-8; `null`: bytes in them stand for no character. */
  readonly toUtf8: (lines: Buffer) => Buffer | null;
  /**
   * A file that is valid UTF-8 and has a byte from this one on is UTF-8, not this encoding; absent: a byte
   * cannot show it.
   */
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

const LONGEST_MARK = 4;

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
