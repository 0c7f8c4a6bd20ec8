import { closeSync, openSync, writeSync } from 'node:fs';

const BLOCK = 1_000_000;

/** Writes a file piece by piece: a million records are longer than the longest text of JavaScript. */
export function writePieces(file: string, pieces: Iterable<string>): void {
  const out = openSync(file, 'w');
  let block = '';
  const write = (): void => {
    for (let rest = Buffer.from(block); rest.length > 0;) rest = rest.subarray(writeSync(out, rest));
    block = '';
  };
  try {
    for (const piece of pieces) {
      block += piece;
      if (block.length >= BLOCK) write();
    }
    write();
  } finally {
    closeSync(out);
  }
}
