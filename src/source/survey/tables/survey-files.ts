import { open } from 'node:fs/promises';

import type { CsvEncoding } from '../../../domain/source-choices.ts';
import { RollcallError } from '../../../domain/errors.ts';
import type { TableFacts } from '../../../domain/survey/table-facts.ts';
import { fileError, systemError, type NamedFile } from '../../csv/csv-error.ts';
import { ENCODINGS, endOfLines, markOf } from '../../csv/text-blocks.ts';
import { RowParser, separatorOf, toldSeparator } from '../../csv/row-parser.ts';
import { withCells } from './survey-database.ts';

export interface FileFacts {
  readonly table: TableFacts;
  /** `null`: its bytes are ASCII, which is the same in all of them. */
  readonly encoding: CsvEncoding | null;
  /** Whether the encoding is a guess: a mark at the beginning, or UTF-8, is none. */
  readonly isGuess: boolean;
  readonly separator: string;
}

/** Bytes at the beginning of a file that are looked at. */
const LOOKED_AT = 1_048_576;
const SAMPLE = 1_000;

/** Looks at the beginning of a CSV file: encoding, separator, header, rows. Throws a `SourceError`. */
export async function surveyFile(path: string): Promise<FileFacts> {
  const file: NamedFile = { place: 'file', path };
  const { bytes, isWhole } = await beginningOf(file);
  if (bytes.length === 0) throw fileError(file, 'is empty, without even a header; export it again');
  const { encoding, isGuess, text: start } = decoded(file, bytes, isWhole);
  const { rest: text, separator: told } = toldSeparator(start);
  const separator = told ?? separatorOf('auto', text, true);
  const rows = await rowsOf(file, text, { separator, isWhole });
  const [header, ...cells] = rows;
  if (header === undefined) throw fileError(file, 'has no header; export it with the names of its columns');
  const columns = header.map((name) => ({
    name: name.trim(),
    quoted: name.trim(),
    isKey: false,
    refersTo: null,
  }));
  const table = withCells({ name: path, quoted: path, columns }, cells, SAMPLE);
  return {
    table: { ...table, isWhole: table.isWhole && isWhole },
    encoding: isAscii(bytes) ? null : encoding,
    isGuess,
    separator,
  };
}

async function beginningOf(file: NamedFile): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  try {
    const handle = await open(file.path);
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw fileError(file, 'is no file; name a file');
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, 0);
      return { bytes: buffer.subarray(0, bytesRead), isWhole: bytesRead < LOOKED_AT };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof RollcallError ? error : systemError(file, error);
  }
}

const isAscii = (bytes: Buffer): boolean => bytes.every((byte) => byte < 0x80);

interface Decoded {
  readonly encoding: CsvEncoding;
  readonly isGuess: boolean;
  /** Whole lines as UTF-8. */
  readonly text: Buffer;
}

function decoded(file: NamedFile, bytes: Buffer, isWhole: boolean): Decoded {
  const mark = markOf(bytes);
  const named = Object.entries(ENCODINGS).find(([name]) => name === mark?.name);
  if (mark !== null && named === undefined)
    throw fileError(file, `begins with the byte order mark of ${mark.name}; export it as UTF-8`);
  const body = bytes.subarray(mark?.length ?? 0);
  const candidates = named === undefined ? GUESSES : [named[0] as CsvEncoding];
  for (const encoding of candidates) {
    const { width, toUtf8 } = ENCODINGS[encoding];
    const lines = isWhole ? body : body.subarray(0, endOfLines(body, width));
    const text = toUtf8(lines);
    if (text !== null && !text.includes(0) && isLikely(encoding, text))
      return { encoding, text, isGuess: named === undefined && encoding !== 'utf-8' };
  }
  throw fileError(file, 'is in no encoding that is known here; export it as UTF-8');
}

const GUESSES: readonly CsvEncoding[] = ['utf-8', 'gbk', 'gb18030', 'latin1'];

const CHINESE = /\p{Script=Han}+/gu;

/**
 * Returns whether text reads like one of this encoding. Nearly any bytes are valid GBK: a misread umlaut makes
 * one Chinese character, and real text has them in rows.
 */
function isLikely(encoding: CsvEncoding, text: Buffer): boolean {
  if (!encoding.startsWith('gb')) return true;
  const found = text.toString().match(CHINESE) ?? [];
  return found.filter(({ length }) => length > 1).length * 4 > found.length;
}

async function rowsOf(
  file: NamedFile,
  text: Buffer,
  { separator, isWhole }: { readonly separator: string; readonly isWhole: boolean },
): Promise<readonly (readonly string[])[]> {
  const parser = new RowParser(file, { separator, quotes: true });
  try {
    const rows = await parser.add(text);
    const last = isWhole ? await parser.end() : [];
    return [...rows, ...last].map(({ cells }) => cells);
  } finally {
    parser.destroy();
  }
}
