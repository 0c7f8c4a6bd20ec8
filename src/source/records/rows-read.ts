import type { Readings, Source, SourceRead } from '../../domain/reading/source.ts';
import type { RawRecord } from '../mapping/values/raw-record.ts';

/** A read that also gives raw records, which complete those of another source. */
export interface RowsRead extends SourceRead {
  /** Yields what `rows` of the settings ask for; nothing where they ask for nothing. */
  rows(): Readings<RawRecord>;
}

/** One directory or database. */
export interface RowsSource extends Source {
  open(signal: AbortSignal): Promise<RowsRead>;
}
