import { open } from 'node:fs/promises';
import { RollcallError } from '../../domain/errors.ts';
import type { CsvEncoding } from '../../domain/source-choices.ts';
import type {
  ChosenTables,
  ColumnFacts,
  ColumnShape,
  TableFacts,
  TableShape,
} from '../../domain/survey-facts.ts';
import { lastLine, TAIL } from '../csv/file-end.ts';
import { csvProblem, systemError, type NamedFile } from '../csv/csv-problems.ts';
import { RowParser, separatorOf } from '../csv/row-parser.ts';
import { ENCODINGS, endOfLines, markOf } from '../csv/text-blocks.ts';
import type { ChooseColumns, SqlConnection } from '../sql/sql-connection.ts';

/** Rows of a sample. */
export const SAMPLE = 1_000;

/**
 * Looks at a database: the columns of all tables and views that this user may read, and the first rows of
 * those that are chosen. Never reads a table to its end.
 */
export async function surveyDatabase(
  connection: SqlConnection,
  choose: (tables: readonly TableShape[]) => ChosenTables<TableShape>,
): Promise<ChosenTables<TableFacts>> {
  const sampled = async (table: TableShape | undefined): Promise<TableFacts | undefined> =>
    table === undefined ? undefined : sampleOf(connection, table);
  try {
    const { people, units, positions } = choose(await catalogOf(connection));
    return {
      people: await sampleOf(connection, people),
      units: await sampled(units),
      positions: await sampled(positions),
    };
  } finally {
    await connection.close();
  }
}

/** Returns the columns of a query with the first of its values, and closes the connection. */
export async function surveyQuery(connection: SqlConnection, query: string): Promise<readonly ColumnFacts[]> {
  let names: readonly string[] = [];
  try {
    const rows = await rowsOf(connection, query, (columns) => [...(names = columns).keys()]);
    return names.map((name, at) => ({
      name,
      quoted: name,
      cells: rows.map((row) => (row[at] ?? '').trim()),
    }));
  } finally {
    await connection.close();
  }
}

async function sampleOf(connection: SqlConnection, table: TableShape): Promise<TableFacts> {
  const columns = table.columns.map(({ quoted }) => quoted).join(', ');
  const rows = await rowsOf(connection, `select ${columns} from ${table.quoted} limit ${SAMPLE + 1}`);
  return withCells(table, rows, true);
}

function withCells(
  table: TableShape,
  rows: readonly (readonly string[])[],
  isWholeFile: boolean,
): TableFacts {
  // A row that comes twice is one record.
  const sample = [...new Map(rows.slice(0, SAMPLE).map((row) => [JSON.stringify(row), row])).values()];
  const columns = table.columns.map((column, index) => ({
    ...column,
    cells: sample.map((row) => (row[index] ?? '').trim()),
  }));
  return {
    ...table,
    columns,
    rows: Math.min(rows.length, SAMPLE),
    isWhole: isWholeFile && rows.length <= SAMPLE,
  };
}

/** Queries for the columns: schema (empty: the usual one), table, column, in the order of the table. */
const COLUMNS: Readonly<Partial<Record<SqlConnection['type'], string>>> = {
  postgres: `
    select case when table_schema = current_schema() then '' else table_schema end, table_name, column_name
    from information_schema.columns
    where table_schema not in ('pg_catalog', 'information_schema')
    order by table_schema, table_name, ordinal_position limit 20000`,
  mysql: `
    select case when table_schema = database() then '' else table_schema end as a, table_name as b, column_name as c
    from information_schema.columns
    where table_schema not in ('mysql', 'information_schema', 'performance_schema', 'sys')
    order by table_schema, table_name, ordinal_position limit 20000`,
  sqlite: `
    select '', m.name, p.name from sqlite_schema m join pragma_table_info(m.name) p
    where m.type in ('table', 'view') and m.name not like 'sqlite\\_%' escape '\\'
    order by m.name, p.cid limit 20000`,
};

async function catalogOf(connection: SqlConnection): Promise<readonly TableShape[]> {
  const quote = connection.type === 'mysql' ? '`' : '"';
  const quoted = (name: string): string => `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
  const tables = new Map<string, TableShape & { readonly columns: ColumnShape[] }>();
  const rows = await rowsOf(connection, COLUMNS[connection.type] ?? '');
  for (const [schema = '', table = '', column = ''] of rows) {
    const names = schema === '' ? [table] : [schema, table];
    const name = names.join('.');
    const known = tables.get(name) ?? { name, quoted: names.map(quoted).join('.'), columns: [] };
    known.columns.push({ name: column, quoted: quoted(column) });
    tables.set(name, known);
  }
  return [...tables.values()];
}

/** Rows of a query that are enough. */
const MOST_ROWS = 20_000;

/** Returns the rows of a query, absent values as empty texts. */
async function rowsOf(
  connection: SqlConnection,
  query: string,
  choose: ChooseColumns = (columns) => [...columns.keys()],
): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  for await (const batch of connection.rows(query, choose)) {
    for (const cells of batch) found.push(cells.map((cell) => [cell ?? ''].flat()[0] ?? ''));
    if (found.length > MOST_ROWS) break;
  }
  return found;
}

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
  const end = text === line ? '' : `${escaped(separator)}*`;
  const patternFor = (rows: number): string =>
    `^${escaped(text).replaceAll(/\d+/gu, (digits) => (Number(digits) === rows ? String.raw`(\d+)` : String.raw`\d+`))}${end}$`;
  return { line, patternFor };
}

export const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);

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
