import { CsvError, parse, type Info, type Parser } from 'csv-parse';
import type { CsvSeparator } from '../../domain/source-choices.ts';
import { csvProblem, type NamedFile } from './csv-problems.ts';
import { LONGEST_ROW } from './text-blocks.ts';

/** A row, and the line on which it begins. */
export interface CsvRow {
  readonly cells: readonly string[];
  readonly line: number;
}

/**
 * Takes blocks of UTF-8 and gives their rows, each with as many cells as the first. Leaves out empty rows. A cell that
 * begins with `"` is enclosed by it; within other cells it is a sign like others.
 */
export class RowParser {
  readonly #file: NamedFile;
  readonly #parser: Parser;
  #rows: CsvRow[] = [];
  /** Number of cells of the first row; 0: there was none yet. */
  #width = 0;
  /** Line on which the last row ends, as the parser counts. */
  #line = 0;
  /** Lines that the parser has counted twice: a line break of two characters within quotes. */
  #twice = 0;

  /** @param separator character between two cells */
  constructor(file: NamedFile, separator: string) {
    this.#file = file;
    this.#parser = parse({
      delimiter: separator,
      relax_quotes: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: LONGEST_ROW,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      on_record: (cells: string[], info: Info) => this.#take(cells, info),
    });
    // The caller of each write gets the error.
    this.#parser.on('error', () => undefined);
  }

  /** Returns the rows that end in this block; throws a SourceError at the first that is none. */
  async add(block: Buffer): Promise<readonly CsvRow[]> {
    await this.#written((done) => this.#parser.write(block, done));
    return this.#takeRows();
  }

  /** Returns the last row, if no line break ends it. */
  async end(): Promise<readonly CsvRow[]> {
    await this.#written((done) => this.#parser.end(done));
    return this.#takeRows();
  }

  destroy(): void {
    this.#parser.destroy();
  }

  #take(cells: readonly string[], { lines }: Info): null {
    const line = this.#lineOf(cells, lines);
    if (cells.some((cell) => MISCLOSED.test(cell)))
      throw this.#wrong(line, `a quote stands within a cell in quotes; ${CUT}`);
    this.#rows.push({ cells, line });
    this.#width = cells.length;
    return null;
  }

  #takeRows(): readonly CsvRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** Returns the line on which a row begins that ends on a line as the parser counts. */
  #lineOf(cells: readonly string[], end: number): number {
    const isAlone = end <= this.#line + 1;
    this.#line = end;
    if (isAlone) return end - this.#twice;
    const breaks = cells.flatMap((cell) => cell.match(/\r\n|\r|\n/gu) ?? []);
    this.#twice += breaks.filter((text) => text.length === 2).length;
    return end - this.#twice - breaks.length;
  }

  async #written(write: (done: (error?: Error | null) => void) => void): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        write((error) => (error === null || error === undefined ? resolve() : reject(error)));
      });
    } catch (error) {
      throw error instanceof CsvError ? this.#translated(error) : error;
    }
  }

  #translated(error: CsvError): Error {
    const next = this.#line + 1 - this.#twice;
    const { code, lines, record } = error;
    const cells: readonly string[] = Array.isArray(record) ? record.map(String) : [];
    if (code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH') {
      return this.#wrong(this.#lineOf(cells, Number(lines)), this.#ragged(cells.length));
    }
    if (code === 'CSV_QUOTE_NOT_CLOSED') {
      return this.#wrong(next, `a row begins there with a cell in quotes that never ends; ${CUT}`);
    }
    if (code === 'CSV_MAX_RECORD_SIZE') {
      return this.#wrong(next, `the row that begins there does not end within 16 MB; ${CUT}`);
    }
    return this.#wrong(Number(lines) - this.#twice, `a row cannot be read (${code}); ${CUT}`);
  }

  #wrong(line: number, what: string): Error {
    const { place, path } = this.#file;
    return csvProblem('csv-row', { place, path, line, what });
  }

  #ragged(cells: number): string {
    const has = `the row has ${cells} ${cells === 1 ? 'cell' : 'cells'}, and the header ${this.#width}`;
    return `${has}; put cells with a separator or line break in quotes`;
  }
}

/** The parser gives a cell in quotes as it is written if a quote within it is not doubled. */
const MISCLOSED = /^".*"$/su;

const CUT = 'the file is half-written or cut, or a quote within the cell is not doubled ("")';

const CANDIDATES = [',', ';', '\t', '|'] as const;

/**
 * Returns the character between two cells. `auto`: the commonest in the header, outside of quotes; a comma
 * if there is none.
 *
 * @param start the first whole lines of the file
 */
export function separatorOf(setting: CsvSeparator, start: Buffer): string {
  if (setting === 'tab') return '\t';
  if (setting !== 'auto') return setting;
  const header = headerOf(start.toString());
  const counts = CANDIDATES.map((candidate) => header.split(candidate).length);
  return CANDIDATES[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Returns the first line that is not empty, without what stands in quotes. */
function headerOf(text: string): string {
  return /[^\r\n]+/u.exec(text.replaceAll(/"[^"]*"/gu, '""'))?.[0] ?? '';
}
