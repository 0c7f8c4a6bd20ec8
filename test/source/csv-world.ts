import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { CsvSettings } from '../../src/source/csv/kind.ts';
import { TABLE_ROWS, TABLE_RULES, type Whole } from './world.ts';

export type Rows = readonly (readonly (string | null)[])[];

function cell(value: string | null): string {
  const text = value ?? '';
  return /["\r\n,;|\t]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as text, each cell in quotes where it has to be. */
export function csv(rows: Rows, separator = ',', lineEnd = '\r\n'): string {
  return rows.map((row) => row.map((value) => cell(value)).join(separator) + lineEnd).join('');
}

/** The world as three files. */
export function worldFiles(separator = ','): Readonly<Record<'units' | 'people' | 'positions', string>> {
  const { units, people, positions } = TABLE_ROWS;
  return {
    units: csv([['id', 'parent_id', 'name'], ...units], separator),
    people: csv(
      [[' emp_no ', 'login', 'full_name', 'email', 'status', 'born', 'sort_no'], ...people],
      separator,
    ),
    positions: csv([['emp_no', 'dept_id', 'job_title', 'is_primary'], ...positions], separator),
  };
}

/** Writes the files of an export; returns nothing, since their names are known. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, `${name}.csv`), content);
}

export const COMPLETE: CsvSettings['complete'] = { quietSeconds: 0 };

/** Settings of a folder that holds the world. */
export function csvSettings(folder: string, changes: Partial<Whole<CsvSettings>> = {}): Whole<CsvSettings> {
  return {
    type: 'csv',
    encoding: 'utf-8',
    separator: 'auto',
    complete: COMPLETE,
    units: { file: join(folder, 'units.csv'), rules: TABLE_RULES.units },
    people: { file: join(folder, 'people.csv'), rules: TABLE_RULES.people },
    positions: { file: join(folder, 'positions.csv'), rules: TABLE_RULES.positions },
    ...changes,
  };
}
