import { readFileSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse/sync';
import { suggest } from './suggest.ts';

/** A CSV file with the columns of a table. */
interface LookupFile {
  readonly file: string;
  /** Names of the two columns. */
  readonly key: string;
  readonly value: string;
}

const SEPARATORS = [',', ';', '\t', '|'] as const;

/** What is wrong with a file, and what to do. */
export class LookupProblem extends Error {
  readonly remedy: string;

  constructor(wrong: string, remedy: string) {
    super(wrong);
    this.remedy = remedy;
  }
}

const SHOWN = 5;

/** A table as its file has it. */
export interface LookupTable {
  /** Values by key, both trimmed; rows without a key are left out. */
  readonly values: ReadonlyMap<string, string>;
  /** Whether the file ends with a line break: one that did and does no more is cut. */
  readonly endsLine: boolean;
}

/** Reads a table. Throws a {@link LookupProblem}. */
export function readLookupFile({ file, key, value }: LookupFile): LookupTable {
  const text = textOf(file);
  const [head = [], ...rows] = rowsOf(text, file, separatorOf(text, [key, value]));
  const [keys, values] = [columnOf(head, key, file), columnOf(head, value, file)];
  const table = new Map<string, string>();
  const twice = new Set<string>();
  for (const row of rows) {
    const name = row[keys]?.trim() ?? '';
    const one = row[values]?.trim() ?? '';
    if ((table.get(name) ?? one) !== one) twice.add(name);
    if (name !== '') table.set(name, one);
  }
  if (twice.size > 0) throw duplicates(file, [...twice]);
  return { values: table, endsLine: /[\r\n]$/u.test(text) };
}

function textOf(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT')
      throw new LookupProblem(`there is no file ${file}`, 'correct the path, or put it there');
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new LookupProblem(`${file} is not in UTF-8`, 'save it in UTF-8');
    throw new LookupProblem(`${file} cannot be read (${String(code)})`, 'name a file that rollcall may read');
  }
}

/** Returns what separates the two columns in the header; a comma if no character does. */
function separatorOf(text: string, columns: readonly string[]): string {
  const [head = ''] = text.split(/[\r\n]/u, 1);
  const isBetween = (separator: string): boolean => {
    const names = new Set(
      head.split(separator).map((name) => name.replaceAll(/^[\uFEFF\s"]+|[\s"]+$/gu, '')),
    );
    return columns.every((column) => names.has(column));
  };
  return SEPARATORS.find(isBetween) ?? ',';
}

function rowsOf(text: string, file: string, separator: string): readonly (readonly string[])[] {
  try {
    return parse(text, { bom: true, delimiter: separator, skip_empty_lines: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new LookupProblem(
      `${file} is no CSV with the separator ${JSON.stringify(separator)} (${error.message})`,
      'correct the file',
    );
  }
}

function columnOf(head: readonly string[], name: string, file: string): number {
  const index = head.findIndex((column) => column.trim() === name);
  if (index !== -1) return index;
  const meant = suggest(name, head);
  const has = head.length === 0 ? 'it is empty' : `it has ${head.slice(0, 12).join(', ')}`;
  throw new LookupProblem(
    `${file} has no column ${name}`,
    meant === undefined ? `${has}: name one of its columns` : `did you mean ${meant}?`,
  );
}

function duplicates(file: string, keys: readonly string[]): LookupProblem {
  const more = keys.length > SHOWN ? `, … and ${keys.length - SHOWN} more` : '';
  const shown = keys.slice(0, SHOWN).map((key) => JSON.stringify(key));
  return new LookupProblem(
    `${file} has keys more than once: ${shown.join(', ')}${more}`,
    'keep one row of each',
  );
}
