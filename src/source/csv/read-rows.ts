import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { CsvSettings } from './kind.ts';
import { didYouMean } from '../../domain/reading/source.ts';
import { suggest } from '../../lib/suggest.ts';
import { stopped } from '../connect/network-problem.ts';
import { csvProblem, type NamedFile } from './csv-problems.ts';
import { named, type CsvFile, type CsvFiles } from './csv-files.ts';
import { ENCODINGS, textBlocks } from './text-blocks.ts';
import { findEnd, requireStatedRows } from './file-end.ts';
import { RowParser, separatorOf, type CsvRow } from './row-parser.ts';
import type { Progress } from '../records/planned-read.ts';
import { columnsNamed, type Column } from '../mapping/values/raw-record.ts';
import type { Decoded } from '../records/mapped.ts';

interface CsvReading {
  readonly format: Pick<CsvSettings, 'encoding' | 'separator'>;
  readonly complete: CsvSettings['complete'];
  readonly columns: readonly Column[];
  /** When the read began. */
  readonly at: Date;
  readonly signal: AbortSignal;
}

/**
 * Yields the raw records of one file, batch by batch, streamed with back-pressure. Throws a SourceError as
 * soon as the file turns out not to be whole; `progress.end` is set once it is known to be.
 */
export async function* readRows(
  files: CsvFiles,
  file: CsvFile,
  reading: CsvReading,
  progress: Progress,
): AsyncGenerator<readonly Decoded[]> {
  const end = await findEnd(file, ENCODINGS[reading.format.encoding], reading.complete);
  const name = basename(file.path);
  progress.pages = 1;
  let picks: readonly number[] | undefined;
  for await (const batch of batches(file, reading, end.at)) {
    const [header] = batch;
    if (header === undefined) continue;
    const rows = picks === undefined ? batch.slice(1) : batch;
    const chosen = (picks ??= chooseCells(header.cells, reading.columns, file));
    progress.records += rows.length;
    yield rows.map(({ cells, line }) => ({
      cells: chosen.map((index) => cells[index]),
      at: reading.at,
      place: `line ${line} of ${name}`,
    }));
    // Lets others run: the files are often in memory.
    await setImmediate();
    if (reading.signal.aborted) throw stopped();
  }
  if (picks === undefined) throw csvProblem('csv-empty', named(file));
  requireStatedRows(file, end, progress.records);
  await files.requireUnchanged();
  progress.end = 'end of file';
}

async function* batches(
  file: CsvFile,
  { format }: CsvReading,
  end: number,
): AsyncGenerator<readonly CsvRow[]> {
  let parser: RowParser | undefined;
  try {
    for await (const block of textBlocks(file, format.encoding, end)) {
      parser ??= new RowParser(file, separatorOf(format.separator, block));
      yield await parser.add(block);
    }
    if (parser !== undefined) yield await parser.end();
  } finally {
    parser?.destroy();
  }
}

/**
 * Returns the positions of the wanted columns in the header: by exact name, else in any case. Throws if one
 * is missing, or several have its name.
 */
function chooseCells(
  header: readonly string[],
  wanted: readonly Column[],
  file: NamedFile,
): readonly number[] {
  const columns = header.map((name) => name.trim());
  return wanted.map(({ name, places }) => {
    const found = columnsNamed(name, columns);
    const [first] = found;
    const place = places.join(', ') || file.place;
    if (first === undefined) throw missing(name, columns, { ...file, place });
    if (found.length > 1) {
      const which = found.map((index) => index + 1).join(' and ');
      const what = `has several columns ${name}, the ${which}. of them; rename one in the export`;
      throw csvProblem('csv-column', { place, path: file.path, what });
    }
    return first;
  });
}

function missing(name: string, columns: readonly string[], file: NamedFile): Error {
  const hint = didYouMean(name, file.place, suggest(name, columns));
  const all = columns.map((column, index) => (column === '' ? `column ${index + 1} without a name` : column));
  const several = columns.length === 1 ? '; if this is several columns, set source.separator' : '';
  const hasMark = /^sep=/iu.test(columns[0] ?? '');
  const remedy = hasMark ? '; its first line is a mark for Excel: export it without the line sep=' : several;
  const what = `has no column ${name}${hint}; it has: ${all.join(', ')}${remedy}`;
  return csvProblem('csv-column', { ...named(file), what });
}
