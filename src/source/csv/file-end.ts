import { counted } from '../../domain/text/counted.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { CsvSettings } from './kind.ts';
import { lineBreakMark, writtenMark, type SourceMark } from '../../domain/reading/source-part.ts';
import { printable } from '../../domain/text/printable.ts';
import { MAX_MATCHED, patternOf, patternProblem } from '../mapping/expressions/function-spec.ts';
import { csvProblem } from './csv-problems.ts';
import { named, provesEnd, type CsvFile } from './csv-files.ts';
import { endOfLines, type Encoding } from './text-blocks.ts';

/** Where the rows of a file end, and what its last line says of them. */
interface FileEnd {
  /** Offset in bytes. */
  readonly at: number;
  /** Number of rows that the trailer tells, the header not counted; `null`: none. */
  readonly rows: number | null;
}

/** Bytes at the end in which a trailer is looked for: none is longer. */
export const TAIL = 4096;

/** Characters of a last line that a message shows. */
const LONGEST_SHOWN = 100;

/** Throws a ConfigError if the end of what a program prints cannot be proved, or the pattern of the trailer not be used. */
export function requireUsable(complete: CsvSettings['complete'], isPrinted: boolean): void {
  const { trailer, doneFile, maxAgeHours } = complete;
  if (isPrinted && (trailer === undefined || (doneFile ?? maxAgeHours) !== undefined))
    throw new ConfigError(UNPROVEN);
  if (trailer === undefined) return;
  const problem = patternProblem(trailer.pattern);
  if (problem === null) return;
  throw new ConfigError(
    `source.complete.trailer.pattern: ${JSON.stringify(trailer.pattern)} ${problem}; write it as in ^END;(\\d+)$`,
  );
}

const UNPROVEN =
  'source.complete: a part with command needs trailer, and neither doneFile nor maxAgeHours, which are about files; ' +
  String.raw`let the program print END;120 after 120 rows, and write trailer: { pattern: '^END;(\d+)$' }`;

/**
 * Returns when a file was written and, if nothing else proves its end, whether it ends with a line break: one that does
 * so no more is cut. What a program prints is always new.
 */
export async function marksOf(
  file: CsvFile,
  complete: CsvSettings['complete'],
  { encoding: { width }, at }: { readonly encoding: Encoding; readonly at: Date },
): Promise<readonly SourceMark[]> {
  if (file.command !== undefined) return [];
  const what = `the file ${file.path}`;
  const written = writtenMark(what, file.opened.mtime, at);
  if (provesEnd(complete)) return [written];
  const tail = await lastBytes(file, Number(file.opened.size), width);
  return [written, lineBreakMark(what, endOfLines(tail, width) === tail.length)];
}

/** Finds the end of the rows. Throws if the file does not end as it has to. */
export async function findEnd(
  file: CsvFile,
  { width, toUtf8 }: Encoding,
  { trailer }: CsvSettings['complete'],
): Promise<FileEnd> {
  const size = Number(file.opened.size);
  if (trailer === undefined) return { at: size, rows: null };
  const tail = await lastBytes(file, size, width);
  const { start, line } = lastLine(tail, width);
  const text = toUtf8(line)?.toString().trim() ?? '';
  return { at: size - tail.length + start, rows: rowsIn(text, trailer.pattern, file) };
}

async function lastBytes(file: CsvFile, size: number, width: number): Promise<Buffer> {
  const length = Math.min(size - (size % width), TAIL);
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.handle.read(bytes, 0, length, size - length);
  return bytes.subarray(0, bytesRead);
}

/** Returns the last line that is not empty, and where it begins in the bytes. */
export function lastLine(
  tail: Buffer,
  width: Encoding['width'],
): { readonly start: number; readonly line: Buffer } {
  let end = tail.length;
  while (end > 0 && endOfLines(tail, width, end) === end) end -= width;
  const start = endOfLines(tail, width, end);
  return { start, line: tail.subarray(start, end) };
}

function rowsIn(line: string, pattern: string, file: CsvFile): number | null {
  const found = patternOf(pattern).matcher(line);
  if (line.length > MAX_MATCHED || !found.find()) {
    const shown = printable(line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}…` : line);
    throw csvProblem('csv-no-trailer', { ...named(file), pattern, line: JSON.stringify(shown) });
  }
  const stated = found.groupCount() === 0 ? null : found.group(1);
  if (stated === null) return null;
  const rows = Number(stated.replaceAll(/[ .,'_]/gu, ''));
  if (stated.trim() === '' || !Number.isSafeInteger(rows)) {
    throw csvProblem('csv-no-trailer', { ...named(file), pattern, line: JSON.stringify(stated) });
  }
  return rows;
}

/** Throws if the trailer tells another number of rows than there were. */
export function requireStatedRows(file: CsvFile, { rows }: FileEnd, read: number): void {
  if (rows === null || rows === read) return;
  const counts = { stated: counted(rows, 'row'), read: read.toLocaleString('en') };
  throw csvProblem('csv-row-count', { ...named(file), ...counts });
}
