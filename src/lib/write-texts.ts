import { writeSync } from 'node:fs';

/** Characters that are written at a time. */
const PIECE = 65_536;

/** Writes texts to an open file one after the other, in large pieces. */
export function writeTexts(file: number, texts: Iterable<string>): void {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    writeText(file, piece);
    piece = '';
  }
  writeText(file, piece);
}

function writeText(file: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(file, rest));
}
