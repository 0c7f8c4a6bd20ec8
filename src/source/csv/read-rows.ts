import { setImmediate } from 'node:timers/promises';

import type { CsvComplete, CsvFormat } from '../../domain/source-choices.ts';
import { basename } from 'node:path';
import { stopped } from '../connect/stopped.ts';
import type { RawRecord } from '../mapping/values/raw-record.ts';
import { fileError } from './csv-error.ts';
import type { CsvFile, CsvFiles } from './csv-files.ts';
import { ENCODINGS } from './encoding.ts';
import { findEnd, requireTold } from './file-end.ts';
import { chooseCells, type WantedColumns } from './header.ts';
import { RowParser, type Row } from './row-parser.ts';
import { separatorOf, toldSeparator } from './separator.ts';
import { textBlocks } from './text-blocks.ts';

export interface CsvReading {
  readonly format: CsvFormat;
  readonly complete: CsvComplete;
  readonly columns: WantedColumns;
  /** When the read began. */
  readonly at: Date;
  readonly signal: AbortSignal;
}

/** How far the read of one part has come. */
export interface Progress {
  records: number;
  ended: boolean;
}

/**
 * Yields the raw records of one file, batch by batch, streamed with back-pressure. Throws a SourceError as
 * soon as the file turns out not to be whole; `progress.ended` is set once it is known to be.
 */
export async function* readRows(
  files: CsvFiles,
  file: CsvFile,
  reading: CsvReading,
  progress: Progress,
): AsyncGenerator<readonly RawRecord[]> {
  const end = await findEnd(file, ENCODINGS[reading.format.encoding], reading.complete);
  const name = basename(file.path);
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
  if (picks === undefined) throw fileError(file, 'is empty, without even a header; export it again');
  requireTold(file, end, progress.records);
  await files.requireUnchanged();
  progress.ended = true;
}

async function* batches(file: CsvFile, { format }: CsvReading, end: number): AsyncGenerator<readonly Row[]> {
  let parser: RowParser | undefined;
  try {
    for await (const block of textBlocks(file, format.encoding, end)) {
      const { quotes, separator: set } = format;
      const { rest, separator: told } =
        parser === undefined ? toldSeparator(block) : { rest: block, separator: null };
      const separator = set === 'auto' && told !== null ? told : separatorOf(set, rest, quotes);
      parser ??= new RowParser(file, { quotes, separator });
      yield await parser.add(rest);
    }
    if (parser !== undefined) yield await parser.end();
  } finally {
    parser?.destroy();
  }
}
