import { open } from 'node:fs/promises';
import { RollcallError } from '../../domain/errors.ts';
import type { CsvEncoding } from '../../domain/source-choices.ts';
import { escapedPattern } from '../../lib/escaped-pattern.ts';
import { withCells } from '../init/sample.ts';
import type { TableFacts } from '../init/table-facts.ts';
import { lastLine, TAIL } from './file-end.ts';
import { csvProblem, systemError, type NamedFile } from './csv-problems.ts';
import { RowParser, separatorOf } from './row-parser.ts';
import { ENCODINGS, endOfLines, markOf } from './text-blocks.ts';

export interface FileFacts {
  readonly table: TableFacts;
  readonly encoding: CsvEncoding;
  /** Pattern of a last line that is no row, as `complete.trailer` takes it; `null`: the last line is a row. */
  readonly trailer: string | null;
}

/** Bytes at the beginning of a file that are looked at. */
const LOOKED_AT = 1_048_576;

/** Looks at the beginning of a CSV file: encoding, header, rows. Throws a `SourceError`. */
export async function surveyFile(path: string): Promise<FileFacts> {
  const file: NamedFile = { place: 'file', path };
  const { bytes, tail } = await endsOf(file);
  const isWhole = bytes.length < LOOKED_AT;
  const { encoding, text: all } = decoded(file, bytes, isWhole);
  const { width, toUtf8 } = ENCODINGS[encoding];
  const closing = closingLine(toUtf8(lastLine(tail, width).line)?.toString().trim() ?? '', all);
  const text = isWhole && closing !== null ? all.subarray(0, all.lastIndexOf(closing.line)) : all;
  const parser = new RowParser(file, separatorOf('auto', text));
  try {
    const rows = [...(await parser.add(text)), ...(isWhole ? await parser.end() : [])];
    const [header, ...cells] = rows.map((row) => row.cells);
    if (header === undefined) throw csvProblem('csv-empty', { ...file });
    const columns = header.map((name) => ({ name: name.trim(), quoted: name.trim() }));
    const table = withCells({ name: path, quoted: path, columns }, cells, isWhole);
    return { table, encoding, trailer: closing?.patternFor(cells.length) ?? null };
  } finally {
    parser.destroy();
  }
}

/** First words of a line that closes an export. */
const CLOSES =
  /^\P{L}*(?:total|totals|sum|summe|gesamt|end|ende|eof|trailer|rows?|records?|count|anzahl|zeilen|fin|lignes|合计|总计|总数|共|结束|记录数)(?!\p{L})/iu;

interface ClosingLine {
  readonly line: string;
  readonly patternFor: (rows: number) => string;
}

/** Returns the last line if it begins as one that closes an export, and has another number of cells or an empty one. */
function closingLine(line: string, all: Buffer): ClosingLine | null {
  const separator = separatorOf('auto', all);
  const [header = ''] = /[^\r\n]+/u.exec(all.toString()) ?? [];
  const width = header.replaceAll(/"[^"]*"/gu, '').split(separator).length;
  const cells = line.split(separator);
  const isRow = cells.length === width && cells.every((cell) => cell.trim() !== '');
  if (isRow || line === header || !CLOSES.test(line)) return null;
  const text = line.replace(/[,;\t|]+$/u, '');
  // Files of one export have lines of different widths.
  const end = text === line ? '' : `${escapedPattern(separator)}*`;
  const patternFor = (rows: number): string =>
    `^${escapedPattern(text).replaceAll(/\d+/gu, (digits) => (Number(digits) === rows ? String.raw`(\d+)` : String.raw`\d+`))}${end}$`;
  return { line, patternFor };
}

async function endsOf(file: NamedFile): Promise<{ readonly bytes: Buffer; readonly tail: Buffer }> {
  try {
    const handle = await open(file.path);
    try {
      const { size } = await handle.stat();
      const first = await handle.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, 0);
      const from = Math.max(0, size - TAIL);
      const last = await handle.read(Buffer.alloc(TAIL), 0, TAIL, from - (from % 2));
      return {
        bytes: first.buffer.subarray(0, first.bytesRead),
        tail: last.buffer.subarray(0, last.bytesRead),
      };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof RollcallError ? error : systemError(file, error);
  }
}

const GUESSES: readonly CsvEncoding[] = ['utf-8', 'gbk', 'gb18030', 'latin1'];

/** Returns the whole lines as UTF-8, in the encoding that a byte order mark names, else in the first that fits. */
function decoded(
  file: NamedFile,
  bytes: Buffer,
  isWhole: boolean,
): { readonly encoding: CsvEncoding; readonly text: Buffer } {
  const mark = markOf(bytes);
  const body = bytes.subarray(mark?.length ?? 0);
  for (const encoding of mark === null ? GUESSES : [mark.name as CsvEncoding]) {
    const { width, toUtf8 } = ENCODINGS[encoding] ?? {};
    if (width === undefined || toUtf8 === undefined) continue;
    const text = toUtf8(isWhole ? body : body.subarray(0, endOfLines(body, width)));
    if (text !== null && !text.includes(0) && isLikely(encoding, text)) return { encoding, text };
  }
  throw csvProblem('csv-encoding', { ...file, what: 'is in no encoding that is known here' });
}

/**
 * Returns whether text reads like one of this encoding. Nearly any bytes are valid GBK: a misread umlaut makes
 * one Chinese character, and real text has them in rows.
 */
function isLikely(encoding: CsvEncoding, text: Buffer): boolean {
  if (!encoding.startsWith('gb')) return true;
  const found = text.toString().match(/\p{Script=Han}+/gu) ?? [];
  return found.filter(({ length }) => length > 1).length * 4 > found.length;
}
