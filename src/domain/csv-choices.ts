/** What the settings of CSV files can choose from; the schema and the source share these lists. */

export const CSV_ENCODINGS = ['utf-8', 'gbk', 'gb18030', 'latin1', 'utf-16le'] as const;
export type CsvEncoding = (typeof CSV_ENCODINGS)[number];

export const CSV_SEPARATORS = ['auto', ',', ';', 'tab', '|'] as const;
export type CsvSeparator = (typeof CSV_SEPARATORS)[number];

/** Lines that a trailer may count besides the rows. */
export const ALSO_COUNTED = ['header', 'trailer'] as const;

/** How files look. */
export interface CsvFormat {
  readonly encoding: CsvEncoding;
  readonly separator: CsvSeparator;
  /** Whether `"` begins and ends a cell; otherwise it is a character like others. */
  readonly quotes: boolean;
}

/** How a whole export is told from one that is half-written or cut. */
export interface CsvComplete {
  /** File that is written after all others. */
  readonly doneFile?: string | undefined;
  /** Last line of each file: a regular expression, whose first group, if it has one, is the number of rows. */
  readonly trailer?:
    { readonly pattern: string; readonly alsoCounts: readonly (typeof ALSO_COUNTED)[number][] } | undefined;
  /** Whether the last line has to end with a line break. */
  readonly endsWithLineBreak: boolean;
  /** Maximum age of the oldest file. */
  readonly maxAgeHours?: number | undefined;
  /** Maximum time between the oldest and the newest file. */
  readonly apartMinutes?: number | undefined;
  /** How long no file may have changed, where neither a done file nor a trailer proves its end. */
  readonly quietSeconds: number;
  /** Share of the records of the last complete read that each part has to have. */
  readonly atLeastPercent: number;
}
